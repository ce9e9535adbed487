import { readdir, stat } from 'node:fs/promises'
import type { Administration } from './connection.ts'
import { quoted } from './rights.ts'

/** At a time, so that the panel does everything else meanwhile. */
const AT_ONCE = 8
/** The files of what tables, views and triggers are defined by; those of tables and partitions besides. */
const DEFINITIONS = /\.(?:frm|TRG)$/
const ALL = /\.(?:ibd|frm|TRG)$/

export type Size = { bytes: number; files: number }

/** What these bases take together, and in how many files; nothing for one that is not there. */
export async function sizeOf(
  administration: Pick<Administration, 'run'>,
  data: string,
  names: string[],
): Promise<Size> {
  const size = { bytes: 0, files: 0 }
  for (const bytes of (await programBytes(administration, names)).values()) size.bytes += bytes
  for (const name of names) {
    const { bytes, files } = await sumOf(`${data}/${name}`, ALL)
    size.bytes += bytes
    size.files += files
  }
  return size
}

/** The bytes of the definitions of a base's tables, views and triggers, by its directory. */
export const definitionsBelow = async (directory: string): Promise<number> =>
  (await sumOf(directory, DEFINITIONS)).bytes

async function sumOf(directory: string, which: RegExp): Promise<Size> {
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
