import { SETUP_POINTS } from '../../schema/states.ts'
import type { Db, Tx } from '../store/database.ts'
import { putSetting, selectSetting } from '../store/settings.ts'

/** What the administrators, all of them, no longer want to see of what is to be set up. */
export type SetupChoices = { hidden: boolean; dismissed: readonly (typeof SETUP_POINTS)[number][] }

const NAME = 'setup_choices'
const NONE: SetupChoices = { hidden: false, dismissed: [] }

export const selectChoices = (db: Db) => selectSetting(db, NAME)

/** What was stored; points of another version are left out. */
export function choicesOf([row]: readonly { value: string }[]): SetupChoices {
  if (!row) return NONE
  // Only `queueChoices` writes this row.
  const { hidden, dismissed } = JSON.parse(row.value) as SetupChoices
  return { hidden, dismissed: SETUP_POINTS.filter((point) => dismissed.includes(point)) }
}

export const queueChoices = (tx: Tx, choices: SetupChoices) => putSetting(tx, NAME, JSON.stringify(choices))
