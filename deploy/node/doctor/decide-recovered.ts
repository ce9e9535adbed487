import { counted } from '../../../lib/text/words.ts'
import { startCommand } from '../commands/output.ts'
import { adviceCheck, type Check, checkOf } from '../services/check-view.ts'

const NAMED = 20

/** At most twenty of these names. */
function listed(names: string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

export type Unrestored = { client: string | null; state: string; suspended: unknown }

/**
 * What a recovery of a lost node still lacks. A site that is not back answers 503: names must not be moved to it.
 * What waits for a suspended client's activation is as it should be, and what waits for the first start is done by it.
 */
export function decideRecovered(unrestored: Unrestored[], empty: string[], awaitsStart: boolean): Check[] {
  const lacking = unrestored.filter(({ suspended }) => !suspended)
  const failed = namesOf(lacking.filter(({ state }) => state === 'fallida'))
  const waiting = namesOf(lacking.filter(({ client }) => !failed.includes(client ?? '')))
  const told = [
    ...(failed.length > 0 ? [`failed for ${listed(failed)}: see why under Jobs, and retry there`] : []),
    ...(waiting.length > 0 ? [`not done yet for ${listed(waiting)}`] : []),
  ]
  const mend = awaitsStart ? `. The start of the panel restores it: ${startCommand()}` : ''
  const asleep = namesOf(unrestored.filter(({ suspended }) => suspended))
  return [
    ...(told.length > 0
      ? [checkOf('recuperación', `what copies hold is not all back, ${told.join('; ')}${mend}`)]
      : []),
    ...(asleep.length > 0
      ? [adviceCheck('recuperación', `restored once they are activated: ${listed(asleep)}`)]
      : []),
    ...(empty.length > 0 ? [adviceCheck('recuperado sin copia', emptyAdvice(empty))] : []),
  ]
}

const emptyAdvice = (empty: string[]) =>
  `no copy had ${counted(empty.length, 'site')}, and nothing is there since: ${listed(empty)}. Put their files there, or delete them`

const namesOf = (rows: Unrestored[]): string[] => [...new Set(rows.map(({ client }) => client ?? ''))]

/**
 * Clients whose Unix user is missing or another's: their PHP, tasks and SFTP do not work. `holderOf` tells the user of
 * somebody else that has the name or number of a client's.
 */
export function decideUsers(
  clients: { id: number; name: string }[],
  isOwn: (id: number) => boolean,
  holderOf: (id: number) => { name: string; uid: number } | null,
): Check[] {
  const lacking = clients
    .filter(({ id }) => !isOwn(id))
    .map(({ id, name }) => ({ name, holder: holderOf(id) }))
  if (lacking.length === 0) return []
  const taken = lacking.flatMap(({ name, holder }) =>
    holder === null
      ? []
      : [`${name} (its name or number is taken by the user ${holder.name}, ${holder.uid})`],
  )
  const missing = lacking.flatMap(({ name, holder }) => (holder === null ? [name] : []))
  const told = [
    ...(missing.length > 0 ? [`${listed(missing)}. Have them made again: cron diferencias`] : []),
    ...(taken.length > 0
      ? [`${listed(taken)}. Give that user another name and number, and start the panel again`]
      : []),
  ]
  const many = `${counted(lacking.length, 'client')} without a Unix user of its own: `
  return [checkOf('usuarios de clientes', `${many}${told.join('. ')}`)]
}
