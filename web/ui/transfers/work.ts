import { call } from '../../api/client.ts'
import { asApiError } from '../../api/errors.ts'
import { announce } from '../toast.tsx'
import { addTransfer, type Transfer } from './store.ts'

/** Follows long work of the panel, which answered 202 with its id. */
export function followWork(id: string, name: string, further: Pick<Transfer, 'again'> = {}): void {
  addTransfer({
    ...further,
    kind: 'work',
    name,
    work: id,
    // It ends a moment later, and is told then.
    cancel: () =>
      void call('DELETE /api/tareas/:id', { params: { id } }).catch((thrown) =>
        announce(asApiError(thrown).detail),
      ),
  })
}

const LOOK_MS = 1000

/** Waits until work of the panel is over; answers why it failed, and null where it is done. */
export async function workOver(id: string): Promise<string | null> {
  for (;;) {
    const { estado, error } = await call('GET /api/tareas/:id', { params: { id } })
    if (!['pendiente', 'en_curso'].includes(estado)) return estado === 'hecha' ? null : (error ?? '')
    await new Promise((later) => setTimeout(later, LOOK_MS))
  }
}
