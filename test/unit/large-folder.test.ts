import { expect, test } from 'bun:test'
import type { SftpSession } from '../../deploy/node/customer-files/protocol/sftp.ts'
import { list } from '../../deploy/node/customer-files/reading/listing.ts'

const COUNT = 100_000
const AT_ONCE = 100
const nameOf = (n: number) => `n${String(n).padStart(6, '0')}`

/** A helper with one folder, whose names come in no order, and how often it was read. */
function folderOf(count: number) {
  const reads = { count: 0 }
  const session = {
    realpath: async (path: string) => path,
    stat: async () => ({ bytes: 0, mode: 0o040755, modified: 0 }),
    openFolder: async () => {
      reads.count++
      return { at: 0 }
    },
    readFolder: async (handle: { at: number }) => {
      if (handle.at >= count) return null
      const begin = handle.at
      handle.at += AT_ONCE
      return Array.from({ length: AT_ONCE }, (_, index) => ({
        // 7919 is prime to the count, so that each name comes once.
        ...{ name: nameOf(((begin + index) * 7919) % count), bytes: 1, mode: 0o100640, modified: 0 },
      }))
    },
    close: async () => {},
  }
  // Of a session the listing uses these methods alone.
  return { session: session as unknown as SftpSession, reads }
}

test('a folder of 100,000 names is told once each and in order, and read a few times for all its pages', async () => {
  const { session, reads } = folderOf(COUNT)
  const at = { clientId: 1, siteId: 1, domain: 'uno.es', path: '/public' }
  const limit = 200
  let after: string | undefined
  let told = 0
  for (;;) {
    const page = await list(session, at, { after, limit })
    const names = page.slice(0, limit).map(({ name }) => name)
    if (names.some((name, index) => name !== nameOf(told + index))) expect(names).toEqual([])
    told += names.length
    after = names.at(-1)
    if (page.length <= limit) break
  }
  expect(told).toBe(COUNT)
  expect(reads.count).toBeLessThan(15)
})
