import type { NodeDriver } from '../../../../lib/endpoint/node-port.ts'
import type { Owner } from '../../host/files.ts'
import type { UserRange } from '../../users/users.ts'
import type { Administration } from '../connection.ts'

/** What loading works with. */
export type Means = {
  directory: string
  administration: Administration
  /** The server's own user. */
  owner: Owner
  users: UserRange
  runCaged: NodeDriver['runCaged']
  /** What the node has run out of. */
  exhausted: NodeDriver['exhausted']
}
