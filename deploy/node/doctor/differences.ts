import { differencesHere } from '../../../lib/clients/compare.ts'
import type { Services } from '../../../lib/endpoint/context.ts'
import { type Difference, isLost } from '../../../lib/endpoint/ports/reality.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { differencesTold } from '../reality/told.ts'
import { type Check, checkOf, partsCheck } from '../services/check-view.ts'

/** What a comparison of a node with the database is called, here and among a node's services. */
export const DIFFERENCES = 'diferencias'

const MEND = 'mended by: cron diferencias'
const STRAY = `served, and no site has this name (${MEND})`

/** What this node holds otherwise than the database wants it, client by client, and what mends it. */
export async function differenceChecks(services: Services): Promise<Check[]> {
  try {
    const { compared, found, strays } = await differencesHere(services)
    const faults = found.map(({ client, differences }) => ({ what: client, fault: faultOf(differences) }))
    const served = strays.map((host) => ({ what: host, fault: STRAY }))
    return partsCheck(DIFFERENCES, { faults: [...faults, ...served], asked: compared })
  } catch (error) {
    return [checkOf(DIFFERENCES, `the node could not be compared with the database: ${rootMessage(error)}`)]
  }
}

function faultOf(differences: Difference[]): string {
  const kinds: [Difference[], string][] = [
    [differences.filter((one) => !isLost(one)), MEND],
    [differences.filter(isLost), 'restore what is missing from a backup'],
  ]
  return kinds
    .flatMap(([some, mend]) => (some.length === 0 ? [] : [`${differencesTold(some, 'en')} (${mend})`]))
    .join('; ')
}
