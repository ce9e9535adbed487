import { expect, setDefaultTimeout, test } from 'bun:test'
import { newClient, ROOMY } from '../api/people.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { Receiver } from '../support/receiver.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
const LONG_MS = 60_000

test('no event is lost by a panel that is killed before its delivery, or after it and before its note', async () => {
  const receiver = await Receiver.start()
  const { caPath } = await loopbackCertificate()
  const panel = await Panel.start({
    env: { ...ROOMY, NODE_EXTRA_CA_CERTS: caPath, PANEL_AVISOS_IPS: '127.0.0.1' },
  })
  try {
    const admin = await firstAdmin(panel)
    const token = await newToken(panel, admin)
    const body = { url: receiver.url('/'), tipos: ['cliente.creado'] }
    const made = await panel.api('POST', '/avisos', { bearer: admin.bearer, body })
    // The first one arrives, but its reply does not; the second one waits behind it.
    receiver.reply = () => new Promise<Response>(() => {})
    await newClient(panel, token, 'primero')
    await eventually(async () => receiver.received.length === 1, 'the first delivery', LONG_MS)
    await newClient(panel, token, 'segundo')
    await panel.kill()
    receiver.reply = () => new Response('ok')
    await panel.up()
    const deliveries = async (): Promise<Json[]> =>
      (await panel.api('GET', `/avisos/${made.body.id}/entregas`, { bearer: token })).body.datos
    const all = await eventually(
      async () => {
        const found = await deliveries()
        return found.every(({ estado }) => estado === 'entregada') ? found : null
      },
      'both deliveries',
      LONG_MS,
    )
    expect(all.map(({ intentos }) => intentos)).toEqual([1, 2])
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id'])
    const [second, first] = all.map(({ evento }) => `evt_${evento}`)
    expect(arrived).toEqual([first, first, second])
  } finally {
    await panel.stop()
    await receiver.stop()
  }
})
