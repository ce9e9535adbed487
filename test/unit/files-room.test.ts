import { expect, test } from 'bun:test'
import { AppError, noSpace, overLimit } from '../../lib/endpoint/errors.ts'
import type { DiskUse } from '../../lib/endpoint/node-port.ts'
import { withNumbers } from '../../lib/files/room.ts'

type Facts = Parameters<typeof withNumbers>[1]

const PLAN = { diskBytes: 1000, inodes: 50 } as Facts['plan']
const USED = { diskBytes: 700, inodes: 20 }

type Told = { thrown?: Error; plan?: Facts['plan']; now?: Partial<DiskUse>; exhausted?: 'disco' }

async function told({ thrown = noSpace('disco'), plan = PLAN, now, exhausted }: Told): Promise<unknown> {
  const driver = {
    exhausted: () => exhausted ?? null,
    hasQuota: async () => now !== undefined,
    measure: async () => [{ clientId: 1, source: 'cuota' as const, ...USED, ...now }],
  }
  const work = withNumbers(driver, { client: { id: 1 }, plan, used: USED }, Promise.reject(thrown))
  return work.catch((error) => (error instanceof AppError ? { codigo: error.codigo, ...error.extra } : error))
}

test.each<[string, Told, object]>([
  ['a quota that was reached', { now: { diskBytes: 999 } }, { recurso: 'disco', usado: 999, limite: 1000 }],
  ['a quota of files', { now: { inodes: 50 } }, { recurso: 'inodos', usado: 50, limite: 50 }],
  ['no quota', {}, { recurso: 'disco', usado: 700, limite: 1000 }],
  ['no plan', { plan: null }, { recurso: 'disco', usado: null, limite: null }],
  ['a full node', { now: { diskBytes: 10 }, exhausted: 'disco' }, { usado: null, limite: null }],
  ['its own numbers', { thrown: overLimit('disco', 5, 4), now: {} }, { usado: 5, limite: 4 }],
  ['another reason', { thrown: new AppError('ya_existe') }, { codigo: 'ya_existe' }],
])('work that ends for %s says what is used and what may be', async (_why, given, expected) => {
  expect(await told(given)).toMatchObject(expected)
})
