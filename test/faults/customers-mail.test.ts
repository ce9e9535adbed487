import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
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
  await call('POST', '/clientes', { cliente: 'acme' })
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
  expect((await panel.fetch('/cron/envios', { method: 'POST', headers })).status).toBe(200)
}
const spool = () => readdirSync(join(root, '../../mail'))

test('a message of mail() goes through the operator’s server, and its envelope names the client', async () => {
  expect(await send('uno@cliente.es', '-fotro@x.es')).toBe('true')
  await passOn()
  expect(smtp.received).toHaveLength(1)
  expect(smtp.received[0]).toMatchObject({
    returnPath: 'panel+acme@host.es',
    recipients: ['uno@cliente.es', 'oculto@x.es'],
    subject: 'Un saludo',
    secure: true,
  })
  const raw = smtp.received[0]?.raw ?? ''
  expect(raw).toMatch(/^Date: /m)
  expect(raw).toMatch(/^Message-ID: <[0-9a-f-]+@host\.es>/m)
  expect(raw).toMatch(/^From: panel\+acme@host\.es/m)
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

test('while its client is suspended a message stays, and goes when it is not any more', async () => {
  await call('POST', '/clientes/acme/suspender')
  writeFileSync(join(root, '../../mail/1-espera'), 'espera@cliente.es\n\nSubject: x\n\ny')
  await passOn()
  expect(smtp.received).toEqual([])
  await call('POST', '/clientes/acme/activar')
  await passOn()
  expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['espera@cliente.es']])
})
