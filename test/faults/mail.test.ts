import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { newClient, outcome, ROOMY } from '../api/people.ts'
import { count, everything, rows } from '../api/store.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { SLOW_MS, SMTP_PASSWORD, SmtpSink, USER } from './smtp.ts'

setDefaultTimeout(60_000)

let panel: Panel
let smtp: SmtpSink
let admin: SignedIn
let token: string

beforeAll(async () => {
  smtp = await SmtpSink.start()
  const { caPath } = await loopbackCertificate()
  panel = await Panel.start({
    env: {
      ...ROOMY,
      PANEL_SMTP_URL: smtp.url,
      PANEL_MAIL_FROM: 'Panel <panel@host.es>',
      NODE_EXTRA_CA_CERTS: caPath,
      PANEL_CRON_SECRET: 'secreto-del-cron',
    },
  })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(async () => {
  smtp.mood = 'takes'
  await panel.setClock(0)
})
afterAll(async () => {
  await panel.stop()
  await smtp.stop()
})

const mailRow = (address: string) =>
  rows<{ state: string; attempts: number; next_at: number; error: string | null }>(
    panel,
    'select state, attempts, next_at, error from mails where recipient = ? order by id desc limit 1',
    address,
  )[0]
const run = async () => {
  const answer = await panel.fetch('/cron/correo', {
    method: 'POST',
    headers: { authorization: 'Bearer secreto-del-cron' },
  })
  expect(answer.status).toBe(200)
}
const login = async (cliente: string) =>
  (await panel.api('GET', `/clientes/${cliente}/acceso`, { bearer: token })).body

/** A client with a login, whose activation mail is on its way; answers its address. */
async function invite(cliente: string, idioma?: 'es' | 'en'): Promise<string> {
  await newClient(panel, token, cliente)
  const correo = `${cliente}@cliente.es`
  const made = await panel.api('POST', `/clientes/${cliente}/acceso`, {
    bearer: token,
    body: { correo, ...(idioma ? { idioma } : {}) },
  })
  expect(made.status).toBe(201)
  return correo
}
const delivered = (address: string, n = 1) =>
  eventually(async () => smtp.to(address)[n - 1] ?? null, `mail ${n} to ${address}`)
const recorded = (address: string, state: string) =>
  eventually(async () => mailRow(address)?.state === state, `${address} ${state}`)
const tried = (address: string, attempts: number) =>
  eventually(
    async () =>
      mailRow(address)?.attempts === attempts && mailRow(address)?.state !== 'enviando'
        ? (mailRow(address) ?? null)
        : null,
    `try ${attempts} to ${address}`,
  )

describe('a mail', () => {
  test.each([
    [
      'es',
      'Su alojamiento idioma-es en localhost está listo: active su acceso',
      'Activar mi acceso',
      'lang="es"',
    ],
    [
      'en',
      'Your hosting idioma-en at localhost is ready: activate your login',
      'Activate my login',
      'lang="en"',
    ],
  ] as const)(
    'in %s is text and HTML, over TLS, signed in, from the configured address',
    async (idioma, subject, button, lang) => {
      const mail = await delivered(await invite(`idioma-${idioma}`, idioma))
      expect([mail.subject, mail.secure, mail.user]).toEqual([subject, true, USER])
      expect(mail.raw).toMatch(/^From: "?Panel"? <panel@host\.es>$/m)
      expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated/m)
      expect(mail.raw).toMatch(/^Content-Type: multipart\/alternative/m)
      expect(mail.raw).toMatch(new RegExp(`^Content-Language: ${idioma}`, 'm'))
      expect(mail.html).toContain(button)
      expect(mail.html).toContain(lang)
      expect(mail.html).toContain(`href="${panel.origin}/enlace#${mail.link}"`)
      expect(mail.html).not.toMatch(/<img|<script|https?:\/\/(?!localhost)/)
      expect(mail.messageId).toMatch(/^<cor_[0-9A-Z]{26}@localhost>$/)
    },
  )

  test('that begins a customer’s time here greets it, and says how to connect its domain', async () => {
    const body = { correo: 'ana@alta.es', nombre: 'Ana <b>&', domain: 'alta.es', idioma: 'en' }
    expect((await panel.api('PUT', '/altas/alta:1', { bearer: token, body })).status).toBe(201)
    const { text, html } = await delivered('ana@alta.es')
    expect(text).toContain('Hello Ana <b>&,')
    expect(html).not.toContain('<b>')
    expect(text).toContain('name servers ns1.panel.test, ns2.panel.test')
    expect(text).toContain('for alta.es, www.alta.es: A 127.0.0.1.')
    expect(text).toContain(`localhost · ${panel.origin}`)
    const bare = await delivered(await invite('sin-sitio', 'en'))
    expect(bare.text).toContain('Hello,')
    expect(bare.text).not.toMatch(/\{|Two steps|Connect/)
  })

  test('starts the hour of its link when it is handed over, and not before', async () => {
    smtp.mood = 'defers'
    const address = await invite('hora')
    await tried(address, 1)
    expect((await login('hora')).enlace).toEqual({ estado: 'en_cola', caduca: null })
    smtp.mood = 'takes'
    await panel.setClock(3600)
    await run()
    const mail = await delivered(address)
    await recorded(address, 'enviado')
    const { estado, caduca } = (await login('hora')).enlace
    expect(estado).toBe('enviado')
    expect(Date.parse(caduca) - Date.now()).toBeWithin(7_190_000, 7_201_000)
    await panel.setClock(3600 + 3590)
    expect((await panel.access('/enlace', { enlace: mail.link })).status).toBe(200)
  })

  test('that a newer link made void never goes out', async () => {
    smtp.mood = 'defers'
    const address = await invite('anulado')
    await tried(address, 1)
    await panel.api('POST', '/clientes/anulado/acceso/restablecer', { bearer: token })
    smtp.mood = 'takes'
    await panel.setClock(120)
    await run()
    await recorded(address, 'enviado')
    expect(smtp.to(address)).toHaveLength(1)
    expect((await panel.access('/enlace', { enlace: smtp.to(address)[0]?.link })).status).toBe(200)
    expect(
      rows(panel, "select state from mails where recipient = ? and state = 'anulado'", address),
    ).toHaveLength(1)
  })
})

describe('a server', () => {
  test('that greylists gets the same message again: same Message-ID, same link, once', async () => {
    smtp.mood = 'defers'
    const address = await invite('gris')
    await tried(address, 1)
    smtp.mood = 'takes'
    await run()
    expect(smtp.to(address)).toHaveLength(0)
    await panel.setClock(31)
    await run()
    await delivered(address)
    await recorded(address, 'enviado')
    await panel.setClock(7200)
    await run()
    expect(smtp.to(address)).toHaveLength(1)
    expect(mailRow(address)?.attempts).toBe(2)
  })

  test('whose acknowledgement was lost gets it twice, with the same Message-ID and link', async () => {
    smtp.mood = 'drops'
    const address = await invite('perdido')
    await delivered(address)
    await tried(address, 1)
    expect((await login('perdido')).enlace.estado).toBe('en_cola')
    smtp.mood = 'takes'
    await panel.setClock(31)
    await run()
    const second = await delivered(address, 2)
    const [first] = smtp.to(address)
    expect([second.messageId, second.link, second.subject]).toEqual([
      first?.messageId ?? '',
      first?.link ?? '',
      first?.subject ?? '',
    ])
    expect((await panel.access('/enlace', { enlace: second.link })).status).toBe(200)
  })

  test('that refuses is tried after 30 s, 2, 5 and 15 minutes, then hourly for a day, then given up', async () => {
    smtp.mood = 'refuses'
    const address = await invite('negado')
    let clock = 0
    const delays: number[] = []
    for (let attempt = 1; attempt <= 28; attempt++) {
      const row = await tried(address, attempt)
      const delay = Math.round((row.next_at - Date.now()) / 1000 - clock)
      delays.push(delay)
      clock += delay + 1
      await panel.setClock(clock)
      await run()
    }
    const near = (value: number, wanted: number) => Math.abs(value - wanted) <= 3
    const wanted = [30, 120, 300, 900, ...Array(24).fill(3600)]
    expect(delays.filter((value, i) => !near(value, wanted[i] ?? 0))).toEqual([])
    await recorded(address, 'fallido')
    expect(mailRow(address)?.attempts).toBe(29)
    expect((await login('negado')).enlace).toEqual({ estado: 'fallido', caduca: null })
    await panel.setClock(clock + 7200)
    await run()
    expect(mailRow(address)?.attempts).toBe(29)
    smtp.mood = 'takes'
    await panel.api('POST', '/clientes/negado/acceso/restablecer', { bearer: token })
    expect((await delivered(address)).link).not.toBeNull()
  })

  test('that refuses quoting the message leaves its link neither in the database nor in the log', async () => {
    smtp.mood = 'quotes'
    const address = await invite('citado')
    const row = await tried(address, 1)
    expect(JSON.parse(row.error ?? '')).toMatchObject({ codigo: 'correo_no_enviado', datos: 'SMTP 554' })
    const { link } = await delivered(address)
    expect(link).not.toBeNull()
    expect(everything(panel) + panel.log).not.toContain(link ?? '')
  })

  test('that is slow holds up no request, and gets each message once', async () => {
    smtp.mood = 'slow'
    const started = performance.now()
    const addresses = [await invite('lento-uno'), await invite('lento-dos')]
    for (let at = 0; at < 20; at++)
      expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(SLOW_MS)
    // Asked to send meanwhile, by the scheduler too, nobody hands over what is being handed over.
    await run()
    for (const address of addresses) {
      await delivered(address)
      await recorded(address, 'enviado')
      expect([smtp.to(address).length, mailRow(address)?.attempts]).toEqual([1, 1])
    }
  })

  test('that is down holds up nothing and loses nothing', async () => {
    const other = await SmtpSink.start()
    const port = other.port
    await other.stop()
    await panel.kill()
    await panel.up({ PANEL_SMTP_URL: `smtp://${encodeURIComponent(USER)}:x@localhost:${port}` })
    const address = await invite('caido')
    await tried(address, 1)
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
    await panel.kill()
    await panel.up()
    await panel.setClock(31)
    await run()
    await delivered(address)
  })

  test('without encryption is never told the password', async () => {
    const plain = await SmtpSink.start({ starttls: false })
    await panel.kill()
    await panel.up({ PANEL_SMTP_URL: plain.url })
    const address = await invite('en-claro')
    const row = await tried(address, 1)
    expect(row.state).toBe('en_cola')
    expect([plain.leaked, plain.received]).toEqual([[], []])
    await panel.kill()
    await panel.up()
    await plain.stop()
  })

  test('with a certificate that nobody trusts is never told the password', async () => {
    await panel.kill()
    await panel.up({ NODE_EXTRA_CA_CERTS: '' })
    const before = smtp.tries
    const row = await tried(await invite('sin-confianza'), 1)
    expect([row.state, smtp.tries]).toEqual(['en_cola', before])
    await panel.kill()
    await panel.up()
  })
})

describe('a panel killed', () => {
  async function killedAt(point: string, cliente: string): Promise<string> {
    await panel.kill()
    await panel.up({ PANEL_TEST_KILL: `correo:entregar:${point}` })
    const address = await invite(cliente).catch(() => `${cliente}@cliente.es`)
    await panel.died()
    await panel.up()
    return address
  }

  test('before it hands a mail over sends it once, at once when it is back', async () => {
    // By the panel's own clock: no lease runs out meanwhile.
    const address = await killedAt('before', 'muere-antes')
    await delivered(address)
    await recorded(address, 'enviado')
    expect(smtp.to(address)).toHaveLength(1)
    expect((await login('muere-antes')).enlace.estado).toBe('enviado')
  })

  test('after the server accepted it, before that was recorded, sends it again as the same message', async () => {
    const address = await killedAt('after', 'muere-despues')
    const second = await delivered(address, 2)
    await recorded(address, 'enviado')
    const [first] = smtp.to(address)
    expect([second.messageId, second.link]).toEqual([first?.messageId ?? '', first?.link ?? ''])
    await panel.setClock(7200)
    await run()
    expect(smtp.to(address)).toHaveLength(2)
  })
})

test('the doctor signs in to the mail server, and a server that refuses or is silent is a fault in words without the password', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const closed = await freePort()
  const wrong = 'canary-wrong'
  const cases: [string, string | null][] = [
    [smtp.url, null],
    [smtp.url.replace(encodeURIComponent(SMTP_PASSWORD), wrong), 'refuses the user name or password'],
    [`smtp://localhost:${closed}`, 'cannot be reached'],
    [`smtp://127.0.0.1:${silent.port}`, 'does not answer'],
    [`smtps://${USER.split('@')[0]}:${wrong}@localhost:${smtp.port}`, 'PANEL_SMTP_URL'],
  ]
  const found = await Promise.all(
    cases.map(async ([PANEL_SMTP_URL]) => {
      const { status, lines, error } = await panel.commandWith({ PANEL_SMTP_URL }, 'doctor')
      expect(JSON.stringify(lines) + error).not.toMatch(/canary/)
      return { status, ...lines[0].find((one: Json) => one.comprobacion === 'correo') }
    }),
  )
  silent.stop(true)
  for (const [at, [, words]] of cases.entries()) {
    expect(found[at]).toEqual(
      words === null
        ? { status: 0, comprobacion: 'correo', estado: 'bien', bien: true, consejo: null }
        : {
            status: 1,
            comprobacion: 'correo',
            estado: 'fallo',
            bien: false,
            consejo: expect.stringContaining(words),
          },
    )
  }
})

test('the node says that mail is sent, and the server’s words and password stay out of answers and log', async () => {
  const { body } = await panel.api('GET', '/nodos/nodo1', { bearer: token })
  expect(body.servicios).toContainEqual(
    expect.objectContaining({ servicio: 'correo', estado: 'activo', consejo: null }),
  )
  expect(outcome(await panel.api('GET', '/clientes/negado/acceso', { bearer: token }))).toEqual([
    200,
    undefined,
  ])
  const secrets = smtp.received.flatMap(({ link }) => (link ? [link] : []))
  expect(secrets.length).toBeGreaterThan(6)
  const kept = everything(panel) + panel.log
  for (const secret of [...secrets, SMTP_PASSWORD]) expect(kept).not.toContain(secret)
  expect(count(panel, "select count(*) from mails where state = 'enviando'")).toBe(0)
})
