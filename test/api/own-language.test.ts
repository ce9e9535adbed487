import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import { codeOf, dayFromNow, PASSWORD } from '../support/people.ts'

let panel: Panel
let admin: string
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  const secret = panel.firstLink?.split('#')[1] ?? ''
  admin = await enrolIn('en-GB,en;q=0.9', secret, { correo: 'root@ejemplo.es' })
  const body = { nombre: 'facturacion', caduca: dayFromNow(200) }
  token = (await panel.api('POST', '/tokens', { bearer: admin, body })).body.token
}, 60_000)

afterAll(() => panel.stop())

/** Spends a link from a browser of this language; answers the bearer of the session. */
async function enrolIn(accept: string, enlace: string, extra: Record<string, string> = {}): Promise<string> {
  const headers = { 'accept-language': accept }
  const access = (path: string, body: object) => panel.atNode('POST', `/acceso${path}`, { body, headers })
  const spent = await access('/enlace/gastar', { enlace, contrasena: PASSWORD, ...extra })
  const codigo = await codeOf(panel, spent.body.totp.secreto)
  const { paso_token } = spent.body
  return (await access('/segundo-factor/inscribir', { paso_token, codigo })).body.sesion
}

const customer = async (cliente: string, accept: string) => {
  const correo = `${cliente}@ejemplo.es`
  const body = { correo, domain: `${cliente}.es`, cliente, idioma: 'es' }
  await panel.api('PUT', `/altas/ref:${cliente}`, { bearer: token, body })
  const { link } = await panel.mailTo(correo)
  return enrolIn(accept, link ?? '')
}
const languageOf = async (bearer: string) => (await panel.api('GET', '/yo', { bearer })).body.idioma

test('the first admin gets mails in the language of the screens that it enrolled on', async () => {
  expect(await languageOf(admin)).toBe('en')
})

test('a customer gets mails in the language of its browser, which may be another than that of the first mail', async () => {
  expect(await languageOf(await customer('john', 'en-US'))).toBe('en')
  expect(await languageOf(await customer('ana', 'es-ES,en;q=0.5'))).toBe('es')
})

test('enrolling with a browser in a third language keeps the language', async () => {
  expect(await languageOf(await customer('jean', 'fr-FR'))).toBe('es')
})

test('a person changes the own language, and the next mail is in it', async () => {
  const bearer = await customer('eva', 'es')
  const changed = await panel.api('PATCH', '/yo', { bearer, body: { idioma: 'en' } })
  expect([changed.status, changed.body]).toEqual([200, { idioma: 'en', region: null, zona_horaria: null }])
  await panel.api('POST', '/clientes/eva/acceso/restablecer', { bearer: token })
  const { subject } = await panel.mailTo('eva@ejemplo.es', 2)
  expect(subject).toMatch(/password/i)
})

test('neither a token nor an impersonating admin can change a person’s language', async () => {
  const bearer = await customer('eso', 'es')
  const body = { idioma: 'en' }
  expect((await panel.api('PATCH', '/yo', { bearer: token, body })).body.codigo).toBe('no_con_token')
  const looking = await panel.api('POST', '/clientes/eso/suplantar', {
    bearer: admin,
    body: { motivo: 'mirar' },
  })
  const refused = await panel.api('PATCH', '/yo', { bearer: looking.body.sesion, body })
  expect([refused.status, refused.body.codigo]).toEqual([403, 'prohibido'])
  expect(await languageOf(bearer)).toBe('es')
  const unknown = await panel.api('PATCH', '/yo', { bearer, body: { idioma: 'fr' } })
  expect([unknown.status, unknown.body.campos[0].campo]).toEqual([422, 'idioma'])
})

test('a person sets how dates and numbers are written, one thing at a time, and takes it back', async () => {
  const bearer = await customer('lola', 'es')
  const change = (body: object) => panel.api('PATCH', '/yo', { bearer, body })
  const ways = { idioma: 'es', region: 'MX', zona_horaria: 'America/Mexico_City' }
  await change({ region: 'MX' })
  expect((await change({ zona_horaria: 'America/Mexico_City' })).body).toEqual(ways)
  expect((await panel.api('GET', '/yo', { bearer })).body).toMatchObject(ways)
  expect((await change({ region: null })).body).toEqual({ ...ways, region: null })
  for (const [field, values] of [
    ['region', ['mx', 'MEX', 'QQ', '']],
    ['zona_horaria', ['Europe/Sevilla', 'Madrid', '../etc', '']],
  ] as const) {
    for (const value of values) {
      const refused = await change({ [field]: value })
      expect([value, refused.status, refused.body.campos?.[0]?.campo]).toEqual([value, 422, field])
    }
  }
})

test('a site tells its customer the PHP versions of its node', async () => {
  const bearer = await customer('pepa', 'es')
  const { body } = await panel.api('GET', '/sitios/pepa.es', { bearer })
  const { body: node } = await panel.api('GET', '/nodos/nodo1', { bearer: admin })
  const served = node.servicios.flatMap(
    ({ servicio }: { servicio: string }) => /^php(\d\.\d+)$/.exec(servicio)?.[1] ?? [],
  )
  expect(served.length).toBeGreaterThan(0)
  expect(body.php_disponibles).toEqual(served)
  expect(body.php_disponibles).toContain(body.php)
})
