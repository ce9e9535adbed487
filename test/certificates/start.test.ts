import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { newClient } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel

beforeAll(async () => {
  panel = await Panel.start()
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
  const token = await newToken(panel, await firstAdmin(panel))
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
