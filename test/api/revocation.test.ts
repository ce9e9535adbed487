import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import {
  codeOf,
  dayFromNow,
  enrol,
  firstAdmin,
  newToken,
  PASSWORD,
  type SignedIn,
} from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { newAdmin, newCustomer, outcome, ROOMY } from './people.ts'
import { count, plant, rows } from './store.ts'

setDefaultTimeout(60_000)

const NEW_PASSWORD = 'otra frase larga y rara 8'
let panel: Panel
let boss: SignedIn
/** A token of the first admin, which nothing here may revoke. */
let bystander: string
let admins = 0

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_CRON_SECRET: 'secreto-del-cron' } })
  boss = await firstAdmin(panel)
  bystander = await newToken(panel, boss, 'ajeno')
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

type Victim = SignedIn & { id: string; tokens: string[] }

/** An admin with two live tokens and one that it revoked itself. */
async function victim(): Promise<Victim> {
  const person = await newAdmin(panel, boss, `admin${++admins}@ejemplo.es`)
  const tokens = [
    await newToken(panel, person, `uno-${admins}`),
    await newToken(panel, person, `dos-${admins}`),
  ]
  return { ...person, tokens }
}

const ask = (bearer: string) => panel.api('GET', '/conexion', { bearer })
const mailsAbout = (name: string) =>
  count(panel, "select count(*) from mails where kind = 'tokens_revocados' and payload like ?", `%${name}%`)

/** `why` as stored; whoever was active when it happened is told, the victim included. */
async function expectRevoked({ tokens, email }: Victim, why: string): Promise<void> {
  for (const bearer of tokens) expect(outcome(await ask(bearer))).toEqual([401, 'token_revocado'])
  expect((await ask(bystander)).status).toBe(200)
  expect(
    count(panel, 'select count(*) from tokens where creator_email = ? and revoked_why = ?', email, why),
  ).toBe(2)
  const active = count(
    panel,
    "select count(*) from persons where role = 'admin' and email is not null and (active = 1 or email = ?)",
    email,
  )
  expect(mailsAbout(`uno-${admins}`)).toBe(active)
  const mail = await eventually(
    async () =>
      (await panel.mails()).find(({ to, text }) => to === boss.email && text.includes(`uno-${admins}`)) ??
      null,
    'the mail',
  )
  expect(mail.text).toContain(`dos-${admins}`)
  expect(mail.text + mail.html).not.toMatch(/cpt_[0-9A-Za-z]{9}/)
}

async function expectAlive({ tokens }: Victim): Promise<void> {
  for (const bearer of tokens) expect((await ask(bearer)).status).toBe(200)
}

