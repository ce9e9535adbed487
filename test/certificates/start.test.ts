import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { newClient } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
})
afterAll(() => panel.stop())

/** The names on the certificate that a visitor of a name is shown. */
const namesShown = (servername: string) =>
  new Promise<string | undefined>((resolve, reject) => {
    const target = { host: '127.0.0.1', port: panel.httpsPort, servername, rejectUnauthorized: false }
    const socket = connect(target, () => {
      resolve(socket.getPeerX509Certificate()?.subjectAltName)
      socket.destroy()
    })
    socket.on('error', reject)
  })

test('a site that an earlier version served without a certificate of its own has one after a start', async () => {
  await newClient(panel, token, 'antes')
  await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'antes', domain: 'antes.es', aliases: [] },
  })
  expect(await namesShown('antes.es')).toBe('DNS:antes.es')
  await panel.kill()
  const [site] = rows<{ id: number }>(panel, "select id from sites where domain = 'antes.es'")
  const certificates = join(panel.dataDir, 'web/t')
  for (const name of ['antes.es', `s-${site?.id}`]) await rm(join(certificates, name))
  plant(panel, "update sites set certificate_names = '[]', certificate_expires_at = null")
  expect(await namesShown('antes.es').catch(() => 'none')).not.toBe('DNS:antes.es')
  await panel.up()
  await eventually(async () => (await namesShown('antes.es').catch(() => '')) === 'DNS:antes.es', 'its own')
  const { body } = await panel.api('GET', '/sitios/antes.es', { bearer: token })
  expect([body.https.nombres, body.https.caduca]).toEqual([['antes.es'], expect.any(String)])
})

test('the connection tells whether the certificate is the panel’s own, which programs have to be given', async () => {
  const own = async () => (await panel.api('GET', '/conexion', { bearer: token })).body.autofirmado
  expect(await own()).toBe(true)
  const { ca, cert, key } = await loopbackCertificate()
  const PANEL_TLS_CERT = join(panel.dataDir, 'signed.pem')
  const PANEL_TLS_KEY = join(panel.dataDir, 'signed.key')
  await writeFile(PANEL_TLS_CERT, cert)
  await writeFile(PANEL_TLS_KEY, key, { mode: 0o600 })
  await panel.kill()
  await panel.up({ PANEL_TLS_CERT, PANEL_TLS_KEY })
  panel.ca = ca
  expect(await own()).toBe(false)
  // Programs meet the proxy's certificate, not the panel's.
  await panel.kill()
  await panel.up({ PANEL_TRUSTED_PROXIES: '192.0.2.7' })
  expect(await own()).toBe(false)
})
