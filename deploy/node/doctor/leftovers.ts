import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '../../../lib/endpoint/context.ts'
import { clients, sites } from '../../../schema/tables.ts'
import type { NodeConfig } from '../../config.ts'
import { baseDirectory } from '../driver.ts'
import { OWN_PLACES } from '../files/clients.ts'
import { createLayout } from '../files/layout.ts'
import { exists } from '../host/files.ts'
import { adviceCheck, type Check, checkOf } from '../services/check-view.ts'

/** What a running panel's own look at its start, and this one, are called. */
export const LEFTOVERS = 'restos'

const NAMED = 10
const NUMBER = /^[1-9][0-9]{0,15}$/
/** What file systems and their quotas keep at the top of a disk, and what is hidden. */
const LEFT_ALONE = /^(?:\..*|lost\+found|aquota\.(?:user|group))$/

/** What lies among the clients' directories, and is none of theirs: of an older backup, or put there by hand. */
export async function leftoverChecks({ db }: Pick<Services, 'db'>, config: NodeConfig): Promise<Check[]> {
  const layout = createLayout(baseDirectory(config, 'web'))
  const found = among(layout.clients)
  const known = {
    clients: new Set((await db.read.select({ id: clients.id }).from(clients)).map(({ id }) => id)),
    sites: new Set((await db.read.select({ id: sites.id }).from(sites)).map(({ id }) => id)),
  }
  const none = found.filter(({ ids: [client = 0, site] }) =>
    site === undefined ? !known.clients.has(client) : known.clients.has(client) && !known.sites.has(site),
  )
  // What was deleted meanwhile went before its row.
  const left = none.filter(({ path }) => exists(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const unknown = left.filter(({ ids }) => !ids.includes(0)).map(({ path }) => path)
  const others = left.filter(({ ids }) => ids.includes(0)).map(({ path }) => path)
  return [
    ...(unknown.length > 0
      ? [
          checkOf(
            LEFTOVERS,
            `the database knows no client or site of ${listed(unknown)}: nothing there is served. Restore a later backup, or delete or move it`,
          ),
        ]
      : []),
    ...(others.length > 0
      ? [adviceCheck(LEFTOVERS, `nothing of the panel's, and in no copy of its clients: ${listed(others)}`)]
      : []),
  ]
}

/** Entries with the numbers of their client and site; 0 for a name that is no number. */
function among(clientsDirectory: string): { path: string; ids: number[] }[] {
  if (!exists(clientsDirectory)) return []
  return readdirSync(clientsDirectory, { withFileTypes: true }).flatMap((client) => {
    if (LEFT_ALONE.test(client.name)) return []
    const path = join(clientsDirectory, client.name)
    const id = numberOf(client.name)
    const own = { path, ids: [id] }
    if (id === 0 || !client.isDirectory()) return [own]
    const inside = readdirSync(path).filter((name) => !LEFT_ALONE.test(name) && !OWN_PLACES.includes(name))
    return [own, ...inside.map((name) => ({ path: join(path, name), ids: [id, numberOf(name)] }))]
  })
}

const numberOf = (name: string) => (NUMBER.test(name) ? Number(name) : 0)

function listed(paths: string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return `${paths.slice(0, NAMED).join(', ')}${more}`
}
