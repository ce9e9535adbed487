import { and, gt, like } from 'drizzle-orm'
import { type nodes, settings } from '../../schema/tables.ts'
import type { PanelConfig, Services } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { putSetting, selectSetting } from '../store/settings.ts'

/** Setting under which a panel that is no node records its host name, and when it last did. */
const HOST = 'host:'
const DAY_MS = 86_400_000
/** After this many days without a new record the name of a host is forgotten. */
const FORGOTTEN_DAYS = 30

/** The columns of a node from which names of the panel's own are derived. */
type Named = Pick<typeof nodes.$inferSelect, 'name' | 'origin' | 'nameServers'>

/**
 * The host names of the panel, of its function hosts and of every node, in lower case: no client may hold one. A
 * node's own name is among them where it has the form of a host name.
 */
export function ownNames(config: PanelConfig, known: Named[], hosts: string[]): string[] {
  const all = [config.host, ...config.nameServers, ...known.flatMap(namesOfNode), ...hosts]
  return [...new Set(all.map((name) => name.toLowerCase().replace(/\.$/, '')))]
}

/** The recorded names of hosts that are no nodes. */
export async function toldHosts(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ name: settings.name })
    .from(settings)
    .where(and(like(settings.name, `${HOST}%`), gt(settings.value, dayBefore(now, FORGOTTEN_DAYS))))
  return rows.map(({ name }) => name.slice(HOST.length))
}

const dayBefore = (now: Date, days: number) =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)

function namesOfNode({ name, origin, nameServers }: Named): string[] {
  return [
    ...nameServers,
    ...(origin !== null && URL.canParse(origin) ? [new URL(origin).hostname] : []),
    ...(name.includes('.') ? [name] : []),
  ]
}

/** Whether this host still has to record its name: it is no node (those have a row) and has not done so today. */
export async function isHostUntold({ db, config, now }: Services): Promise<boolean> {
  if (config.node !== null) return false
  const row = await selectSetting(db.read, `${HOST}${config.host}`).get()
  return row === undefined || row.value.slice(0, 10) < dayBefore(now(), 0)
}

/** Records the name of a host that is no node, so that all nodes refuse that name to clients. */
export async function tellHost({ db, config, now }: Services): Promise<void> {
  if (config.node !== null) return
  const value = now().toISOString()
  await db.write(async (tx) => tx.later(putSetting(tx, `${HOST}${config.host}`, value)))
}
