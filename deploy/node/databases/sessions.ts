import { type Administration, isRefusal } from './connection.ts'
import { userAt } from './rights.ts'

/** ER_CANNOT_USER: nobody of that name. */
const NOBODY = 1396

/**
 * Rights that were taken and accounts that were locked hold for who comes in; those who are in are put out. What they
 * have prepared is rolled back by the watcher, which alone waits for that.
 */
export async function endSessions(administration: Administration, names: string[]): Promise<void> {
  const { run } = administration
  for (const name of names) {
    for (const host of ['localhost', '%'] as const) {
      await run(`KILL USER ${userAt(name, host)}`).catch((error) => {
        if (!isRefusal(error, NOBODY)) throw error
      })
    }
  }
}
