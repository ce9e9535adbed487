import { type Administration, isRefusal } from './connection.ts'
import { identifier, quoted } from './rights.ts'
import { definitionsBelow, programBytes } from './sizes.ts'

/** What a table gives back is not worth its rebuilding below this. */
const WORTH_BYTES = 4 * 1024 * 1024
const REBUILD_MS = 120_000
/** To ask a hundred thousand tables takes longer. */
const FREE_SECONDS = 2

/** The bytes of all bases. Of the tablespaces' files, the server knows: one question for thousands of tables. */
export async function measureDatabases(
  administration: Administration,
  data: string,
): Promise<Map<string, number>> {
  const { run } = administration
  const [schemata, spaces, programs] = await Promise.all([
    run('SELECT schema_name AS name FROM information_schema.schemata'),
    run(
      "SELECT substring_index(name, '/', 1) AS name, sum(file_size) AS bytes FROM information_schema.innodb_sys_tablespaces WHERE name LIKE '%/%' GROUP BY 1",
    ),
    programBytes(administration, null),
  ])
  const tables = new Map(spaces.map((row) => [String(row.name), Number(row.bytes)]))
  const sizes = new Map<string, number>()
  for (const name of schemata.map((row) => String(row.name))) {
    const definitions = await definitionsBelow(`${data}/${name}`)
    sizes.set(name, (tables.get(name) ?? 0) + (programs.get(name) ?? 0) + definitions)
  }
  return sizes
}

/** Bytes that a rebuilding of these bases' tables gives back; 0 where the server refuses to tell. */
export async function freeIn({ run }: Administration, databases: readonly string[]): Promise<number> {
  if (databases.length === 0) return 0
  for (const name of databases) quoted(name)
  const rows = await run(
    `SET STATEMENT max_statement_time = ${FREE_SECONDS} FOR SELECT coalesce(sum(data_free), 0) AS bytes FROM information_schema.tables WHERE table_schema IN ('${databases.join("', '")}') AND engine = 'InnoDB' AND data_free >= ${WORTH_BYTES}`,
  ).catch((error) => {
    if (!isRefusal(error)) throw error
    return []
  })
  return Number(rows[0]?.bytes ?? 0)
}

/** Rebuilds the tables of a base whose files hold much that nothing is in any more. */
export async function reclaim({ run }: Administration, base: string): Promise<void> {
  quoted(base)
  const tables = await run(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${base}' AND engine = 'InnoDB' AND data_free >= ${WORTH_BYTES}`,
  )
  for (const { name } of tables) {
    const table = `${quoted(base)}.${identifier(String(name))}`
    // One that somebody holds is not waited for: it is tried again at the next measurement.
    await run(`SET STATEMENT lock_wait_timeout = 2 FOR ALTER TABLE ${table} FORCE`, REBUILD_MS).catch(
      (error) => {
        if (!isRefusal(error)) throw error
      },
    )
  }
}
