import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type * as v from 'valibot'
import { nodeHours } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import type { nodeHistoryShape } from './shapes.ts'

/** So many days are told by the hour; more of them by the day. */
const BY_HOUR_DAYS = 8

type History = v.InferOutput<typeof nodeHistoryShape>

/** A node's use between two UTC days, both included, oldest first: by the hour, or by the day where they are many. */
export async function nodeHistory(
  db: Db,
  node: string,
  { from, until }: { from: string; until: string },
): Promise<History> {
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1
  const every = days <= BY_HOUR_DAYS ? 'hora' : 'dia'
  const at = sql<string>`substr(${nodeHours.hour}, 1, ${every === 'hora' ? 13 : 10})`
  const busy = sql`sum(${nodeHours.busySeconds})`
  const all = sql`sum(${nodeHours.busySeconds} + ${nodeHours.idleSeconds})`
  const found = await db
    .select({
      at,
      cpu: sql<number | null>`round(100.0 * ${busy} / nullif(${all}, 0), 1)`,
      memory: sql<number | null>`max(${nodeHours.memoryBytes})`,
      disk: sql<number | null>`max(${nodeHours.diskBytes})`,
      trafficIn: sql<number>`sum(${nodeHours.trafficIn})`,
      trafficOut: sql<number>`sum(${nodeHours.trafficOut})`,
    })
    .from(nodeHours)
    .where(and(eq(nodeHours.node, node), gte(nodeHours.hour, from), lte(nodeHours.hour, `${until}T23`)))
    .groupBy(at)
    .orderBy(at)
    .limit(400)
  return {
    nodo: node,
    cada: every,
    datos: found.map((row) => ({
      desde: every === 'hora' ? `${row.at}:00:00.000Z` : `${row.at}T00:00:00.000Z`,
      procesador_porcentaje: row.cpu,
      memoria_bytes: row.memory,
      disco_bytes: row.disk,
      trafico_entrada_bytes: row.trafficIn,
      trafico_salida_bytes: row.trafficOut,
    })),
  }
}
