import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rows } from '../api/store.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { SmtpSink } from './smtp.ts'

setDefaultTimeout(60_000)

const SECRET = 'secreto-del-cron'
let panel: Panel
let smtp: SmtpSink
let token: string
let root: string

/** As forms send: what is asked for decides the recipient and the further arguments of sendmail. */
const FORM = `<?php
echo var_export(mail($_GET['to'], 'Un saludo', "hola\\n.\\nadiós", ['Bcc' => 'oculto@x.es'], $_GET['more'] ?? ''), true);
`

beforeAll(async () => {
  smtp = await SmtpSink.start()
  const { caPath } = await loopbackCertificate()
  panel = await Panel.start({
    env: {
      PANEL_SMTP_URL: smtp.url,
      PANEL_MAIL_FROM: 'Panel <panel@host.es>',
      PANEL_CRON_SECRET: SECRET,
      NODE_EXTRA_CA_CERTS: caPath,
    },
  })
  token = await newToken(panel, await firstAdmin(panel))
  await call('POST', '/clientes', { cliente: 'acme', correo: 'a@acme.es' })
  root = (await call('POST', '/sitios', { cliente: 'acme', domain: 'uno.es' })).body.raiz
  writeFileSync(join(root, 'form.php'), FORM, { mode: 0o644 })
})
afterEach(() => {
  smtp.mood = 'takes'
  smtp.received.length = 0
})
afterAll(async () => {
  await panel.stop()
  await smtp.stop()
})

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

