import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { ConfigError, type NodeConfig } from '../../config.ts'
import { startCommand } from '../commands/output.ts'
import { databasePath, isShared } from '../database/open.ts'
import { usersIn } from '../users/users.ts'
import { hasCode } from './files.ts'

/** Refuses a user who may not use what lies there, in words that say who may. */
export function refuseStranger(...paths: string[]): void {
  for (const path of paths) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK | (statSync(path).isDirectory() ? constants.X_OK : 0))
    } catch (error) {
      if (!hasCode(error, 'EACCES', 'EPERM')) continue
      const owner = ownerName(path)
      const who = owner === null ? 'another user' : owner
      throw new ConfigError(
        `${path} belongs to ${who}: run this as ${owner === 'root' ? 'root' : `${who} or root`}`,
      )
    }
  }
}

/** Refuses a command where no panel has been yet: it would make an empty one. */
export function requirePanel(config: NodeConfig): void {
  const { dataDir } = config
  const path = databasePath(config)
  if (existsSync(isShared(config) ? dataDir : path)) return
  throw new ConfigError(
    `there is no panel in ${dataDir}: start one there first (${startCommand()}), or say in PANEL_DATA where it is`,
  )
}

/** Null where the way there is closed. */
function ownerName(path: string): string | null {
  try {
    const { uid } = statSync(path)
    return (
      usersIn(readFileSync('/etc/passwd', 'utf8')).find((user) => user.uid === uid)?.name ?? `user ${uid}`
    )
  } catch {
    return null
  }
}
