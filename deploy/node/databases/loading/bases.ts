import { type Administration, isRefusal } from '../connection.ts'
import { accountsOn, type LoadingNames, noRightsOn, quoted, userAt } from '../rights.ts'

/** Dropping a large base takes a while. */
const DROP_MS = 300_000
const CHARSET = /^\w+$/

/** An empty base that keeps text as another one does, or as the server does where that one was lost. */
export async function makeLike({ run }: Administration, base: string, like: string): Promise<void> {
  quoted(like)
  const [row] = await run(
    `SELECT default_character_set_name AS charset, default_collation_name AS collation FROM information_schema.schemata WHERE schema_name = '${like}'`,
  )
  if (!row) return makeMissing({ run }, base)
  const [charset, collation] = [String(row.charset), String(row.collation)]
  if (!CHARSET.test(charset) || !CHARSET.test(collation)) throw new TypeError('not a character set')
  await run(`CREATE DATABASE IF NOT EXISTS ${quoted(base)} CHARACTER SET ${charset} COLLATE ${collation}`)
}

/** Makes a base that was lost anew, empty. */
export async function makeMissing({ run }: Pick<Administration, 'run'>, base: string): Promise<void> {
  await run(`CREATE DATABASE IF NOT EXISTS ${quoted(base)}`)
}

/** Takes the rights on a base from all accounts, which stay, and ends the sessions that are in it. */
export async function close({ run }: Administration, base: string): Promise<void> {
  quoted(base)
  const rows = await run(accountsOn(base))
  for (const { user, host } of rows) {
    const account = userAt(String(user), host === '%' ? '%' : 'localhost')
    // One that was removed meanwhile has none.
    await run(noRightsOn(base, account)).catch((error) => {
      if (!isRefusal(error)) throw error
    })
  }
  const inIt = await run(
    `SELECT id FROM information_schema.processlist WHERE db = '${base}' AND id <> connection_id()`,
  )
  // One that has ended by itself meanwhile is no fault.
  for (const { id } of inIt) await run(`KILL ${Number(id)}`).catch(() => undefined)
}

export async function drop({ run }: Administration, base: string): Promise<void> {
  await run(`SET STATEMENT foreign_key_checks = 0 FOR DROP DATABASE IF EXISTS ${quoted(base)}`, DROP_MS)
}

/** Leaves nothing of a load, whole or not, at the server. */
export async function clear(administration: Administration, names: LoadingNames): Promise<void> {
  await administration.run(`DROP USER IF EXISTS ${userAt(names.account, 'localhost')}`)
  for (const base of [names.base, names.old, names.at]) {
    await close(administration, base)
    await drop(administration, base)
  }
}
