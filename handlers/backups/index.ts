import type { Handler } from '../../lib/endpoint/handler.ts'
import archive from './archive.ts'
import create from './create.ts'
import destinationPut from './destination-put.ts'
import destinationRemove from './destination-remove.ts'
import destinationShow from './destination-show.ts'
import files from './files.ts'
import list from './list.ts'
import restore from './restore.ts'

/** Every operation on copies, to be mounted with the others. */
export const backupHandlers: Handler[] = [
  destinationShow,
  destinationPut,
  destinationRemove,
  list,
  create,
  files,
  archive,
  restore,
]
