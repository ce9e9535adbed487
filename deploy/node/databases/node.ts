import type { Log, PanelConfig } from '../../../lib/endpoint/context.ts'
import type { NodeConfig } from '../../config.ts'
import { measureGroups } from '../confinement/use.ts'
import { mariadbDirectory } from '../files/layout.ts'
import { servicePorts } from '../settings/service-ports.ts'
import type { WebNode } from '../web/node.ts'
import { createDatabases, type Databases, type DatabasesOptions } from './server.ts'
import { viewsOrigin } from './viewer/app.ts'

/** The databases of a node beside its web server, whose cages and bin they use. */
export const nodeDatabases = (
  web: WebNode,
  { panel, node, log }: { panel: PanelConfig; node: NodeConfig; log: Log },
  own: Pick<DatabasesOptions, 'users' | 'exhausted'>,
): Databases | null =>
  createDatabases({
    ...own,
    limits: node.databaseLimits,
    port: servicePorts(node).mariadb,
    viewsOrigin: node.viewsPort === null ? null : viewsOrigin(panel.host, node.viewsPort),
    directory: mariadbDirectory(web.layout),
    supervisor: web.supervisor,
    bin: web.bin,
    endProcesses: web.endProcesses,
    memoryLimit: (clientId) => measureGroups(web.layout.run, [clientId])[0]?.memoryLimit ?? null,
    runCaged: web.runCaged,
    report: (reason) => log('warn', 'service', { service: 'mariadb', reason }),
  })
