import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { newCustomer, outcome, ROOMY, snapshot } from '../api/people.ts'
import { count, everything } from '../api/store.ts'
import { BODIES } from '../support/bodies.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let ana: SignedIn
let impersonated: string

/** What the paths of requests name: things of Bea, which are not Ana's. */
const THEIRS = {
  cliente: 'bea',
  domain: 'bea-sitio.es',
  zona: 'bea-sitio.es',
  plan: 'de-bea',
  base: 'bea_tienda',
}
const NOBODYS = {
  cliente: 'nadie',
  domain: 'nadie-sitio.es',
  zona: 'nadie-sitio.es',
  plan: 'de-nadie',
  base: 'nadie_tienda',
}
const FIXED = {
  ruta: '%2Fprivado',
  nombre: 'www',
  tipo: 'A',
  id: 'tok_x',
  nodo: 'nodo1',
  cuenta: 'bea',
  copia: 'cop_0',
  referencia: 'ref:1',
}

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  for (const plan of ['de-ana', 'de-bea'])
    await panel.api('POST', '/planes', { bearer: token, body: { plan } })
  ana = await newCustomer(panel, token, 'ana')
  await newCustomer(panel, token, 'bea')
  for (const [cliente, plan] of [
    ['ana', 'de-ana'],
    ['bea', 'de-bea'],
  ] as const) {
    await panel.api('POST', `/clientes/${cliente}/plan`, { bearer: token, body: { plan } })
    const made = await panel.api('POST', '/sitios', {
      bearer: token,
      body: { cliente, domain: `${cliente}-sitio.es` },
    })
    expect([201, made.body.zona]).toEqual([made.status, `${cliente}-sitio.es`])
    const base = await panel.api('POST', '/bases', { bearer: token, body: { cliente, base: 'tienda' } })
    expect([base.status, base.body.base]).toEqual([201, `${cliente}_tienda`])
  }
  const opened = await panel.api('POST', '/clientes/ana/suplantar', {
    bearer: admin.bearer,
    body: { motivo: 'soporte' },
  })
  impersonated = opened.body.sesion
})
afterAll(() => panel.stop())

/** What tus asks for. */
const UPLOAD = {
  'tus-resumable': '1.0.0',
  'upload-length': '1',
  'upload-offset': '0',
  'upload-metadata': `ruta ${btoa('/public/x')}`,
  'content-type': 'application/offset+octet-stream',
}

/** What reading a site's files asks for, by the end of the path. */
const QUERIES: Record<string, string> = {
  '': '?ruta=/public/x',
  '/contenido': '?ruta=/public/x',
  '/zip': '?ruta=/public/x',
  '/buscar': '?nombre=x',
}

const named = (handler: Handler) => `${handler.method} ${handler.path}`
const bearerHandlers = handlers.filter(({ access }) => access.kind === 'bearer')
const may = (who: 'token' | 'admin' | 'client') =>
  bearerHandlers.filter(({ access }) => access.kind === 'bearer' && access[who])
const mayNot = (who: 'token' | 'admin' | 'client') => bearerHandlers.filter((one) => !may(who).includes(one))

function send(
  handler: Handler,
  bearer: string,
  names: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const values: Record<string, string> = { ...FIXED, ...names }
  const asked = QUERIES[handler.path.split('/archivos')[1] ?? 'none'] ?? ''
  if (handler.path.includes('/subidas')) {
    Object.assign(values, { id: '0'.repeat(32) })
    Object.assign(headers, UPLOAD)
  }
  const path = fullPath(handler).replace(/:(\w+)/g, (_, name: string) => values[name] ?? name) + asked
  const body = BODIES[named(handler)]
  const filled =
    body && 'cliente' in body && handler.path !== '/clientes' ? { ...body, cliente: values.cliente } : body
  if (handler.consumes) {
    return panel.request(handler.method, path, {
      bearer,
      raw: 'www 300 IN A 192.0.2.1\n',
      headers: { 'content-type': handler.consumes, ...headers },
    })
  }
  return panel.request(handler.method, path, {
    bearer,
    headers,
    ...(filled === undefined ? {} : { body: filled }),
  })
}

test('every operation that takes a body has one in the table above', () => {
  const needing = bearerHandlers.filter(
    ({ body, bodyOptional, consumes }) => body && !bodyOptional && !consumes,
  )
  expect(needing.map(named).filter((name) => !(name in BODIES))).toEqual([])
})

