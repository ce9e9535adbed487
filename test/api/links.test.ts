import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import { codeOf, enrol, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { newClient, newCustomer, newLogin, outcome, ROOMY } from './people.ts'
import { count, everything, plant, rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const look = (enlace: string) => panel.access('/enlace', { enlace })
const spend = (enlace: string, contrasena = PASSWORD) =>
  panel.access('/enlace/gastar', { enlace, contrasena })
const reset = (cliente: string, bearer = token) =>
  panel.api('POST', `/clientes/${cliente}/acceso/restablecer`, { bearer })
const login = async (cliente: string) =>
  (await panel.api('GET', `/clientes/${cliente}/acceso`, { bearer: token })).body

describe('a link', () => {
  test('tells what it is for and is not consumed by being looked at', async () => {
    const link = await newLogin(panel, token, 'mirado')
    // The hour runs from the mail's hand-over, which is noted a moment after the mail has arrived.
    await eventually(async () => (await look(link)).body.caduca !== null, 'the hand-over')
    for (let i = 0; i < 50; i++) {
      expect((await look(link)).body).toEqual({
        para: 'activar',
        rol: 'client',
        cliente: 'mirado',
        correo: 'mirado@cliente.es',
        caduca: expect.stringMatching(/Z$/),
        segundo_factor: false,
      })
    }
    expect((await spend(link)).body.paso).toBe('inscribir')
  })

  test('is not spent by a scanner that opens the page, as its secret stands in the fragment', async () => {
    const link = await newLogin(panel, token, 'escaner')
    const mail = await panel.mailTo('escaner@cliente.es')
    expect(mail.text).toContain(`${panel.origin}/enlace#${link}`)
    for (const method of ['GET', 'HEAD']) {
      for (let i = 0; i < 10; i++) await panel.fetch('/enlace', { method })
    }
    expect((await login('escaner')).enlace.estado).toBe('enviado')
    expect((await spend(link)).status).toBe(200)
  })

  test('is spent in the transaction that sets the password', async () => {
    const link = await newLogin(panel, token, 'gastado')
    const spent = await spend(link)
    expect(spent.body).toEqual({
      paso: 'inscribir',
      paso_token: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
      totp: {
        secreto: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringMatching(/^otpauth:\/\/totp\//),
      },
    })
    expect(outcome(await spend(link, 'otra frase larga y rara'))).toEqual([410, 'enlace_gastado'])
    expect(outcome(await look(link))).toEqual([410, 'enlace_gastado'])
    expect((await login('gastado')).enlace.estado).toBe('gastado')
    expect(
      (await panel.access('/entrar', { correo: 'gastado@cliente.es', contrasena: PASSWORD })).body.paso,
    ).toBe('inscribir')
  })

  test('submitted twenty times at once sets one password, which signs in', async () => {
    const link = await newLogin(panel, token, 'veintena')
    const passwords = Array.from({ length: 20 }, (_, i) => `una frase larga y rara ${i}`)
    // Half at the node and half at the function host, where there is one.
    const atNode = (contrasena: string) =>
      panel.atNode('POST', '/acceso/enlace/gastar', { body: { enlace: link, contrasena } })
    const answers = await Promise.all(
      passwords.map((password, i) => (i % 2 === 0 ? spend(link, password) : atNode(password))),
    )
    const winners = answers.flatMap(({ status }, i) => (status === 200 ? [passwords[i] ?? ''] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.codigo === 'enlace_gastado')).toHaveLength(19)
    const holds = await panel.access('/entrar', { correo: 'veintena@cliente.es', contrasena: winners[0] })
    expect(holds.body.paso).toBe('inscribir')
  })

  test.each([
    ['corta', 'contrasena_corta'],
    ['x'.repeat(12), 'contrasena_comun'],
    ['password1234', 'contrasena_comun'],
    ['una frase larga y rara '.repeat(6), 'contrasena_larga'],
    ['', 'contrasena_corta'],
    ['Intentos.Cliente.es 24', 'contrasena_propia'],
    ['intentos-1234567', 'contrasena_propia'],
  ])('is not spent by the refused password %j', async (password, codigo) => {
    const link =
      (await panel.mails()).find(({ to }) => to === 'intentos@cliente.es')?.link ??
      (await newLogin(panel, token, 'intentos'))
    const { status, body } = await spend(link, password)
    expect([status, body.campos]).toEqual([422, [expect.objectContaining({ campo: 'contrasena', codigo })]])
    expect((await look(link)).status).toBe(200)
  })

  test.each(['', 'x', '0'.repeat(43), 'z'.repeat(43), `${'0'.repeat(42)}-`])(
    '%p is none: 404',
    async (value) => {
      expect(outcome(await look(value))).toEqual([404, 'enlace_no_existe'])
      expect(outcome(await spend(value))).toEqual([404, 'enlace_no_existe'])
    },
  )

  test('lives one hour from the hand-over of its mail: good at 59:59, gone at 60:01, gone for good', async () => {
    const [a, b] = [await newLogin(panel, token, 'hora-a'), await newLogin(panel, token, 'hora-b')]
    // The mail arrives a moment before the panel notes that it was handed over.
    const caduca = await eventually(async () => (await look(b)).body.caduca, 'the hand-over to be noted')
    const until = Date.parse(caduca)
    const sent =
      rows<{ sent_at: number }>(panel, "select sent_at from mails where recipient = 'hora-b@cliente.es'")[0]
        ?.sent_at ?? 0
    expect(Math.abs(until - sent - 3_600_000)).toBeLessThan(1000)
    await panel.setClock((until - 1000 - Date.now()) / 1000 - 3)
    expect((await look(b)).status).toBe(200)
    expect((await spend(a)).status).toBe(200)
    await panel.setClock((until + 1000 - Date.now()) / 1000)
    expect(outcome(await look(b))).toEqual([410, 'enlace_caducado'])
    expect(outcome(await spend(b))).toEqual([410, 'enlace_caducado'])
    await panel.setClock(0)
    expect(outcome(await look(b))).toEqual([410, 'enlace_caducado'])
    expect(outcome(await spend(b))).toEqual([410, 'enlace_caducado'])
    expect((await login('hora-b')).enlace.estado).toBe('caducado')
  })

  test('that expired without being opened is marked as expired for good by the scheduled sweep', async () => {
    const link = await newLogin(panel, token, 'barrido')
    await panel.setClock(3700)
    await panel.command('cron', 'caducidad')
    await panel.setClock(0)
    expect(outcome(await spend(link))).toEqual([410, 'enlace_caducado'])
  })

  test('opens under a clock 400 days back, and stays expired after one 400 days ahead', async () => {
    const link = await newLogin(panel, token, 'reloj')
    await panel.setClock(-400 * 86_400)
    expect((await look(link)).status).toBe(200)
    await panel.setClock(400 * 86_400)
    expect(outcome(await look(link))).toEqual([410, 'enlace_caducado'])
    await panel.setClock(0)
    expect(outcome(await look(link))).toEqual([410, 'enlace_caducado'])
  })
})

describe('a link dies', () => {
  test('when a newer one is made, which works', async () => {
    const old = await newLogin(panel, token, 'nuevo')
    expect((await reset('nuevo')).status).toBe(202)
    const next = (await panel.mailTo('nuevo@cliente.es', 2)).link ?? ''
    expect(next).not.toBe(old)
    expect(outcome(await spend(old))).toEqual([410, 'enlace_gastado'])
    expect((await look(next)).body.para).toBe('activar')
    expect((await spend(next)).status).toBe(200)
  })

  test('when the client is suspended, but one sent to a suspended client works', async () => {
    const link = await newLogin(panel, token, 'suspenso')
    await panel.api('POST', '/clientes/suspenso/suspender', { bearer: token })
    expect(outcome(await spend(link))).toEqual([410, 'enlace_gastado'])
    await panel.api('POST', '/clientes/suspenso/activar', { bearer: token })
    expect(outcome(await spend(link))).toEqual([410, 'enlace_gastado'])
    await panel.api('POST', '/clientes/suspenso/suspender', { bearer: token })
    await reset('suspenso')
    expect((await spend((await panel.mailTo('suspenso@cliente.es', 2)).link ?? '')).status).toBe(200)
  })

  test('when the client is deleted, with its queued mails', async () => {
    const link = await newLogin(panel, token, 'borrado')
    await panel.api('DELETE', '/clientes/borrado', { bearer: token })
    expect([404, 410]).toContain((await spend(link)).status)
  })

  test('when an admin changes the address, and both addresses are told', async () => {
    const link = await newLogin(panel, token, 'mudado')
    const changed = await panel.api('PUT', '/clientes/mudado/correo', {
      bearer: admin.bearer,
      body: { correo: 'otra@cliente.es', contrasena: PASSWORD },
    })
    expect(changed.body.correo).toBe('otra@cliente.es')
    expect(outcome(await spend(link))).toEqual([410, 'enlace_gastado'])
    const told = [await panel.mailTo('mudado@cliente.es', 2), await panel.mailTo('otra@cliente.es')]
    for (const mail of told) {
      expect(mail.text).toContain('mudado@cliente.es')
      expect(mail.text).toContain('otra@cliente.es')
      expect(mail.link).toBeNull()
    }
    await panel.setClock(61)
    const again = await reset('mudado')
    expect(again.body.enviado_a).toBe('o…@c….es')
    expect((await panel.mailTo('otra@cliente.es', 2)).link).not.toBeNull()
    expect((await login('mudado')).correo).toBe('otra@cliente.es')
  })
})

describe('a reset', () => {
  test('mails a link for a new password to the recovery address, masked in the answer', async () => {
    const customer = await newCustomer(panel, token, 'resetea')
    const asked = await reset('resetea')
    expect([asked.status, asked.body]).toEqual([
      202,
      { enviado_a: 'r…@c….es', caduca: expect.stringMatching(/Z$/) },
    ])
    const mail = await panel.mailTo(customer.email, 2)
    expect((await look(mail.link ?? '')).body).toMatchObject({ para: 'restablecer', segundo_factor: true })
    const spent = await spend(mail.link ?? '', 'otra frase larga y rara 8')
    expect(spent.body).toEqual({ paso: 'segundo_factor', paso_token: expect.any(String) })
    expect(outcome(await panel.api('GET', '/conexion', { bearer: customer.bearer }))).toEqual([
      401,
      'sesion_terminada',
    ])
    expect(outcome(await panel.access('/entrar', { correo: customer.email, contrasena: PASSWORD }))).toEqual([
      401,
      'credenciales_incorrectas',
    ])
    const inside = await panel.access('/segundo-factor', {
      paso_token: spent.body.paso_token,
      codigo: await codeOf(panel, customer.totp, 1),
    })
    expect(inside.body.persona).toEqual({ correo: customer.email, rol: 'client', cliente: 'resetea' })
    const told = await panel.mailTo(customer.email, 3)
    expect([told.subject, told.link]).toEqual(['Se ha cambiado su contraseña en localhost', null])
  })

  test('tells the person of every change of the password, but not of its first choice', async () => {
    const customer = await newCustomer(panel, token, 'avisada')
    await panel.api('PATCH', '/clientes/avisada', { bearer: token, body: { nombre: 'Ana & Cía' } })
    expect((await panel.mails()).filter(({ to }) => to === customer.email)).toHaveLength(1)
    const change = (nueva: string) =>
      panel.api('PUT', '/yo/contrasena', { bearer: customer.bearer, body: { actual: PASSWORD, nueva } })
    for (const own of ['avisada.cliente.es', 'Ana & Cía 123456', 'avisada@cliente.es']) {
      const { status, body } = await change(own)
      expect([status, body.campos?.[0]]).toEqual([
        422,
        expect.objectContaining({ campo: 'nueva', codigo: 'contrasena_propia' }),
      ])
    }
    expect((await change('otra frase larga y rara 8')).status).toBe(200)
    const told = await panel.mailTo(customer.email, 2)
    expect(told.text).toStartWith('Hola, Ana & Cía:')
    expect(told.text).toContain('avisada@cliente.es (avisada)')
    expect(told.text).toContain(`${panel.origin}/enlace`)
  })

  test('is limited to one a minute and five an hour, without the first activation mail', async () => {
    await newLogin(panel, token, 'insiste')
    for (let i = 0; i < 5; i++) {
      await panel.setClock(i * 70)
      expect((await reset('insiste')).status).toBe(202)
      const refused = await reset('insiste')
      expect(outcome(refused)).toEqual([429, 'espera'])
      if (i < 4) expect(Number(refused.headers.get('retry-after'))).toBeWithin(50, 61)
    }
    await panel.setClock(5 * 70)
    const wait = Number((await reset('insiste')).headers.get('retry-after'))
    expect(wait).toBeWithin(3600 - 5 * 70 - 10, 3600 - 5 * 70 + 10)
    await panel.setClock(5 * 70 + wait + 1)
    expect((await reset('insiste')).status).toBe(202)
  })

  test('is not limited by links that a clock which ran ahead dated into the future', async () => {
    await newLogin(panel, token, 'atras')
    expect((await reset('atras')).status).toBe(202)
    await panel.mailTo('atras@cliente.es', 2)
    expect((await reset('atras')).status).toBe(429)
    // As left by a panel whose clock was 400 days ahead.
    plant(
      panel,
      `update links set created_at = created_at + ${400 * 86_400_000} where purpose = 'activar'
      and person_id = (select id from persons where email = 'atras@cliente.es')
      and created_at > (select min(created_at) from links where person_id = (select id from persons where email = 'atras@cliente.es'))`,
    )
    expect((await reset('atras')).status).toBe(202)
    expect((await panel.mailTo('atras@cliente.es', 3)).link).not.toBeNull()
  })

  test('and links that strangers ask for are limited apart: each to one a minute and five an hour', async () => {
    await newLogin(panel, token, 'acosada')
    const mails = () => count(panel, "select count(*) from mails where recipient = 'acosada@cliente.es'")
    const asked = () => panel.access('/olvido', { correo: 'acosada@cliente.es' })
    for (let request = 0; request < 6; request++) {
      await panel.setClock(request * 61)
      expect((await asked()).status).toBe(202)
      expect((await asked()).status).toBe(202)
      // The first activation mail, then five of the stranger's.
      expect(mails()).toBe(1 + Math.min(request + 1, 5))
    }
    for (let request = 0; request < 5; request++) {
      await panel.setClock((6 + request) * 61)
      expect((await reset('acosada')).status).toBe(202)
      expect(outcome(await reset('acosada'))).toEqual([429, 'espera'])
    }
    await panel.setClock(11 * 61)
    expect(outcome(await reset('acosada'))).toEqual([429, 'espera'])
    expect(mails()).toBe(11)
    await panel.setClock(0)
  })

  test('of a client without a login is 409', async () => {
    await newClient(panel, token, 'nadie-entra')
    expect(outcome(await reset('nadie-entra'))).toEqual([409, 'sin_acceso'])
    expect(outcome(await reset('no-existe'))).toEqual([404, 'cliente_no_existe'])
  })
})

describe('asking for another link', () => {
  const ask = (correo: string) => panel.access('/olvido', { correo })
  test('always answers the same 202, and mails only addresses with a login', async () => {
    await newLogin(panel, token, 'olvida')
    const mails = () => count(panel, 'select count(*) from mails')
    const before = mails()
    const known = await ask('OLVIDA@cliente.es')
    const unknown = await ask('nadie@cliente.es')
    const ofAdmin = await ask(admin.email)
    const tooSoon = await ask('olvida@cliente.es')
    for (const answer of [known, unknown, ofAdmin, tooSoon])
      expect([answer.status, answer.body]).toEqual([202, { aceptado: true }])
    expect(mails()).toBe(before + 1)
    expect((await panel.mailTo('olvida@cliente.es', 2)).link).not.toBeNull()
  })

  test('takes as long for an address that is known as for one that is not', async () => {
    const known = ['tarda-a', 'tarda-b', 'tarda-c', 'tarda-d', 'tarda-e']
    for (const cliente of known) await newLogin(panel, token, cliente)
    const elapsed = async (correo: string) => {
      const started = performance.now()
      expect((await ask(correo)).status).toBe(202)
      return performance.now() - started
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    for (const cliente of known) {
      times.known.push(await elapsed(`${cliente}@cliente.es`))
      times.unknown.push(await elapsed(`no-${cliente}@cliente.es`))
    }
    // Every answer is delayed to more than the work takes, so that its length tells nothing.
    expect(Math.min(...times.known, ...times.unknown)).toBeGreaterThan(200)
    // The quickest of each, since the machine's other work delays the rest.
    expect(Math.abs(Math.min(...times.known) - Math.min(...times.unknown))).toBeLessThan(50)
  })

  test('mails no link to the customer of a client that is being deleted', async () => {
    await newLogin(panel, token, 'se-va')
    const mails = () => count(panel, 'select count(*) from mails')
    const before = mails()
    plant(panel, "update clients set state = 'eliminando' where name = 'se-va'")
    expect((await ask('se-va@cliente.es')).status).toBe(202)
    expect(mails()).toBe(before)
  })

  test('reaches every login under the address, in one mail each', async () => {
    for (const cliente of ['mismo-a', 'mismo-b']) {
      await newClient(panel, token, cliente)
      await panel.api('POST', `/clientes/${cliente}/acceso`, {
        bearer: token,
        body: { correo: 'mismo@cliente.es' },
      })
    }
    await panel.mailTo('mismo@cliente.es', 2)
    await ask('mismo@cliente.es')
    const subjects = await eventually(async () => {
      const mine = (await panel.mails()).filter(({ to }) => to === 'mismo@cliente.es')
      return mine.length === 4 ? mine.map(({ subject }) => subject) : null
    }, 'four mails')
    for (const cliente of ['mismo-a', 'mismo-b'])
      expect(subjects.filter((text) => text.includes(cliente))).toHaveLength(2)
  })
})

describe('enrolment', () => {
  test('needs a right code, and answers a session and ten recovery codes', async () => {
    const spent = await spend(await newLogin(panel, token, 'inscrito'))
    const step = spent.body.paso_token
    const wrong = await panel.access('/segundo-factor/inscribir', { paso_token: step, codigo: '000000' })
    expect(outcome(wrong)).toEqual([401, 'codigo_incorrecto'])
    expect(
      outcome(
        await panel.access('/segundo-factor', {
          paso_token: step,
          codigo: await codeOf(panel, spent.body.totp.secreto),
        }),
      ),
    ).toEqual([401, 'paso_invalido'])
    const done = await panel.access('/segundo-factor/inscribir', {
      paso_token: step,
      codigo: await codeOf(panel, spent.body.totp.secreto),
    })
    expect(done.status).toBe(200)
    expect(new Set(done.body.codigos_recuperacion).size).toBe(10)
    expect(done.headers.getSetCookie()[0]).toMatch(
      /^__Host-panel=[0-9A-Za-z]{65}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    expect(
      outcome(
        await panel.access('/segundo-factor/inscribir', {
          paso_token: step,
          codigo: await codeOf(panel, spent.body.totp.secreto, 1),
        }),
      ),
    ).toEqual([401, 'paso_invalido'])
    expect(await login('inscrito')).toMatchObject({
      estado: 'activo',
      segundo_factor: true,
      ultimo_acceso: expect.any(String),
    })
  })

  test('that was not finished is asked for at each sign-in, and its step opens nothing else', async () => {
    await spend(await newLogin(panel, token, 'a-medias'))
    const signIn = () => panel.access('/entrar', { correo: 'a-medias@cliente.es', contrasena: PASSWORD })
    const first = await signIn()
    const second = await signIn()
    expect([first.body.paso, second.body.paso]).toEqual(['inscribir', 'inscribir'])
    expect(outcome(await panel.api('GET', '/yo', { bearer: second.body.paso_token }))).toEqual([
      401,
      'credencial_invalida',
    ])
    const done = await panel.access('/segundo-factor/inscribir', {
      paso_token: second.body.paso_token,
      codigo: await codeOf(panel, second.body.totp.secreto),
    })
    expect(done.status).toBe(200)
  })

  test('is refused after ten minutes', async () => {
    const spent = await spend(await newLogin(panel, token, 'lento'))
    await panel.setClock(601)
    const late = await panel.access('/segundo-factor/inscribir', {
      paso_token: spent.body.paso_token,
      codigo: await codeOf(panel, spent.body.totp.secreto),
    })
    expect(outcome(late)).toEqual([401, 'paso_invalido'])
  })
})

describe('the link of the first admin', () => {
  test('needs the admin’s address, which any other link refuses', async () => {
    const other = await Panel.start({ env: ROOMY })
    try {
      const link = other.firstLink?.split('#')[1] ?? ''
      expect((await other.access('/enlace', { enlace: link })).body).toMatchObject({
        para: 'primero',
        rol: 'admin',
        correo: null,
      })
      const none = await other.access('/enlace/gastar', { enlace: link, contrasena: PASSWORD })
      expect(none.body.campos).toEqual([expect.objectContaining({ campo: 'correo', codigo: 'obligatorio' })])
      await other.kill()
      await other.up()
      expect(outcome(await other.access('/enlace', { enlace: link }))).toEqual([410, 'enlace_gastado'])
      await firstAdmin(other)
      await other.kill()
      await other.up()
      expect(other.firstLink).toBeNull()
    } finally {
      await other.stop()
    }
    const given = await panel.access('/enlace/gastar', {
      enlace: await newLogin(panel, token, 'con-correo'),
      contrasena: PASSWORD,
      correo: 'x@y.es',
    })
    expect(given.body.campos).toEqual([
      expect.objectContaining({ campo: 'correo', codigo: 'campo_desconocido' }),
    ])
  })
})

test('no link, step or factor that went out is in the database or the log', async () => {
  const link = await newLogin(panel, token, 'secretos')
  const spent = await spend(link)
  await enrol(panel, await newLogin(panel, token, 'secretos-2'), 'secretos-2@cliente.es')
  const kept = everything(panel) + panel.log
  for (const secret of [link, spent.body.paso_token, spent.body.totp.secreto, PASSWORD])
    expect(kept).not.toContain(secret)
  expect(
    rows<{ payload: string }>(panel, 'select payload from mails').every(
      ({ payload }) => !payload.includes('enlace'),
    ),
  ).toBe(true)
})
