import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientIdsOf, idsIn, siteIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { exists } from '../host/files.ts'
import type { Bin } from '../trash/bin.ts'
import { clientOf, type UserRange } from './users.ts'

export type Numbers = { clients: number; sites: number }

/**
 * The highest numbers of a client and of a site that anything on this machine carries: directories, links, what
 * lies in the bin, users and groups, also another panel's. A database that was put back to an earlier day has
 * forgotten them; given again, a number would hand one customer's files over to the next.
 */
export function highestNumbers(layout: Layout, users: UserRange | null, bin: Bin): Numbers {
  // On its first start a node has no directories yet.
  const deleted = exists(layout.bin) ? bin.list() : []
  const homes = [layout.clients, layout.links, layout.suspended]
  const inBin = deleted.map((one) => join(layout.bin, one.id, 'files'))
  const manifests = (exists(layout.manifests) ? readdirSync(layout.manifests) : []).map((name) =>
    Number(name.replace(/\.json$/, '')),
  )
  return {
    clients: highest([
      ...homes.flatMap(idsIn),
      ...deleted.map(({ clientId }) => clientId),
      ...(users === null ? [] : accounts().flatMap((account) => clientOf(users, account) ?? [])),
    ]),
    sites: highest([
      ...clientIdsOf(layout).flatMap((clientId) => siteIdsOf(layout, clientId)),
      ...[layout.php, ...inBin].flatMap(idsIn),
      ...deleted.flatMap((one) => (one.kind === 'site' ? one.siteId : [])),
      ...manifests,
    ]),
  }
}

/** Name and number of each user and group. */
function accounts(): { name: string; number: number }[] {
  return ['/etc/passwd', '/etc/group'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , number = '']) => ({ name, number: Number(number) })),
  )
}

function highest(numbers: number[]): number {
  return numbers.filter(Number.isSafeInteger).reduce((most, one) => Math.max(most, one), 0)
}
