import type { Log } from '../../../lib/endpoint/context.ts'
import { mariadbDirectory } from '../files/layout.ts'
import type { WebNode } from '../web/node.ts'
import { createDatabases, type Databases, type DatabasesOptions } from './server.ts'

type Own = Pick<DatabasesOptions, 'port' | 'limits' | 'users' | 'exhausted'> & { log: Log }

/** The databases of a node beside its web server, whose cages and bin they use. */
export const nodeDatabases = (web: WebNode, { log, ...own }: Own): Databases | null =>
  createDatabases({
    ...own,
    directory: mariadbDirectory(web.layout),
    supervisor: web.supervisor,
    bin: web.bin,
    endProcesses: web.endProcesses,
    runCaged: web.runCaged,
    report: (reason) => log('warn', 'service', { service: 'mariadb', reason }),
  })