describe("an admin's tokens die at the next request when", () => {
  test('it changes its own password; its other sessions end, this one stays', async () => {
    const person = await victim()
    const step = (await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD })).body
      .paso_token
    const other = await panel.access('/segundo-factor', {
      paso_token: step,
      codigo: await codeOf(panel, person.totp, 1),
    })
    const change = (actual: string, nueva: string) =>
      panel.api('PUT', '/yo/contrasena', { bearer: person.bearer, body: { actual, nueva } })
    expect(outcome(await change('no es esta frase', NEW_PASSWORD))).toEqual([403, 'contrasena_incorrecta'])
    expect(outcome(await change(PASSWORD, 'corta'))).toEqual([422, 'datos_invalidos'])
    await expectAlive(person)
    expect((await change(PASSWORD, NEW_PASSWORD)).body).toEqual({ cambiada: true })
    await expectRevoked(person, 'contrasena')
    expect((await ask(person.bearer)).status).toBe(200)
    expect(outcome(await ask(other.body.sesion))).toEqual([401, 'sesion_terminada'])
    expect(outcome(await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD }))).toEqual([
      401,
      'credenciales_incorrectas',
    ])
    expect((await panel.access('/entrar', { correo: person.email, contrasena: NEW_PASSWORD })).status).toBe(
      200,
    )
  })

  test('it replaces its second factor, once a code of the new one has been accepted', async () => {
    const person = await victim()
    const begin = (contrasena: string) =>
      panel.api('POST', '/yo/segundo-factor', { bearer: person.bearer, body: { contrasena } })
    expect(outcome(await begin('no es esta frase'))).toEqual([403, 'contrasena_incorrecta'])
    const offered = await begin(PASSWORD)
    const confirm = (codigo: string, paso_token = offered.body.paso_token) =>
      panel.api('POST', '/yo/segundo-factor/confirmar', {
        bearer: person.bearer,
        body: { paso_token, codigo },
      })
    expect(outcome(await confirm(await codeOf(panel, person.totp, 1)))).toEqual([401, 'codigo_incorrecto'])
    const others = await panel.api('POST', '/yo/segundo-factor/confirmar', {
      bearer: boss.bearer,
      body: { paso_token: offered.body.paso_token, codigo: '123456' },
    })
    expect(outcome(others)).toEqual([401, 'paso_invalido'])
    await expectAlive(person)
    const done = await confirm(await codeOf(panel, offered.body.totp.secreto, 1))
    expect(new Set(done.body.codigos_recuperacion).size).toBe(10)
    await expectRevoked(person, 'segundo_factor')
    const step = (await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD })).body
      .paso_token
    for (const old of [await codeOf(panel, person.totp, 1), person.recovery[0] ?? '']) {
      expect(outcome(await panel.access('/segundo-factor', { paso_token: step, codigo: old }))).toEqual([
        401,
        'codigo_incorrecto',
      ])
    }
    expect(
      (await panel.access('/segundo-factor', { paso_token: step, codigo: done.body.codigos_recuperacion[3] }))
        .status,
    ).toBe(200)
  })

  test('another admin removes its second factor, which it then enrols again', async () => {
    const person = await victim()
    const remove = (contrasena: string) =>
      panel.api('DELETE', `/personas/${person.id}/segundo-factor`, {
        bearer: boss.bearer,
        body: { contrasena },
      })
    expect(outcome(await remove('no es esta frase'))).toEqual([403, 'contrasena_incorrecta'])
    await expectAlive(person)
    expect((await remove(PASSWORD)).body).toMatchObject({ segundo_factor: false, tokens: 0 })
    await expectRevoked(person, 'segundo_factor')
    expect(outcome(await ask(person.bearer))).toEqual([401, 'sesion_terminada'])
    const again = await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD })
    expect(again.body).toMatchObject({ paso: 'inscribir', totp: { secreto: expect.any(String) } })
    expect(again.body.totp.secreto).not.toBe(person.totp)
  })

  test('it is disabled, by a person or by a token', async () => {
    const person = await victim()
    await panel.api('PATCH', `/personas/${person.id}`, { bearer: bystander, body: { activa: false } })
    await expectRevoked(person, 'desactivado')
    await panel.api('PATCH', `/personas/${person.id}`, { bearer: bystander, body: { activa: true } })
    for (const bearer of person.tokens) expect(outcome(await ask(bearer))).toEqual([401, 'token_revocado'])
  })

  test('a reset link from the command line is spent; its second factor stays', async () => {
    const person = await victim()
    const { lines } = await panel.command('admin', 'invitar', '--correo', person.email)
    expect(lines[0]).toMatchObject({ correo: person.email, para: 'restablecer' })
    await expectAlive(person)
    const spent = await panel.access('/enlace/gastar', {
      enlace: lines[0].enlace.split('#')[1],
      contrasena: NEW_PASSWORD,
    })
    expect(spent.body.paso).toBe('segundo_factor')
    await expectRevoked(person, 'contrasena')
    expect(outcome(await ask(person.bearer))).toEqual([401, 'sesion_terminada'])
    const inside = await panel.access('/segundo-factor', {
      paso_token: spent.body.paso_token,
      codigo: await codeOf(panel, person.totp, 1),
    })
    expect(inside.body.persona.rol).toBe('admin')
  })
})