describe('an API token', () => {
  test('is refused every operation of persons, with the words that tell why and nothing changed', async () => {
    const before = await snapshot(panel, admin.bearer)
    expect(mayNot('token').length).toBeGreaterThan(10)
    for (const handler of mayNot('token')) {
      const english = await send(handler, token, THEIRS)
      expect([named(handler), ...outcome(english)]).toEqual([named(handler), 403, 'no_con_token'])
      expect(english.body.detail).toBe(
        'This operation cannot be done with an API token, sign in to the panel.',
      )
      const spanish = await send(handler, token, THEIRS, { 'accept-language': 'es' })
      expect(spanish.body.detail).toBe(
        'Esta operación no se puede hacer con un token de API, entre en el panel.',
      )
    }
    expect(await snapshot(panel, admin.bearer)).toBe(before)
  })

  test('is refused them before the body is looked at', async () => {
    for (const handler of mayNot('token').filter(({ method }) => method !== 'GET')) {
      const answer = await panel.request(handler.method, fullPath(handler).replace(/:\w+/g, 'x'), {
        bearer: token,
        raw: '{',
        headers: { 'content-type': 'text/plain' },
      })
      expect(outcome(answer)).toEqual([403, 'no_con_token'])
    }
  })

  test('reads no hash, seed, ciphertext or link in anything it may read', async () => {
    const reads = may('token').filter(({ method }) => method === 'GET')
    expect(reads.length).toBeGreaterThan(15)
    const seals = [...everything(panel).matchAll(/v1\.[0-9a-f]+\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+/g)].map(
      ([seal]) => seal,
    )
    expect(seals.length).toBeGreaterThan(2)
    for (const handler of reads) {
      const { body } = await send(handler, token, THEIRS)
      const text = JSON.stringify(body)
      expect(text).not.toMatch(/\$argon2|otpauth|enlace#|"hash\w*":|password|totp|cps_|cpt_[0-9A-Za-z]{9}/i)
      for (const seal of seals) expect(text).not.toContain(seal)
    }
  })
})

describe("a customer's session", () => {
  test('is refused every operation of operators, nothing changed', async () => {
    const before = await snapshot(panel, admin.bearer)
    expect(mayNot('client').length).toBeGreaterThan(20)
    for (const handler of mayNot('client')) {
      const answer = await send(handler, ana.bearer, THEIRS)
      expect([named(handler), ...outcome(answer)]).toEqual([named(handler), 403, 'prohibido'])
    }
    expect(await snapshot(panel, admin.bearer)).toBe(before)
  })

  const owned = may('client').filter(({ path }) => /:(cliente|domain|zona|plan|base)\b/.test(path))
  test("gets for another client's things the very answer for what does not exist", async () => {
    const before = await snapshot(panel, admin.bearer)
    expect(owned.length).toBeGreaterThan(15)
    for (const handler of owned) {
      const theirs = await send(handler, ana.bearer, THEIRS)
      const nobodys = await send(handler, ana.bearer, NOBODYS)
      expect([named(handler), theirs.status]).toEqual([named(handler), 404])
      const told = ({ body, headers }: Answer, names: typeof THEIRS) => {
        const text = JSON.stringify({ ...body, peticion: '' }).replaceAll(names.plan, '-')
        const kept = [...headers].filter(
          ([name]) => !['date', 'x-request-id', 'ratelimit', 'content-length'].includes(name),
        )
        return [text, ...kept]
      }
      expect(told(theirs, THEIRS)).toEqual(told(nobodys, NOBODYS))
    }
    expect(await snapshot(panel, admin.bearer)).toBe(before)
  })

  test("gets for another client's name in the body the answer for one that does not exist", async () => {
    for (const [path, name] of [
      ['/sitios', { domain: 'ajeno.es' }],
      ['/zonas', { zona: 'ajeno.es' }],
      ['/bases', { base: 'ajena' }],
    ] as const) {
      const [theirs, nobodys] = await Promise.all(
        ['bea', 'nadie'].map((cliente) =>
          panel.api('POST', path, { bearer: ana.bearer, body: { cliente, ...name } }),
        ),
      )
      expect(theirs && outcome(theirs)).toEqual([409, 'cliente_no_existe'])
      expect({ ...theirs?.body, peticion: '' }).toEqual({ ...nobodys?.body, peticion: '' })
    }
  })

  test('lists its own things only, whatever it filters by', async () => {
    for (const [path, key, own] of [
      ['/sitios', 'domain', 'ana-sitio.es'],
      ['/zonas', 'zona', 'ana-sitio.es'],
      ['/bases', 'base', 'ana_tienda'],
    ] as const) {
      for (const query of ['', '?cliente=bea', '?buscar=bea', '?limite=200']) {
        const { body } = await panel.api('GET', path + query, { bearer: ana.bearer })
        const names: string[] = body.datos.map((one: Json) => one[key])
        expect(names).toEqual(query.includes('bea') ? [] : [own])
      }
    }
    const plans = await panel.api('GET', '/planes', { bearer: ana.bearer })
    expect(plans.body.datos.map((one: Json) => [one.plan, one.clientes])).toEqual([['de-ana', 1]])
  })

  test('may read and change what is its own', async () => {
    for (const path of [
      '/clientes/ana',
      '/clientes/ana/uso',
      '/clientes/ana/acceso',
      '/sitios/ana-sitio.es',
      '/zonas/ana-sitio.es',
      '/yo',
    ]) {
      expect([path, (await panel.api('GET', path, { bearer: ana.bearer })).status]).toEqual([path, 200])
    }
    const changed = await panel.api('PATCH', '/sitios/ana-sitio.es', {
      bearer: ana.bearer,
      body: { aliases: ['www.ana-sitio.es'] },
    })
    expect(changed.body.aliases).toEqual(['www.ana-sitio.es'])
    expect(changed.body).not.toHaveProperty('raiz')
  })

  test.each([
    ['POST', '/sitios', { cliente: 'ana', domain: 'otro-mas.es', forzar: true }],
    ['POST', '/zonas', { cliente: 'ana', zona: 'otro-mas.es', forzar: true }],
  ])('may not force a name: %s %s', async (method, path, body) => {
    for (const bearer of [ana.bearer, token]) {
      expect(outcome(await panel.api(method, path, { bearer, body }))).toEqual([403, 'prohibido'])
    }
  })

  test("changes its own address with its own password only, and nobody else's", async () => {
    const body = { correo: 'nueva@cliente.es', contrasena: 'no es esta frase' }
    expect(outcome(await panel.api('PUT', '/clientes/ana/correo', { bearer: ana.bearer, body }))).toEqual([
      403,
      'contrasena_incorrecta',
    ])
    expect((await panel.api('GET', '/clientes/ana', { bearer: token })).body.correo).toBe('ana@cliente.es')
  })
})

describe('an impersonating admin', () => {
  test('sees what the customer sees, and says so', async () => {
    expect((await panel.api('GET', '/clientes/ana', { bearer: impersonated })).status).toBe(200)
    expect((await panel.api('GET', '/clientes/bea', { bearer: impersonated })).status).toBe(404)
    const me = await panel.api('GET', '/yo', { bearer: impersonated })
    expect(me.body).toMatchObject({ rol: 'client', cliente: 'ana', suplantada_por: admin.email })
  })

  test('touches no credential', async () => {
    const changes = mayNot('token').filter(
      ({ method, access }) => method !== 'GET' && access.kind === 'bearer' && access.client,
    )
    expect(changes.length).toBeGreaterThan(5)
    for (const handler of changes) {
      const answer = await send(handler, impersonated, { cliente: 'ana' })
      expect([named(handler), ...outcome(answer)]).toEqual([named(handler), 403, 'prohibido'])
    }
  })

  test('is named in the audit trail beside the customer, with the reason', async () => {
    await panel.api('PATCH', '/sitios/ana-sitio.es', { bearer: impersonated, body: { solo_https: false } })
    const trail = await panel.api('GET', '/auditoria?cliente=ana', { bearer: token })
    const change = trail.body.datos.find(
      (one: Json) => one.operacion === 'PATCH /sitios/<domain>' && one.actor.suplantado_por,
    )
    expect(change.actor).toMatchObject({
      tipo: 'persona',
      nombre: 'ana@cliente.es',
      suplantado_por: admin.email,
    })
    const opened = trail.body.datos.find(
      (one: Json) => one.operacion.endsWith('/suplantar') && one.resultado === 'hecho',
    )
    expect(opened).toMatchObject({ actor: { nombre: admin.email }, detalle: { motivo: 'soporte' } })
  })

  test('needs a reason, and a login to use', async () => {
    const bearer = admin.bearer
    expect(outcome(await panel.api('POST', '/clientes/ana/suplantar', { bearer, body: {} }))).toEqual([
      422,
      'datos_invalidos',
    ])
    await panel.api('POST', '/clientes', { bearer, body: { cliente: 'sin-acceso' } })
    const none = await panel.api('POST', '/clientes/sin-acceso/suplantar', { bearer, body: { motivo: 'x' } })
    expect(outcome(none)).toEqual([409, 'sin_acceso'])
  })
})

test('refusals are told in the audit trail, with who asked', async () => {
  const refused = await panel.api('POST', '/tokens', {
    bearer: token,
    body: { nombre: 'x', caduca: '2027-01-01' },
  })
  const row = await eventually(async () => {
    const { body } = await panel.api('GET', '/auditoria?operacion=POST%20/tokens', { bearer: token })
    return body.datos.find((one: Json) => one.peticion === refused.body.peticion) ?? null
  }, 'the audit row')
  expect(row).toMatchObject({ resultado: 'no_con_token', actor: { tipo: 'token', nombre: 'facturacion' } })
  expect(count(panel, 'select count(*) from tokens')).toBe(1)
})
