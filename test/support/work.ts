import type { Answer, Json } from './panel.ts'
import { eventually } from './wait.ts'

const OVER = ['hecha', 'fallida', 'cancelada']

/** Waits for the end of a piece of work, by a call of the test's that may read it; answers how it ended. */
export const workEnded = (
  call: (method: string, path: string) => Promise<Answer>,
  id: string,
  ms = 120_000,
): Promise<Json> =>
  eventually(
    async () => {
      const { body } = await call('GET', `/tareas/${id}`)
      return OVER.includes(body.estado) ? body : null
    },
    'the end of a piece of work',
    ms,
  )