describe('nothing is revoked', () => {
  test('by new recovery codes, a sign-in, a sign-out or a customer’s new password', async () => {
    const person = await victim()
    const codes = await panel.api('POST', '/yo/codigos-recuperacion', {
      bearer: person.bearer,
      body: { contrasena: PASSWORD },
    })
    expect(codes.body.codigos_recuperacion).toHaveLength(10)
    const step = (await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD })).body
      .paso_token
    expect(
      outcome(await panel.access('/segundo-factor', { paso_token: step, codigo: person.recovery[0] })),
    ).toEqual([401, 'codigo_incorrecto'])
    expect(
      (
        await panel.access('/segundo-factor', {
          paso_token: step,
          codigo: codes.body.codigos_recuperacion[0],
        })
      ).status,
    ).toBe(200)
    await panel.access('/salir', undefined, { cookie: person.cookie })
    const customer = await newCustomer(panel, bystander, 'clave')
    await panel.api('PUT', '/yo/contrasena', {
      bearer: customer.bearer,
      body: { actual: PASSWORD, nueva: NEW_PASSWORD },
    })
    await expectAlive(person)
    expect((await ask(bystander)).status).toBe(200)
  })

  test('where the change fails, since both are one transaction', async () => {
    const person = await victim()
    plant(
      panel,
      "create trigger refuse before update of revoked_at on tokens begin select raise(abort, 'canary'); end",
    )
    const broken = await panel.api('PUT', '/yo/contrasena', {
      bearer: person.bearer,
      body: { actual: PASSWORD, nueva: NEW_PASSWORD },
    })
    const disabled = await panel.api('PATCH', `/personas/${person.id}`, {
      bearer: bystander,
      body: { activa: false },
    })
    plant(panel, 'drop trigger refuse')
    for (const answer of [broken, disabled]) {
      expect(outcome(answer)).toEqual([500, 'error_interno'])
      expect(JSON.stringify(answer.body)).not.toContain('canary')
    }
    await expectAlive(person)
    expect((await ask(person.bearer)).status).toBe(200)
    expect((await panel.access('/entrar', { correo: person.email, contrasena: PASSWORD })).status).toBe(200)
    expect(
      outcome(await panel.access('/entrar', { correo: person.email, contrasena: NEW_PASSWORD })),
    ).toEqual([401, 'credenciales_incorrectas'])
  })
})

describe("a customer's second factor", () => {
  test('is removed by an admin with its own password only, and enrolled again at the next sign-in', async () => {
    const customer = await newCustomer(panel, bystander, 'factor')
    const remove = (bearer: string, contrasena: string) =>
      panel.api('DELETE', '/clientes/factor/acceso/segundo-factor', { bearer, body: { contrasena } })
    expect(outcome(await remove(bystander, PASSWORD))).toEqual([403, 'no_con_token'])
    expect(outcome(await remove(customer.bearer, PASSWORD))).toEqual([403, 'prohibido'])
    expect(outcome(await remove(boss.bearer, 'no es esta frase'))).toEqual([403, 'contrasena_incorrecta'])
    expect((await ask(customer.bearer)).status).toBe(200)
    expect((await remove(boss.bearer, PASSWORD)).body).toMatchObject({
      segundo_factor: false,
      estado: 'pendiente',
    })
    expect(outcome(await ask(customer.bearer))).toEqual([401, 'sesion_terminada'])
    const again = await panel.access('/entrar', { correo: customer.email, contrasena: PASSWORD })
    expect(again.body.paso).toBe('inscribir')
  })
})

