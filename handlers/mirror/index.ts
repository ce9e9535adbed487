import type { Handler } from '../../lib/endpoint/handler.ts'
import list from './list.ts'
import put from './put.ts'
import remove from './remove.ts'
import show from './show.ts'
import sync from './sync.ts'

/** Every operation on mirrored zones, to be mounted with the others. */
export const mirrorHandlers: Handler[] = [list, put, remove, show, sync]
