import type { NodeDriver } from '../endpoint/node-port.ts'
import type { DatabaseAccess } from '../endpoint/ports/databases.ts'

/** What a node can offer to its clients' sites. */
export type Offers = {
  /** PHP versions to choose from, ascending. */
  php: string[]
  /** The extensions that each of these has. */
  extensions?: Record<string, string[]>
  certificates: boolean
  /** Whether programs can send mail. */
  mail?: boolean
  /** How databases are reached; null where there are none. */
  databases: DatabaseAccess | null
}

/** What this node's driver offers; it is stored in the node's row for hosts that have no driver. */
export function offersBy(
  driver: Pick<
    NodeDriver,
    'phpVersions' | 'phpExtensions' | 'issuesCertificates' | 'sendsMail' | 'databaseAccess'
  >,
): Offers {
  return {
    php: driver.phpVersions(),
    extensions: driver.phpExtensions(),
    certificates: driver.issuesCertificates,
    mail: driver.sendsMail,
    databases: driver.databaseAccess,
  }
}