describe('admins are mailed before a token in use expires', () => {
  const sweep = () =>
    panel.fetch('/cron/caducidad', { method: 'POST', headers: { authorization: 'Bearer secreto-del-cron' } })
  const warnings = (name: string) =>
    rows<{ payload: string; recipient: string }>(
      panel,
      "select payload, recipient from mails where kind = 'token_caduca' and payload like ? order by id",
      `%${name}%`,
    )

  test('30, 7 and 1 days before, once each; not for a token that was never used or is revoked', async () => {
    const life = 100
    const make = async (nombre: string) =>
      (
        await panel.api('POST', '/tokens', {
          bearer: boss.bearer,
          body: { nombre, caduca: dayFromNow(life) },
        })
      ).body
    const [used, unused, dead] = [await make('en-uso'), await make('sin-uso'), await make('muerto')]
    for (const { token } of [used, dead]) await ask(token)
    await eventually(
      async () =>
        count(
          panel,
          "select count(*) from tokens where name in ('en-uso', 'muerto') and last_used_at is not null",
        ) === 2,
      'the last use',
    )
    await panel.api('DELETE', `/tokens/${dead.id}`, { bearer: bystander })
    const told: (number | string)[][] = []
    for (const left of [31, 30, 29, 8, 7, 6, 2, 1, 0]) {
      await panel.setClock((life - left) * 86_400)
      for (let i = 0; i < 2; i++) expect((await sweep()).status).toBe(200)
      told.push([left, new Set(warnings('en-uso').map(({ payload }) => JSON.parse(payload).dias)).size])
    }
    expect(told).toEqual([
      [31, 0],
      [30, 1],
      [29, 1],
      [8, 1],
      [7, 2],
      [6, 2],
      [2, 2],
      [1, 3],
      [0, 3],
    ])
    expect([...new Set(warnings('en-uso').map(({ payload }) => JSON.parse(payload).dias))]).toEqual([
      '30',
      '7',
      '1',
    ])
    expect(warnings('en-uso').filter(({ recipient }) => recipient === boss.email)).toHaveLength(3)
    expect([warnings('sin-uso'), warnings('muerto')]).toEqual([[], []])
    expect(unused.estado).toBe('valido')
    const mail = await eventually(
      async () => (await panel.mails()).find(({ text }) => text.includes('en-uso')) ?? null,
      'the mail',
    )
    expect(mail.text).toContain(used.pista)
    expect(mail.text).not.toContain(used.token)
  })

  test('once, also where the panel did not run on that day', async () => {
    // The test before moved the clock, which had all sessions forgotten.
    const { lines } = await panel.command('admin', 'invitar', '--correo', 'tarde@ejemplo.es')
    const late = await enrol(panel, lines[0].enlace.split('#')[1], 'tarde@ejemplo.es')
    const made = await panel.api('POST', '/tokens', {
      bearer: late.bearer,
      body: { nombre: 'tarde', caduca: dayFromNow(90) },
    })
    await ask(made.body.token)
    await eventually(
      async () =>
        count(panel, "select count(*) from tokens where name = 'tarde' and last_used_at is not null") === 1,
      'the last use',
    )
    await panel.setClock((90 - 5) * 86_400)
    await sweep()
    await sweep()
    expect(new Set(warnings('tarde').map(({ payload }) => JSON.parse(payload).dias))).toEqual(new Set(['5']))
  })
})

test('an admin invited from the command line signs up with that link', async () => {
  const { lines, status } = await panel.command('admin', 'invitar', '--correo', 'Terminal@ejemplo.es')
  expect([status, lines[0].para, lines[0].correo]).toEqual([0, 'invitar', 'Terminal@ejemplo.es'])
  const signedUp = await enrol(panel, lines[0].enlace.split('#')[1], 'Terminal@ejemplo.es')
  expect((await ask(signedUp.bearer)).body.credencial.rol).toBe('admin')
  const trail = await panel.api('GET', '/auditoria?operacion=panel%20admin', { bearer: bystander })
  expect(trail.body.datos[0]).toMatchObject({ operacion: 'panel admin invitar', actor: { tipo: 'sistema' } })
})
