import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import { newSiteReading } from '../../lib/sites/view.ts'
import { readNow } from '../../lib/store/reading.ts'
import { clients } from '../../schema/tables.ts'
import { addClient, testServices } from '../usage/store.ts'

let services: Services
let close: () => Promise<void>

beforeAll(async () => {
  ;({ services, close } = await testServices())
  await addClient(services, { name: 'ana' })
})
afterAll(() => close())

/** What a request answers whose site is gone at its end. */
async function told(client: string): Promise<[string, number]> {
  const db = services.db.read
  const ctx = { tx: db, actor: { kind: 'cron' }, driver: null, request: { language: 'es' } } as const
  const answer = readNow(db, newSiteReading(ctx as never, { domain: 'ana.es', client }))
  const refusal = await answer.then(
    () => null,
    (error) => error,
  )
  return [refusal.codigo, refusal.status]
}

test('a new site that is gone at once tells whether its client was deleted or the disk is full', async () => {
  expect(await told('ana')).toEqual(['sin_espacio', 507])
  await services.db.write((tx) =>
    tx.update(clients).set({ state: 'eliminando' }).where(eq(clients.name, 'ana')),
  )
  expect(await told('ana')).toEqual(['cliente_eliminandose', 409])
  expect(await told('nadie')).toEqual(['cliente_no_existe', 409])
})