async function send(to: string, more = ''): Promise<string> {
  const query = new URLSearchParams({ to, more })
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/form.php?${query}`, {
    headers: { host: 'uno.es' },
  })
  return answer.text()
}

/** In the panel's own process, which knows what was tried already; its scheduler may have been at it just before. */
async function passOn(): Promise<void> {
  const headers = { authorization: `Bearer ${SECRET}` }
  const run = async () => (await panel.fetch('/cron/envios', { method: 'POST', headers })).json()
  await eventually(async () => (await run()).ejecutada, 'a run that the scheduler is not at')
}
const spool = () => readdirSync(join(root, '../../mail'))

test('a message of mail() goes through the operator’s server, and its envelope names the client', async () => {
  expect(await send('uno@cliente.es', '-fotro@x.es')).toBe('true')
  await passOn()
  expect(smtp.received).toHaveLength(1)
  expect(smtp.received[0]).toMatchObject({
    returnPath: 'cliente+acme@localhost',
    recipients: ['uno@cliente.es', 'oculto@x.es'],
    subject: 'Un saludo',
    secure: true,
  })
  const raw = smtp.received[0]?.raw ?? ''
  expect(raw).toMatch(/^Date: /m)
  expect(raw).toMatch(/^Message-ID: <[0-9a-f-]+@localhost>/m)
  expect(raw).toMatch(/^From: cliente\+acme@localhost/m)
  expect(raw).not.toContain('Bcc')
  expect(raw.replaceAll('\r', '')).toEndWith('hola\n.\nadiós\n')
  expect(spool()).toEqual([])
})

test('a message that the server refuses for good stays for the customer to see, and is not retried', async () => {
  smtp.mood = 'refuses'
  expect(await send('nadie@cliente.es')).toBe('true')
  await passOn()
  expect(spool()).toEqual([expect.stringMatching(/^unsent-/)])
  smtp.mood = 'takes'
  await passOn()
  expect(smtp.received).toEqual([])
})

test('a message that the server defers is retried a minute later, and arrives once', async () => {
  smtp.mood = 'defers'
  await send('luego@cliente.es')
  await passOn()
  smtp.mood = 'takes'
  await passOn()
  expect(smtp.received).toEqual([])
  await panel.setClock(61)
  await passOn()
  await passOn()
  expect(smtp.received.map(({ recipients }) => recipients[0])).toEqual(['luego@cliente.es'])
})

test.each(['Panel <panel@host.es>', '"x"\n <PANEL@host.es>'])(
  'a message in the panel’s own name is not sent: %p',
  async (from) => {
    writeFileSync(join(root, '../../mail/2-suyo'), `a@cliente.es\n\nFrom: ${from}\nSubject: x\n\ny`)
    await passOn()
    expect(smtp.received).toEqual([])
    expect(spool()).toContain('unsent-2-suyo')
    expect(spool()).not.toContain('2-suyo')
  },
)

test('a message waits while the server is misconfigured, and is sent once that is fixed', async () => {
  smtp.mood = 'sender'
  await send('ajuste@cliente.es')
  await passOn()
  smtp.mood = 'takes'
  await panel.setClock(200)
  await passOn()
  expect(smtp.received.map(({ recipients }) => recipients[0])).toEqual(['ajuste@cliente.es'])
})

test('what a suspended client left is not sent, then or later', async () => {
  await call('POST', '/clientes/acme/suspender')
  writeFileSync(join(root, '../../mail/1-espera'), 'espera@cliente.es\n\nSubject: x\n\ny')
  await passOn()
  await call('POST', '/clientes/acme/activar')
  await passOn()
  expect(smtp.received).toEqual([])
  expect(spool()).toContain('unsent-1-espera')
})

describe('a plan of so many recipients a day', () => {
  const used = async () => (await call('GET', '/clientes/acme/uso')).body.consumo.correos_dia
  /** PHP's own file of messages is emptied into the site's log at any time. */
  const logged = async (text: string) => {
    const { datos } = (await call('GET', '/sitios/uno.es/bitacora?tipo=php')).body
    return (datos as { texto: string }[]).some(({ texto }) => texto === text)
  }

  test('is held to: over it mail() fails at once and says why, and `uso` tells', async () => {
    await panel.setClock(3 * 86_400)
    await call('POST', '/planes', { plan: 'cinco', correos_dia: 5 })
    const given = await call('POST', '/clientes/acme/plan', { plan: 'cinco' })
    expect(given.body.limites.correos_dia).toBe(5)
    // Each of these goes to two.
    expect([await send('uno@cliente.es'), await send('dos@cliente.es')]).toEqual(['true', 'true'])
    expect(await send('tres@cliente.es')).toBe('false')
    const why = 'sendmail: the limit of recipients in 24 hours is reached'
    await eventually(() => logged(why), 'why mail() failed in the log of the site')
    await passOn()
    expect(smtp.received.flatMap(({ recipients }) => recipients)).toHaveLength(4)
    expect(await used()).toMatchObject({ usado: 4, limite: 5, nivel: 'aviso' })
    expect(await send('tres@cliente.es')).toBe('false')
  })

  test('is held to by the panel where a program goes around sendmail, also after a start', async () => {
    for (const name of ['1-a', '1-b']) {
      writeFileSync(join(root, `../../mail/${name}`), `${name}@cliente.es\n\nSubject: x\n\ny`)
    }
    await passOn()
    // The notice to the client may be there already.
    expect([smtp.to('1-b@cliente.es'), spool().includes('1-a')]).toEqual([[], false])
    expect(await used()).toMatchObject({ usado: 5, nivel: 'superado' })
    await panel.kill()
    await panel.up()
    await passOn()
    expect(spool()).toContain('1-b')
    expect(await send('tres@cliente.es')).toBe('false')
    const excess = await call('POST', '/clientes/acme/plan', { plan: null })
    expect(excess.body.excesos).toEqual([])
    await call('PATCH', '/planes/cinco', { correos_dia: 2 })
    expect((await call('POST', '/clientes/acme/plan', { plan: 'cinco' })).body.excesos).toEqual([
      { recurso: 'correos_dia', usado: 5, limite: 2 },
    ])
  })

  test('tells the client once that it is used up', async () => {
    const command = await panel.command('cron', 'correo')
    expect(command.status).toBe(0)
    expect(rows(panel, "select recipient from mails where kind = 'correos_agotados'")).toEqual([
      { recipient: 'a@acme.es' },
    ])
  })

  test('has room again a day later, and what waited goes first', async () => {
    await panel.setClock(4 * 86_400 + 60)
    await passOn()
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['1-b@cliente.es']])
    await call('POST', '/clientes/acme/plan', { plan: null })
    expect(await send('uno@cliente.es')).toBe('true')
  })
})
