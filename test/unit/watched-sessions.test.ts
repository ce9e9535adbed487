import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Watched, watchSessions } from '../../deploy/node/databases/watching/watcher.ts'
import { partly } from '../support/partly.ts'

test('a database server that still starts is not told of, and one that answered once is', async () => {
  const told: string[] = []
  let asked = 0
  let answers = false
  const run = async () => {
    asked += 1
    if (!answers) throw new Error('Failed to connect')
    return []
  }
  const watch = watchSessions(
    partly<Watched>({
      administration: { run },
      places: { data: join('/', 'none'), temporary: join('/', 'none') },
      limits: { temporaryBytes: 1 },
      withheld: { giveBack: async () => undefined },
      growth: { look: async () => undefined },
      pid: () => 1,
      first: async () => undefined,
      report: (message: string) => void told.push(message),
    }),
  )
  const looked = async () => {
    const before = asked
    while (asked < before + 2) await Bun.sleep(20)
    await Bun.sleep(20)
  }
  watch.begin()
  // The temporary tables are looked at four times meanwhile, for which nobody is asked.
  await looked()
  expect(told).toEqual([])
  answers = true
  await looked()
  answers = false
  await looked()
  expect(told).toContain('Failed to connect')
  watch.end()
}, 20_000)
