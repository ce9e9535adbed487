import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import { newClient, ROOMY } from '../api/people.ts'
import { count, everything, plant } from '../api/store.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Answer, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

/** One recognisable value for each secret that somebody could submit or configure. */
const CANARY = {
  password: 'canary-password-una frase',
  wrong: 'canary-wrong-otra frase',
  credential: 'canary-credential-0123456789',
  cron: 'canary-cron-secret',
  smtp: 'canary-smtp-password',
  bearer: 'canary-bearer-value',
  cookie: 'canary-cookie-value',
  step: 'canary-step-token',
  link: 'canary-link-value',
  field: 'canary-unknown-field-value',
  body: 'canary-broken-body',
}

let panel: Panel
let admin: SignedIn
let token: string
let answers = ''

beforeAll(async () => {
  const { caPath } = await loopbackCertificate()
  panel = await Panel.start({
    env: {
      ...ROOMY,
      PANEL_CRON_SECRET: CANARY.cron,
      PANEL_SMTP_URL: `smtp://u:${CANARY.smtp}@127.0.0.1:9`,
      NODE_EXTRA_CA_CERTS: caPath,
    },
  })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterAll(() => panel.stop())

function note(answer: Answer): Answer {
  answers += JSON.stringify([answer.body, [...answer.headers]])
  return answer
}
const api = async (
  method: string,
  path: string,
  body?: object,
  bearer = admin.bearer,
  headers: Record<string, string> = {},
) => note(await panel.api(method, path, { bearer, headers, ...(body ? { body } : {}) }))
const access = async (path: string, body: object, headers: Record<string, string> = {}) =>
  note(await panel.access(path, body, headers))

/** Everything that the panel keeps in files of its own, but for what is sealed or the key ring itself. */
function files(): string {
  const names = readdirSync(panel.dataDir, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile() && entry.name !== 'keys')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('submitted secrets are in no answer, log line, file or row, whatever is done with them', async () => {
  const bad = { contrasena: CANARY.wrong }
  await newClient(panel, token, 'canario')
  await access('/entrar', { correo: admin.email, contrasena: CANARY.wrong })
  await access('/entrar', { correo: `${CANARY.wrong.replaceAll(' ', '')}@x.es`, contrasena: CANARY.password })
  await access('/entrar', { correo: [CANARY.field], contrasena: { a: CANARY.password } })
  await access('/enlace', { enlace: CANARY.link })
  await access('/enlace/gastar', { enlace: CANARY.link, contrasena: CANARY.password, otro: CANARY.field })
  await access('/segundo-factor', { paso_token: CANARY.step, codigo: '123456' })
  await access('/renovar', {}, { cookie: `__Host-panel=${CANARY.cookie}` })
  await api('GET', '/conexion', undefined, CANARY.bearer)
  await api('GET', '/conexion', undefined, token, { cookie: `__Host-panel=${CANARY.cookie}` })
  await api('PUT', '/clientes/canario/correo', { correo: 'x@y.es', ...bad })
  await api('PUT', '/yo/contrasena', { actual: CANARY.wrong, nueva: CANARY.password })
  await api('POST', '/yo/segundo-factor', bad)
  await api('POST', '/yo/codigos-recuperacion', bad)
  await api('POST', '/clientes', { cliente: 'x', [CANARY.field]: 1, contrasena: CANARY.password }, token)
  await api('POST', '/clientes', { cliente: 'x', contrasena: { profunda: [CANARY.password] } }, token)
  await api('PUT', '/dns/proveedor', {
    tipo: 'powerdns',
    credencial: CANARY.credential,
    url: 'https://127.0.0.1:9',
  })
  await api('PUT', '/dns/proveedor', { tipo: 'nadie', credencial: CANARY.credential })
  await api('PUT', '/dns/proveedor', { tipo: 'powerdns', credencial: `${CANARY.credential}\n` })
  note(
    await panel.api('POST', '/clientes', {
      bearer: token,
      raw: `{"cliente":"${CANARY.body}`,
      headers: { 'content-type': 'application/json' },
    }),
  )
  note(
    await panel.api('POST', '/clientes', {
      bearer: token,
      raw: CANARY.body,
      headers: { 'content-type': 'text/plain' },
    }),
  )
  for (const secret of [CANARY.cron, `${CANARY.cron}x`]) {
    await panel.fetch('/cron/caducidad', { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
  }
  const kept = answers.replaceAll(CANARY.field, '-field-') + everything(panel) + panel.log + files()
  for (const secret of Object.values(CANARY)) expect(kept).not.toContain(secret)
  // Only the name of an unknown field comes back, to whoever sent it.
  expect(answers).toContain(CANARY.field)
  expect(panel.log + everything(panel)).not.toContain(CANARY.field)
})

test('issued secrets are in no other answer, log line, file or row', async () => {
  const customer = await eventually(async () => {
    // Mail does not go out here, so its link is taken from where the panel would render it: the command line.
    const { lines } = await panel.command('admin', 'invitar', '--correo', 'canario@ejemplo.es')
    return lines[0]?.enlace as string
  }, 'a link')
  const link = customer.split('#')[1] ?? ''
  const spent = await panel.access('/enlace/gastar', { enlace: link, contrasena: CANARY.password })
  for (const handler of handlers.filter(
    ({ method, access: who }) => method === 'GET' && who.kind === 'bearer',
  )) {
    await api('GET', fullPath(handler).slice(4).replace(/:\w+/g, 'canario'))
  }
  const kept = answers + everything(panel) + panel.log + files()
  for (const secret of [
    link,
    spent.body.paso_token,
    spent.body.totp.secreto,
    token,
    admin.bearer,
    admin.totp,
    admin.recovery[0] ?? '',
    admin.cookie.split('=')[1] ?? '',
  ]) {
    expect(secret.length).toBeGreaterThan(9)
    expect(kept).not.toContain(secret)
  }
})

test('a fault of the database shows neither the statement nor its values, and is in the log once', async () => {
  plant(
    panel,
    "create trigger fault before insert on clients begin select raise(abort, 'planted fault'); end",
  )
  const { status, body } = await panel.api('POST', '/clientes', {
    bearer: token,
    body: { cliente: 'canary-value', nombre: 'canary-value' },
  })
  plant(panel, 'drop trigger fault')
  expect([status, body.codigo, body.detail]).toEqual([
    500,
    'error_interno',
    'The panel failed; the fault was logged.',
  ])
  expect(JSON.stringify(body)).not.toMatch(/canary|planted|insert|clients/)
  const lines = await eventually(async () => {
    const found = panel.log.split('\n').filter((line) => line.includes(body.peticion))
    return found.length > 0 ? found : null
  }, 'the line')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', reason: 'planted fault' })
  expect(panel.log).not.toContain('canary-value')
  expect(
    count(
      panel,
      "select count(*) from audit where request_id = ? and outcome = 'error_interno'",
      body.peticion,
    ),
  ).toBe(1)
})

test('a scheduled handler that fails tells why without the values, and goes on at its next run', async () => {
  plant(panel, "create trigger fault before update on mails begin select raise(abort, 'planted fault'); end")
  await newCustomerRow()
  const failed = await panel.fetch('/cron/correo', {
    method: 'POST',
    headers: { authorization: `Bearer ${CANARY.cron}` },
  })
  plant(panel, 'drop trigger fault')
  expect(failed.status).toBe(500)
  expect(await failed.text()).not.toContain('canary')
  const { lines } = await panel.command('cron')
  const listed = lines[0].find(({ nombre }: { nombre: string }) => nombre === 'correo')
  expect(listed.error ?? '').not.toMatch(/planted fault|canary/)
  expect(panel.log).not.toContain('canary-recipient')
  const again = await panel.fetch('/cron/correo', {
    method: 'POST',
    headers: { authorization: `Bearer ${CANARY.cron}` },
  })
  expect(again.status).toBe(200)
})

async function newCustomerRow(): Promise<void> {
  plant(
    panel,
    "insert into mails (id, kind, recipient, language, payload, state, next_at, created_at) values ('cor_fault', 'correo_cambiado', 'canary-recipient@x.es', 'es', '{}', 'en_cola', 0, 0)",
  )
}

test('a customer learns nothing of how the panel failed', async () => {
  plant(panel, "create trigger fault before insert on sites begin select raise(abort, 'planted fault'); end")
  const { status, body } = await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'canario', domain: 'canario.es' },
  })
  plant(panel, 'drop trigger fault')
  expect([status, body.codigo]).toEqual([500, 'error_interno'])
  expect((await panel.api('GET', '/sitios/canario.es', { bearer: token })).status).toBe(404)
  expect((await panel.api('GET', '/zonas/canario.es', { bearer: token })).status).toBe(404)
})
