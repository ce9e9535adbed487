import { and, eq } from 'drizzle-orm'
import { type Delegation, nodes, siteNames, zones } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { readNow } from '../store/reading.ts'
import { later } from '../work/back-off.ts'
import { askResolvers } from './ask.ts'
import { proofValues } from './challenge.ts'
import { decideClaim } from './decide.ts'
import { delegationOf } from './delegation.ts'
import { heldAbove } from './held.ts'
import { decide, type Verdict, verdictsOf } from './judge.ts'
import { type About, LOOK_AGAIN_MS, namesToProve, type Row, zonesToLookAt } from './to-look-at.ts'
import { expectedServers } from './view.ts'

const AT_ONCE = 8
const HOUR_MS = 3_600_000
/** For this long after its creation a name or zone is checked hourly, since its DNS is still being set up. */
const NEW_MS = 7 * LOOK_AGAIN_MS
/** A node's process lives long; a function's invocation does not. */
const NODE_BUDGET_MS = 20 * 60_000
const FUNCTION_BUDGET_MS = 15_000

/**
 * Asks the resolvers about names that were granted but not proven, and about where each zone is delegated: for all of
 * them, as the daily handler does, or for those that are due. A proven name stays proven. Concurrent runs are
 * harmless. Returns how many were checked.
 */
export async function lookAtNames(services: Services, which: About['which']): Promise<number> {
  const budgetMs = services.config.node === null ? FUNCTION_BUDGET_MS : NODE_BUDGET_MS
  const [now, beganMs, near] = [services.now(), performance.now(), await nodesNear(services)]
  let looked = 0
  for (const find of [namesToProve, zonesToLookAt]) {
    let rows: Row[]
    let after = ''
    do {
      rows = await find(services.db.read, { which, now, after })
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        // The rest stays due, for a later run.
        if (performance.now() - beganMs > budgetMs) return looked
        const some = rows.slice(at, at + AT_ONCE)
        const seen = await Promise.all(
          some.map(async (row) => ({ row, ...(await lookAt(services, near, row)) })),
        )
        await services.db.write(async (tx) => {
          for (const one of seen) keep(tx, services.now(), one)
        })
        looked += some.length
      }
      after = rows.at(-1)?.name ?? ''
    } while (rows.length > 0)
  }
  return looked
}

/** Whether a run would find something that is due. */
export async function isLookDue({ db, now }: Services): Promise<boolean> {
  const about = { which: 'due', now: now(), after: '', most: 1 } as const
  const [names, apexes] = await Promise.all([namesToProve(db.read, about), zonesToLookAt(db.read, about)])
  return names.length + apexes.length > 0
}

type Near = ReadonlyMap<string, { addresses: string[]; nameServers: string[] }>

async function nodesNear({ db, config }: Services): Promise<Near> {
  const rows = await db.read.select().from(nodes)
  const near = new Map<string, { addresses: string[]; nameServers: string[] }>()
  for (const row of rows) near.set(row.name, row)
  if (config.node !== null) near.set(config.node, config)
  return near
}

type Seen = { verdict: Verdict; delegation: Omit<Delegation, 'at'> | null }

async function lookAt(services: Services, near: Near, row: Row): Promise<Seen> {
  const { addresses = [], nameServers = [] } = near.get(row.client.node) ?? {}
  const [verdict, delegation] = await Promise.all([
    row.proven ? ('probado' as const) : verdictOn(services, row, addresses),
    row.zone &&
      delegationOf(services.resolvers, {
        zone: row.name,
        expected: expectedServers({ zone: row.zone, nameServers, mirrors: row.mirrors }),
        ours: addresses,
      }),
  ])
  return { verdict, delegation }
}

/** The verdict on a granted name: proven by a proven name above it, or by the resolvers. */
async function verdictOn(services: Services, { name, client }: Row, addresses: string[]): Promise<Verdict> {
  const held = await readNow(services.db.read, heldAbove(services.db.read, client.id, [name]))
  if (decideClaim({ names: [name], held, shown: [] }).proven.has(name)) return 'probado'
  const told = (await askResolvers(services.resolvers, [name])).get(name) ?? []
  return decide(verdictsOf(told, { values: proofValues(services.keys, client, name), ours: addresses }))
}

/**
 * Stores a verdict only if the name is still that client's: it may have been removed, and added to another,
 * meanwhile.
 */
function keep(tx: Tx, now: Date, { row, verdict, delegation }: Seen & { row: Row }): void {
  const settled = verdict === 'probado' && (delegation === null || delegation.state === 'aqui')
  const isNew = now.getTime() - row.createdAt.getTime() < NEW_MS
  const soon = verdict === 'sin_respuesta' || (isNew && !settled)
  const set = {
    nextLookAt: later(now, soon ? HOUR_MS : LOOK_AGAIN_MS),
    ...(verdict === 'probado' && !row.proven ? { provenAt: now } : {}),
  }
  const { zone, client, name } = row
  tx.later(
    zone
      ? tx
          .update(zones)
          .set({ ...set, delegation: delegation && { ...delegation, at: now.getTime() } })
          .where(and(eq(zones.id, zone.id), eq(zones.clientId, client.id)))
      : tx
          .update(siteNames)
          .set(set)
          .where(and(eq(siteNames.name, name), eq(siteNames.clientId, client.id))),
  )
}
