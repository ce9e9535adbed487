import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

const SYSTEM = /^\/(?:etc|usr|bin|sbin|boot|lib(?:32|64|x32)?|proc|sys|dev|run)(?:\/|$)/
/** What mkfs leaves on a disk that is new. */
const OF_A_DISK = 'lost+found'

/**
 * Why copies cannot go into a folder: copies must not lie among what is somebody else's. Null where they can, and where
 * it is not there, which is told when it is opened.
 */
export function folderProblem(folder: string): 'carpeta_del_sistema' | 'carpeta_ocupada' | null {
  const real = existsSync(folder) ? realpathSync(folder) : folder
  if ([folder, real].some((path) => SYSTEM.test(path))) return 'carpeta_del_sistema'
  const names = namesIn(real).filter((name) => name !== OF_A_DISK)
  const isFit = names.length === 0 || names.some((name) => isRepository(join(real, name)))
  return isFit ? null : 'carpeta_ocupada'
}

/** As restic lays one out, before it knows a key: the making of one may have been cut short. */
const isRepository = (path: string) => ['keys', 'snapshots'].every((name) => existsSync(join(path, name)))

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
