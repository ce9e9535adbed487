import { type SQL, sql } from 'drizzle-orm'
import { SETUP_POINTS } from '../../schema/states.ts'
import { settings } from '../../schema/tables.ts'
import type { Db, Tx } from '../store/database.ts'

/** What the administrators, all of them, no longer want to see of what is to be set up. */
export type SetupChoices = { hidden: boolean; dismissed: readonly (typeof SETUP_POINTS)[number][] }

const NAME = 'setup_choices'
const NONE: SetupChoices = { hidden: false, dismissed: [] }
const isIt: SQL = sql`${settings.name} = ${NAME}`

export const selectChoices = (db: Db) => db.select({ value: settings.value }).from(settings).where(isIt)

/** What was stored; points of another version are left out. */
export function choicesOf([row]: readonly { value: string }[]): SetupChoices {
  if (!row) return NONE
  // Only `queueChoices` writes this row.
  const { hidden, dismissed } = JSON.parse(row.value) as SetupChoices
  return { hidden, dismissed: SETUP_POINTS.filter((point) => dismissed.includes(point)) }
}

export const queueChoices = (tx: Tx, choices: SetupChoices) =>
  tx
    .insert(settings)
    .values({ name: NAME, value: JSON.stringify(choices) })
    .onConflictDoUpdate({ target: settings.name, set: { value: JSON.stringify(choices) } })
