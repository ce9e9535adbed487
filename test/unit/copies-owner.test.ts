import { expect, test } from 'bun:test'
import { decideOwner, NOBODY, ownerName } from '../../lib/backups/destination/decide-owner.ts'
import { requireOwn } from '../../lib/backups/destination/owner.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { Repository } from '../../lib/endpoint/ports/backups.ts'
import { testServices } from '../usage/store.ts'

const OWN = ownerName('nodo1', 'a1')
const OTHER = ownerName('nodo1', 'b2')

test.each([
  ['nothing yet', [], null],
  ['its own', [OWN], null],
  ['its own of another name', [ownerName('antes', 'a1')], null],
  ["another node's of the same panel", [OWN, ownerName('nodo.2', 'a1')], null],
  ['those from before they told', [NOBODY, OWN], null],
  ["another panel's, of a node of the same name", [OTHER], OTHER],
  ["another panel's beside its own", [NOBODY, OWN, OTHER], OTHER],
])('a node finds %s', (_, kept, foreign) => {
  expect(decideOwner(kept, OWN)).toBe(foreign)
})

test('a panel is told from another one by its database, whatever its node is called', async () => {
  const [one, two] = await Promise.all([testServices(), testServices()])
  try {
    // Made a moment later, as two panels are.
    await two.services.db.write((tx) => tx.run('update migrations set applied_at = applied_at + 1'))
    const found = (services: Services, kept: string[], node = 'nodo1') =>
      requireOwn(
        services,
        {
          backups: { owners: async () => kept },
          repository: {} as Repository,
          signal: AbortSignal.timeout(1),
        },
        node,
      )
    const owner = await found(one.services, [])
    expect(owner).toMatch(/^nodo1\.[0-9a-f]{16}$/)
    expect(await found(one.services, [owner], 'renombrado')).toBe(owner.replace('nodo1', 'renombrado'))
    await expect(found(two.services, [owner])).rejects.toThrow('foreign')
  } finally {
    await Promise.all([one.close(), two.close()])
  }
})
