import { readdir, stat } from 'node:fs/promises'
import type { Administration } from './connection.ts'
import { quoted } from './rights.ts'

/** At a time, so that the panel does everything else meanwhile. */
const AT_ONCE = 8
/** The files of tables and partitions, and those of what tables, views and triggers are defined by. */
const ROWS = /\.ibd$/
const DEFINITIONS = /\.(?:frm|TRG)$/

export type Files = { bytes: number; files: number }

/** The files of a base, by its directory: how many there are of its tables, and the bytes of all that counts as its own. */
export async function filesOf(directory: string): Promise<Files> {
  const [rows, definitions] = await Promise.all([sumOf(directory, ROWS), sumOf(directory, DEFINITIONS)])
  return { bytes: rows.bytes + definitions.bytes, files: rows.files }
}

/** The bytes of the definitions of a base's tables, views and triggers. */
export const definitionsBelow = async (directory: string): Promise<number> =>
  (await sumOf(directory, DEFINITIONS)).bytes

async function sumOf(directory: string, which: RegExp): Promise<Files> {
  const names = (await namesIn(directory)).filter((name) => which.test(name))
  const sum = { bytes: 0, files: names.length }
  const next = names.values()
  const work = async () => {
    for (const name of next) {
      const bytes = await bytesAt(`${directory}/${name}`)
      sum.bytes += bytes
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return sum
}

/** The bytes of each of these bases; 0 for one that is not there. */
export async function sizesOf(
  administration: Pick<Administration, 'run'>,
  data: string,
  names: string[],
): Promise<Map<string, number>> {
  const programs = await programBytes(administration, names)
  const sizes = new Map<string, number>()
  for (const name of names) {
    const { bytes } = await filesOf(`${data}/${name}`)
    sizes.set(name, bytes + (programs.get(name) ?? 0))
  }
  return sizes
}

/** What the server keeps of routines and events, which lie in tables of its own; of these bases, or of all. */
export async function programBytes(
  { run }: Pick<Administration, 'run'>,
  names: string[] | null,
): Promise<Map<string, number>> {
  for (const name of names ?? []) quoted(name)
  if (names?.length === 0) return new Map()
  const which = names === null ? '' : `WHERE db IN ('${names.join("', '")}')`
  const rows = await run(
    `SELECT db AS base, sum(length(param_list) + length(body) + length(body_utf8) + length(comment)) AS bytes FROM mysql.proc ${which} GROUP BY db
     UNION ALL SELECT db, sum(length(body) + length(body_utf8) + length(comment)) FROM mysql.event ${which} GROUP BY db`,
  )
  const sizes = new Map<string, number>()
  for (const { base, bytes } of rows) {
    sizes.set(String(base), (sizes.get(String(base)) ?? 0) + Number(bytes))
  }
  return sizes
}

/** None where the base is gone, or was never made. */
const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => [])

/** None of a file that is gone meanwhile. */
const bytesAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
