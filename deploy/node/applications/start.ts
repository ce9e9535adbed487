import type { Log } from '../../../lib/endpoint/context.ts'
import type { Applications } from '../../../lib/endpoint/ports/applications.ts'
import type { NodeConfig } from '../../config.ts'
import type { Databases } from '../databases/server.ts'
import type { WebNode } from '../web/node.ts'
import { createApplications } from './applications.ts'

/** Applications of a node that has sites and databases for them. */
export function applicationsOf(
  { node, log }: { node: NodeConfig; log: Log },
  { layout, identity, runCaged }: WebNode,
  { access }: Databases,
): Applications {
  return createApplications({
    ...{ layout, identity, runCaged, access },
    directory: node.applications,
    log: (reason) => log('warn', 'application', { reason }),
  })
}
