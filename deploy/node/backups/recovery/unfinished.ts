import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type NodeConfig } from '../../../config.ts'
import { databasePath, isShared } from '../../database/open.ts'

/** There while a node is being recovered. */
export const unfinishedMark = (dataDir: string) => join(dataDir, 'recuperando')

/** Refuses to work with, or make a new panel of, the keys and certificates of one whose recovery was cut short. */
export function refuseHalfRecovered(config: NodeConfig): void {
  if (isShared(config) || !existsSync(unfinishedMark(config.dataDir)) || existsSync(databasePath(config)))
    return
  throw new ConfigError(`the recovery of ${config.dataDir} was cut short: run recuperar again`)
}
