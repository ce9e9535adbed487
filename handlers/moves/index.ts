import type { Handler } from '../../lib/endpoint/handler.ts'
import confirm from './confirm.ts'
import empty from './empty.ts'
import show from './show.ts'
import start from './start.ts'
import undo from './undo.ts'

/** Every operation on moves, to be mounted with the others. */
export const moveHandlers: Handler[] = [show, start, confirm, undo, empty]
