import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DatabaseServer } from '../../../lib/endpoint/ports/databases.ts'
import type { DumpFile } from '../../../lib/endpoint/ports/loads.ts'
import { ensureDirectory, type Owner, ROOT } from '../host/files.ts'
import { PROGRAM_ENVIRONMENT } from '../services/program.ts'
import { mariadbPlaces } from './config.ts'
import { type Administration, isRefusal } from './connection.ts'
import { DOWNLOAD_PACE, downloadSlots, paced } from './paced.ts'
import { identifier, quoted, rightsOn, userAt } from './rights.ts'

const DUMP = '/usr/bin/mariadb-dump'
const SETPRIV = '/usr/bin/setpriv'
/** The account that dumps what goes to the bin: it reads, and is neither root's nor the panel's. */
const READER = 'mysql'
/** Without it a dump that was cut off would look whole. */
const LAST_LINE = '-- Dump completed'
const TAIL_BYTES = 200
const ERROR_MAX = 2_000
/** ER_VIEW_INVALID. */
const INVALID_VIEW = 1356
/** Dumps at a time that are read by those who asked for one; each holds the base's former rows meanwhile. */
const MOST_OPEN = 2
const LONGEST_MS = 3_600_000

/** How a dump is made: of one moment, without the base's own name, and the same bytes for the same content. */
const DUMP_OPTIONS = [
  '--no-defaults',
  '--single-transaction',
  '--quick',
  '--skip-lock-tables',
  '--hex-blob',
  '--no-tablespaces',
  '--skip-dump-date',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=64M',
]

/** All that a base holds. */
const WHOLE = ['--routines', '--events', '--triggers']

const DUMP_FILE = 'volcado.sql.gz'

/** Where dumps are written before they go to the bin. */
export const dumpsIn = (directory: string): string => join(directory, 'dumps')

type Means = {
  directory: string
  administration: Administration
  owner: Owner
  report(message: string): void
}

/** Writes a base's whole dump into a directory of its own; answers that. Nothing is left of one that fails. */
export async function dumpToFile(means: Means, base: { name: string }): Promise<string> {
  const { directory, owner } = means
  const without = await readyFor(means, base.name)
  const home = dumpsIn(directory)
  const made = join(home, randomBytes(9).toString('hex'))
  ensureDirectory(home, { mode: 0o700, owner: ROOT })
  ensureDirectory(made, { mode: 0o700, owner: ROOT })
  try {
    const wanted = { base: base.name, what: WHOLE, without }
    const dumping = startDump(mariadbPlaces(directory).socket, owner, wanted)
    await pipeline(
      dumping.stdout,
      wholeOnly(dumping.ended),
      createGzip(),
      createWriteStream(join(made, DUMP_FILE), { mode: 0o600, flush: true }),
    )
    return made
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
}

/** Opens a dump that `dumpToFile` wrote into this directory. */
export function openDump(made: string): DumpFile {
  const file = Bun.file(join(made, DUMP_FILE))
  const content = file.stream()
  return {
    bytes: statSync(join(made, DUMP_FILE)).size,
    content,
    close: () => content.cancel().catch(() => {}),
  }
}

/**
 * Makes dumps that are read while they are made, compressed. What fails, lasts more than an hour or is no longer read
 * ends with its program; it breaks off before the end that would make it look whole. 503 where too many are read, or one
 * of the client's is.
 */
export function createDumps(means: Means): DatabaseServer['dump'] {
  const begin = downloadSlots(MOST_OPEN)
  return async (base, reader) => {
    if (reader === null) return paced((await beginDump(means, base)).compressed, null)
    const end = begin(reader.clientId)
    try {
      const { compressed, ended } = await beginDump(means, base)
      void ended.finally(end)
      return paced(compressed, DOWNLOAD_PACE)
    } catch (error) {
      end()
      throw error
    }
  }
}

async function beginDump(means: Means, base: { name: string }) {
  const wanted = { base: base.name, what: WHOLE, without: await readyFor(means, base.name) }
  const dumping = startDump(mariadbPlaces(means.directory).socket, means.owner, wanted)
  const compressed = createGzip()
  const late = setTimeout(dumping.stop, LONGEST_MS)
  const ended = pipeline(dumping.stdout, wholeOnly(dumping.ended), compressed)
    // Who reads it is told by the broken stream.
    .catch(dumping.stop)
    .finally(() => clearTimeout(late))
  return { compressed, ended }
}

/** Lets it be dumped; answers what of it cannot be. */
async function readyFor({ administration, report }: Means, base: string): Promise<string[]> {
  await allowReader(administration, base)
  const broken = await brokenViews(administration, base)
  if (broken.length > 0) {
    report(
      `${base}: views that refer to what is gone are left out of a dump: ${broken.join(', ').slice(0, 500)}`,
    )
  }
  return broken
}

/** Views of a base that refer to what is gone. MariaDB cannot read them, and a dump would end at the first. */
async function brokenViews({ run }: Administration, base: string): Promise<string[]> {
  const at = quoted(base)
  const rows = await run(
    `SELECT TABLE_NAME AS name FROM information_schema.VIEWS WHERE TABLE_SCHEMA = '${base}'`,
  )
  const broken: string[] = []
  for (const name of rows.map((row) => String(row.name))) {
    await run(`SHOW FIELDS FROM ${at}.${identifier(name)}`).catch((error) => {
      if (!isRefusal(error, INVALID_VIEW)) throw error
      broken.push(name)
    })
  }
  return broken
}

/** Reads all of one base, and of the others nothing but the text of their routines. */
export async function allowReader({ run }: Administration, base: string): Promise<void> {
  const user = userAt(READER, 'localhost')
  await run(`CREATE USER IF NOT EXISTS ${user} IDENTIFIED VIA unix_socket`)
  for (const statement of rightsOn(base, user, 'dump')) await run(statement)
  await run(`GRANT SELECT ON mysql.proc TO ${user}`)
}

type Wanted = { base: string; what: string[]; tables?: string[]; without?: string[] }

/** Dumps a base, or these tables of it, or all `without` some, as `what` says. */
export function startDump(socket: string, owner: Owner, { base, what, tables = [], without = [] }: Wanted) {
  const user = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups']
  const argv = [...user, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--', DUMP]
  quoted(base)
  const left = without.map((view) => `--ignore-table=${base}.${view}`)
  const at = [...left, `--socket=${socket}`, `--user=${READER}`, '--', base, ...tables]
  const child = spawn(SETPRIV, [...argv, ...DUMP_OPTIONS, ...what, ...at], {
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < ERROR_MAX) said += part.toString()
  })
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? null : `${said} (${code})`))
  })
  return { stdout: child.stdout as Readable, ended, stop: () => void child.kill('SIGKILL') }
}

/** Passes a dump on, and ends only after a whole one: what failed or was cut off is broken off before its end. */
export function wholeOnly(ended: Promise<string | null>): Transform {
  let tail = Buffer.alloc(0)
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      tail = Buffer.concat([tail, part]).subarray(-TAIL_BYTES)
      done(null, part)
    },
    flush(done) {
      void ended.then((fault) => {
        const cut = tail.toString().includes(LAST_LINE) ? null : 'cut off'
        const why = fault ?? cut
        done(why === null ? null : new Error(`mariadb-dump failed: ${why}`))
      })
    },
  })
}
