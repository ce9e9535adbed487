import { differencesHere } from '../../../lib/clients/compare.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import type { Difference } from '../../../lib/endpoint/ports/reality.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { differencesTold } from '../reality/told.ts'
import { type Check, checkOf, partsCheck } from '../services/check-view.ts'

/** What a comparison of a node with the database is called, here and among a node's services. */
export const DIFFERENCES = 'diferencias'

/** What this node holds otherwise than the database wants it, client by client, and what mends it. */
export async function differenceChecks(services: Services): Promise<Check[]> {
  try {
    const { compared, found } = await differencesHere(services)
    const faults = found.map(({ client, differences }) => ({
      what: client,
      fault: `${differencesTold(differences, 'en')} (${mendOf(differences)})`,
    }))
    return partsCheck(DIFFERENCES, { faults, asked: compared })
  } catch (error) {
    return [checkOf(DIFFERENCES, `the node could not be compared with the database: ${rootMessage(error)}`)]
  }
}

const mendOf = (differences: Difference[]) =>
  differences.some(({ part }) => part === 'folder' || part === 'base')
    ? 'restore what is missing from a backup'
    : 'mended by: cron diferencias'
