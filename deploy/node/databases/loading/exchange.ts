import type { DatabaseLoad } from '../../../../lib/endpoint/ports/loads.ts'
import { type Administration, isRefusal } from '../connection.ts'
import { identifier, type LoadingNames, quoted } from '../rights.ts'
import { close, makeLike } from './bases.ts'
import { dropTriggers, tableNames } from './definitions.ts'

/** A table that is named by one statement with all others: it tells whether that was done. */
const [WAITING, DONE] = ['waiting', 'done']
/** A transaction of a session that is in another base of the client's holds its tables for as long as it likes. */
const HELD_SECONDS = 5
const RENAME_MS = 120_000

/** The server would not give the tables their places; nothing was moved. */
export class Held extends Error {}

export async function isExchanged({ run }: Administration, { at }: LoadingNames): Promise<boolean> {
  const found = `SELECT 1 AS one FROM information_schema.tables WHERE table_schema = '${at}' AND table_name = '${DONE}'`
  return (await run(found)).length > 0
}

/**
 * Puts all tables that were loaded in the place of those of a base, in one statement that the server does as a whole or
 * not at all. Nobody is in either base meanwhile; nobody has rights on them afterwards.
 */
export async function exchange(
  administration: Administration,
  base: DatabaseLoad['base']['name'],
  names: LoadingNames,
): Promise<void> {
  const { run } = administration
  await makeLike(administration, names.old, base)
  await run(`CREATE DATABASE IF NOT EXISTS ${quoted(names.at)}`)
  await run(`CREATE TABLE IF NOT EXISTS ${quoted(names.at)}.${WAITING} (a INT)`)
  for (const one of [base, names.base]) {
    await close(administration, one)
    // A table that has some cannot leave its base; the plan knows them.
    await dropTriggers(administration, one)
  }
  const moves = [
    ...(await tableNames(administration, base)).map((table) => move(table, base, names.old)),
    ...(await tableNames(administration, names.base)).map((table) => move(table, names.base, base)),
    `${quoted(names.at)}.${WAITING} TO ${quoted(names.at)}.${DONE}`,
  ]
  const patience = `lock_wait_timeout = ${HELD_SECONDS}, innodb_lock_wait_timeout = ${HELD_SECONDS}`
  const rename = `SET STATEMENT ${patience} FOR RENAME TABLE ${moves.join(', ')}`
  await run(rename, RENAME_MS).catch((error) => {
    throw isRefusal(error) ? new Held(String(error)) : error
  })
}

const move = (table: string, from: string, to: string): string =>
  `${quoted(from)}.${identifier(table)} TO ${quoted(to)}.${identifier(table)}`
