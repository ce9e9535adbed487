import type { Readable } from 'node:stream'
import { AppError } from '../../../../lib/endpoint/errors.ts'
import { refusedDump } from '../../../../lib/loads/errors.ts'
import type { Owner } from '../../host/files.ts'
import { mariadbPlaces } from '../config.ts'
import type { Administration } from '../connection.ts'
import { allowReader, startDump, wholeOnly } from '../dump.ts'
import { identifier, quoted } from '../rights.ts'
import { WithoutDefiners } from './definers.ts'

/** Of what a base defines beside its rows, which the panel keeps whole while a dump is loaded. */
const MOST_BYTES = 16 * 1024 * 1024
/** What the server says of a statement beyond what it takes (ER_NET_PACKET_TOO_LARGE). */
const TOO_LARGE = 1153

/** Tables, with sequences among them; views are not. */
const tablesOf = (base: string): string =>
  `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${plain(base)}' AND table_type NOT IN ('VIEW', 'SYSTEM VIEW')`
const viewsOf = (base: string): string =>
  `SELECT table_name AS name FROM information_schema.views WHERE table_schema = '${plain(base)}'`
const triggersOf = (base: string): string =>
  `SELECT trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = '${plain(base)}'`
const programsOf = (base: string): string =>
  `SELECT routine_type AS kind, routine_name AS name FROM information_schema.routines WHERE routine_schema = '${plain(base)}'
   UNION ALL SELECT 'EVENT', event_name FROM information_schema.events WHERE event_schema = '${plain(base)}'`

/** As the server calls them, each before what it needs. */
const KINDS = ['EVENT', 'PACKAGE BODY', 'PACKAGE', 'FUNCTION', 'PROCEDURE']

function plain(base: string): string {
  quoted(base)
  return base
}

/** Whether a base has neither tables nor views. */
export const isEmpty = async ({ run }: Administration, base: string): Promise<boolean> =>
  (await run(`SELECT 1 FROM information_schema.tables WHERE table_schema = '${plain(base)}' LIMIT 1`))
    .length === 0

const namesIn = async ({ run }: Administration, question: string): Promise<string[]> =>
  (await run(question)).map(({ name }) => String(name))

export const tableNames = (administration: Administration, base: string): Promise<string[]> =>
  namesIn(administration, tablesOf(base))

export async function dropTriggers(administration: Administration, base: string): Promise<void> {
  for (const name of await namesIn(administration, triggersOf(base))) {
    await administration.run(`DROP TRIGGER IF EXISTS ${quoted(base)}.${identifier(name)}`)
  }
}

/** Drops what a base defines beside its tables and their triggers. */
export async function dropPrograms(administration: Administration, base: string): Promise<void> {
  const { run } = administration
  for (const name of await namesIn(administration, viewsOf(base))) {
    await run(`DROP VIEW IF EXISTS ${quoted(base)}.${identifier(name)}`)
  }
  const programs = await run(programsOf(base))
  for (const kind of KINDS) {
    for (const { name } of programs.filter((one) => one.kind === kind)) {
      await run(`DROP ${kind} IF EXISTS ${quoted(base)}.${identifier(String(name))}`)
    }
  }
}

type Means = { directory: string; administration: Administration; owner: Owner }

/** The SQL that makes a base's triggers again; empty where it has none. */
export async function triggersAsSql(means: Means, base: string): Promise<string> {
  const triggers = await namesIn(means.administration, triggersOf(base))
  return triggers.length === 0 ? '' : definitions(means, base, { what: ['--no-create-info', '--triggers'] })
}

/**
 * The SQL that makes all again that a base defines beside its tables, in an order in which each finds what it needs, for
 * whoever runs it; empty where there is nothing.
 */
export async function definitionsAsSql(means: Means, base: string): Promise<string> {
  const { administration } = means
  const [triggers, views, programs] = [
    await namesIn(administration, triggersOf(base)),
    await namesIn(administration, viewsOf(base)),
    await administration.run(programsOf(base)),
  ]
  const all = ['--no-create-info', '--triggers', '--routines', '--events']
  const others = triggers.length + programs.length > 0 ? await definitions(means, base, { what: all }) : ''
  const seen =
    views.length > 0 ? await definitions(means, base, { what: ['--skip-triggers'], tables: views }) : ''
  const sql = others + seen
  // It would lead to what is no more once this is the base's own.
  if (sql.includes(quoted(base))) throw new AppError('volcado_ajeno')
  return sql
}

async function definitions(
  { directory, administration, owner }: Means,
  base: string,
  only: { what: string[]; tables?: string[] },
): Promise<string> {
  await allowReader(administration, base)
  const what = ['--no-data', '--add-drop-trigger', ...only.what]
  const { stdout, ended, stop } = startDump(mariadbPlaces(directory).socket, owner, { ...only, base, what })
  // A view that leads to nothing is not dumped, and so would be lost.
  const dumped = await wholeOf(stdout.pipe(wholeOnly(ended))).catch((error) => {
    stop()
    throw error instanceof AppError ? error : new AppError('volcado_incompleto', {}, { cause: error })
  })
  const sql = new WithoutDefiners()
  return Buffer.concat([sql.add(dumped), sql.end()]).toString()
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw refusedDump(0, TOO_LARGE)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
