import type { Handler } from '../../lib/endpoint/handler.ts'
import list from './list.ts'
import purge from './purge.ts'
import restore from './restore.ts'

/** Every operation on the bin, to be mounted with the others. */
export const trashHandlers: Handler[] = [list, restore, purge]
