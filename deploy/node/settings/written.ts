import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NodeConfig } from '../../config.ts'
import { databasePath, isShared } from '../database/open.ts'
import { dataDirectoryIn } from '../dns/config.ts'
import { baseDirectory } from '../driver.ts'
import { createLayout } from '../files/layout.ts'

/** Every directory in which the panel makes files, even if it does not exist yet. */
export function writtenDirectories(config: NodeConfig): string[] {
  const { dataDir, keyFile } = config
  const [web, dns] = [baseDirectory(config, 'web'), baseDirectory(config, 'dns')]
  const own = ['tls', 'acme', 'acme/orders', 'acme/held', 'correo'].map((name) => join(dataDir, name))
  return [
    ...new Set([dataDir, ...own, dirname(keyFile)]),
    ...(isShared(config) ? [] : [dirname(databasePath(config))]),
    ...(existsSync(web) ? webDirectories(web) : []),
    ...[dns, dataDirectoryIn(dns)],
  ]
}

function webDirectories(base: string): string[] {
  const { temporary, acme, siteLogs } = createLayout(base)
  return [base, temporary, acme, siteLogs]
}
