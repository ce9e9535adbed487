import { beforeEach, describe, expect, test } from 'bun:test'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { deliverDue } from '../../lib/webhooks/deliver.ts'
import { claimNext } from '../../lib/webhooks/queue.ts'
import { sealedSecret } from '../../lib/webhooks/secret.ts'
import { webhooks } from '../../schema/tables.ts'
import { random } from '../support/seed.ts'
import { addClient } from '../usage/store.ts'
import { BACK, back, DAY_MS, move, services, storeForEachTest, use } from './queues-clock.ts'

storeForEachTest()

describe('an event for a webhook', () => {
  let sent: number
  let status: number
  let sending: () => Promise<void>

  beforeEach(async () => {
    sent = 0
    status = 200
    sending = async () => {}
    const fetchAt = async () => {
      sent++
      await sending()
      return new Response('', { status })
    }
    const config = { ...services.config, webhookAddresses: ['127.0.0.1'] }
    use({ ...services, config, keys: parseKeyRing(newKeyLine(random)), fetchAt })
    const { sealed } = await sealedSecret(services, 'avi_1')
    const row = {
      id: 'avi_1',
      url: 'https://127.0.0.1/',
      types: ['*' as const],
      active: true,
      secret: sealed,
    }
    await services.db.write((tx) => tx.insert(webhooks).values({ ...row, createdAt: services.now() }))
    await addClient(services, { name: 'acme' })
  })

  test.each(BACK)('that is queued goes at once when the clock is set back by %s', async (_, ms) => {
    back(ms)
    expect(await deliverDue(services)).toBe(1)
  })

  test.each(BACK)('that was refused waits a day at most when it is set back by %s', async (_, ms) => {
    status = 500
    await deliverDue(services)
    status = 200
    back(ms)
    // The longest delay of all is a day: what lies further ahead is due.
    move(ms > DAY_MS ? 0 : ms + 5_000)
    expect(await deliverDue(services)).toBe(1)
  })

  test.each(BACK)('of a process that died is sent again when it is set back by %s', async (_, ms) => {
    await claimNext(services, 'avi_1')
    expect(await deliverDue(services)).toBe(0)
    back(ms)
    expect(await deliverDue(services)).toBe(1)
  })

  test('is sent once by a process whose clock is set back meanwhile', async () => {
    const end = Promise.withResolvers<void>()
    sending = () => end.promise
    const run = deliverDue(services)
    while (sent === 0) await Bun.sleep(1)
    back(30 * DAY_MS)
    end.resolve()
    expect(await run).toBe(1)
    expect(await deliverDue(services)).toBe(0)
    expect(sent).toBe(1)
  })
})
