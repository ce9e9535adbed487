import type { Handler } from '../../lib/endpoint/handler.ts'
import create from './create.ts'
import deliveries from './deliveries.ts'
import list from './list.ts'
import remove from './remove.ts'
import repeat from './repeat.ts'
import rotate from './rotate.ts'
import show from './show.ts'
import tryOut from './try.ts'
import update from './update.ts'

/** Every operation on webhooks, to be mounted with the others. */
export const webhookHandlers: Handler[] = [
  list,
  create,
  show,
  update,
  remove,
  rotate,
  tryOut,
  deliveries,
  repeat,
]
