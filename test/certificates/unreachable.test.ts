import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { type Pebble, startPebble } from './pebble.ts'

let pebble: Pebble
let panel: Panel
let token: string

beforeAll(async () => {
  const http = await freePort()
  pebble = await startPebble(http)
  const env = { PANEL_HTTP_PORT: String(http), PANEL_RESOLVER: `udp://${pebble.dnsAddress}` }
  panel = await Panel.start({ env: { ...env, PANEL_ACME_URL: 'https://127.0.0.1:1/dir' } })
  token = await newToken(panel, await firstAdmin(panel))
}, 60_000)
afterAll(async () => {
  await pebble.stop()
  await panel.stop()
})

const siteIn = async (language: string) => {
  const options = { bearer: token, headers: { 'accept-language': language } }
  return (await panel.api('GET', '/sitios/uno.es', options)).body.https
}

test('an authority that cannot be reached is told of by its name, with the time of the next try, in the reader’s language', async () => {
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'acme' } })
  await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'acme', domain: 'uno.es' } })
  await panel.api('POST', '/sitios/uno.es/https', { bearer: token })
  const https = await eventually(
    async () => ((await siteIn('en')).error === null ? null : siteIn('en')),
    'the error of the certificate',
  )
  expect(https.estado).toBe('error')
  expect(https.error).toBe('The certificate authority 127.0.0.1:1 could not be reached.')
  expect(Date.parse(https.se_reintenta)).toBeGreaterThan(Date.now())
  expect((await siteIn('es-ES,en;q=0.5')).error).toBe(
    'No se pudo conectar con la autoridad de certificación 127.0.0.1:1.',
  )
}, 60_000)
