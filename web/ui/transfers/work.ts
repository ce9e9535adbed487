import { call } from '../../api/client.ts'
import { addTransfer, dropTransfer } from './store.ts'

/** Follows long work of the panel, which answered 202 with its id. */
export function followWork(id: string, name: string): void {
  const n = addTransfer({
    kind: 'work',
    name,
    work: id,
    // What was done before is done; its end is told either way.
    cancel: () => void call('DELETE /api/tareas/:id', { params: { id } }).catch(() => dropTransfer(n)),
  })
}
