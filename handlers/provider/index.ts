import type { Handler } from '../../lib/endpoint/handler.ts'
import put from './put.ts'
import remove from './remove.ts'
import show from './show.ts'

/** Every operation on the DNS provider account, to be mounted with the others. */
export const providerHandlers: Handler[] = [put, remove, show]
