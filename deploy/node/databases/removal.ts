import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { HeldDatabase } from '../../../lib/endpoint/ports/databases.ts'
import type { Bin } from '../trash/bin.ts'
import type { Administration } from './connection.ts'
import { dumpToFile } from './dump.ts'
import { accountsOn, noRightsOn, quoted, userAt } from './rights.ts'
import { endSessions } from './sessions.ts'

type Means = Parameters<typeof dumpToFile>[0] & { bin: Bin }

/** Closes a base to all, so that its dump is the last word; puts that into the bin, and ends the base. */
export async function removeDatabase(means: Means, base: HeldDatabase, step: Step): Promise<void> {
  const { administration, bin } = means
  await step('database.close', () => closeTo(administration, base.name))
  await step('database.dump', async () => {
    // Also where the bin has a dump of it already: that may be of a move that was taken back, and older.
    if (!(await isThere(administration, base.name))) return
    bin.put({ kind: 'database', ...base }, await dumpToFile(means, base))
  })
  await step('database.drop', async () => {
    await administration.run(`DROP DATABASE IF EXISTS ${quoted(base.name)}`)
    // The account that dumps.
    await closeTo(administration, base.name)
  })
}

export const isThere = async ({ run }: Administration, base: string): Promise<boolean> =>
  (await run(`SELECT 1 AS one FROM information_schema.schemata WHERE schema_name = '${base}'`)).length > 0

/** Takes the rights on a base from all who have some; accounts that were for it alone go. */
export async function closeTo(administration: Administration, base: string): Promise<void> {
  const { run } = administration
  const rows = await run(accountsOn(base))
  for (const { user, host } of rows) {
    const name = String(user)
    if (host === '%') await run(`DROP USER IF EXISTS ${userAt(name, '%')}`)
    else await run(noRightsOn(base, userAt(name, 'localhost')))
  }
  await endSessions(
    administration,
    rows.map(({ user }) => String(user)),
  )
}
