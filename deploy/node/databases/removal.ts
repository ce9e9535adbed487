import { rmSync } from 'node:fs'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { HeldDatabase } from '../../../lib/endpoint/ports/databases.ts'
import type { DumpFile } from '../../../lib/endpoint/ports/loads.ts'
import type { Bin } from '../trash/bin.ts'
import type { Administration } from './connection.ts'
import { dumpToFile, openDump } from './dump.ts'
import { accountsOn, noRightsOn, quoted, userAt } from './rights.ts'
import { endSessions } from './sessions.ts'

type Means = Parameters<typeof dumpToFile>[0] & { bin: Bin }

/** Closes a base to all, so that its dump is the last word; puts that into the bin, and ends the base. */
export async function removeDatabase(means: Means, base: HeldDatabase, step: Step): Promise<void> {
  const { administration, bin } = means
  await step('database.close', () => closeTo(administration, base.name))
  await step('database.dump', async () => {
    if (!(await isThere(administration, base.name))) return
    const made = await dumpToFile(means, base)
    if (await isInBin(bin, base, made)) rmSync(made, { recursive: true, force: true })
    else bin.put({ kind: 'database', ...base }, made)
  })
  await step('database.drop', async () => {
    await administration.run(`DROP DATABASE IF EXISTS ${quoted(base.name)}`)
    // The account that dumps.
    await closeTo(administration, base.name)
  })
}

/**
 * Whether a removal that was killed has put this very dump into the bin. Another one of the base may lie there too, of a
 * move that was taken back, and be older.
 */
async function isInBin(bin: Bin, { databaseId }: HeldDatabase, made: string): Promise<boolean> {
  const own = bin.list().filter((one) => one.kind === 'database' && one.databaseId === databaseId)
  for (const { id } of own) {
    const [kept, now] = [await bin.openDump(id), openDump(made)]
    if (kept.bytes === now.bytes && (await digest(kept)) === (await digest(now))) return true
    await Promise.all([kept.close(), now.close()])
  }
  return false
}

async function digest({ content }: DumpFile): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const part of content) hash.update(part)
  return hash.digest('hex')
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
