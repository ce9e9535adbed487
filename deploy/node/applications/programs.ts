import { MANIFESTS } from '../../../lib/applications/manifests/index.ts'
import { AppError, type ErrorCode } from '../../../lib/endpoint/errors.ts'
import type { Caged, NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { ApplicationKind, ApplicationPlace } from '../../../lib/endpoint/ports/applications.ts'
import { lastText } from '../../../lib/schedules/output.ts'
import { CageRefused } from '../cage/cage.ts'
import { whileWanted } from '../cage/while-wanted.ts'
import { LONG_MS, ProgramFailed, requireSuccess } from '../customer-files/programs.ts'
import { ensureSiteDirectories, type Identity } from '../files/clients.ts'
import { type Layout, phpVersion } from '../files/layout.ts'
import changes from './php/changes.php' with { type: 'text' }
import common from './php/common.php' with { type: 'text' }
import copies from './php/copies.php' with { type: 'text' }
import dokuwiki from './php/dokuwiki.php' with { type: 'text' }
import mediawiki from './php/mediawiki.php' with { type: 'text' }
import wordpress from './php/wordpress.php' with { type: 'text' }

export type Node = { layout: Layout; identity: Identity; runCaged: NodeDriver['runCaged'] }

/** What a program works on, and what ends it. */
type Running = {
  at: ApplicationPlace
  beside?: ApplicationPlace | undefined
  signal?: AbortSignal | undefined
}
type Program = { argv: readonly [string, ...string[]]; stdin?: 'pipe'; deadlineMs?: number }

/** What works on each application, beside what is the same for all. */
const PROGRAMS: Record<ApplicationKind, string> = {
  wordpress: `${copies}\n${wordpress}`,
  dokuwiki,
  mediawiki,
}
/** How PHP runs for it. */
const SETTINGS = ['display_errors=stderr', 'log_errors=0', 'memory_limit=256M', 'opcache.enable_cli=0']
/** Longest work of the application itself. */
const WORK_MS = 300_000
const SIGKILL = 9

/** Starts a program as the client, of whose sites it sees this one and the one beside it. */
async function begin(
  { layout, identity, runCaged }: Node,
  { at, beside }: Running,
  program: Program,
): Promise<Caged> {
  ensureSiteDirectories(layout, identity, at)
  try {
    return await runCaged({
      client: { clientId: at.clientId, sites: beside ? [at, beside] : [at] },
      sees: beside ? 'client' : { site: at.domain },
      directory: `/sitios/${at.domain}`,
      deadlineMs: LONG_MS,
      ...program,
    })
  } catch (error) {
    if (!(error instanceof CageRefused)) throw error
    throw new AppError('no_disponible', { retryAfterSeconds: 5 }, { cause: error })
  }
}

/** Runs one to its end; what it reads, if anything, comes from `feed`. */
export async function runProgram(
  node: Node,
  { at, beside, signal }: Running,
  program: Program & { feed?: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void> },
): Promise<void> {
  const { feed, ...words } = program
  const caged = await begin(node, { at, beside }, { ...words, ...(feed ? { stdin: 'pipe' as const } : {}) })
  await whileWanted([caged], signal, async () => {
    const said = caged.stdout.pipeTo(new WritableStream())
    await feed?.((bytes) => caged.stdin?.write(bytes) ?? Promise.resolve())
    caged.stdin?.end()
    await said
    await requireSuccess(caged)
  })
}

/** The program of an application's own, with the PHP of its site. */
export const phpArguments = ({ php }: Pick<ApplicationPlace, 'php'>): [string, ...string[]] => [
  `php${phpVersion(php)}`,
  ...SETTINGS.flatMap((one) => ['-d', one]),
]

/** Has PHP do a piece of work on a site's application; answers what it told. */
export async function askApplication(
  node: Node,
  { at, beside, signal }: Running,
  asked: { verb: string } & Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const program = { argv: phpArguments(at), stdin: 'pipe' as const, deadlineMs: WORK_MS }
  const caged = await begin(node, { at, beside }, program)
  return whileWanted([caged], signal, async () => {
    const saying = lastText(caged.stdout)
    await caged.stdin?.write(new TextEncoder().encode(programOf(at.kind, asked)))
    caged.stdin?.end()
    const said = await saying
    const told = /^@panel (\{.*\}|\[\])$/m.exec(said)?.[1]
    const end = await caged.ended
    // It ends itself so, once it has answered.
    if (told === undefined || end.signal !== SIGKILL) {
      await requireSuccess(caged)
      // Applications tell what they die of as a page.
      throw new ProgramFailed(`${end.stderr.slice(0, 300)} ${said.replace(/<[^<>]*>|\s+/g, ' ').slice(-300)}`)
    }
    return refusing(JSON.parse(told))
  })
}

/** The program with what it is asked, which no text in it can leave. */
function programOf(kind: ApplicationKind, asked: Record<string, unknown>): string {
  const { settings, entry, version, update } = MANIFESTS[kind]
  const app = { settings, entry, version, kept: update.kept }
  const json = Buffer.from(JSON.stringify({ ...asked, app })).toString('base64')
  return `<?php\n$asked = json_decode(base64_decode('${json}'), true, 32, JSON_THROW_ON_ERROR);\n${common}\n${changes}\n${PROGRAMS[kind]}`
}

/** A version or a language that programs of a client told, who can have them tell anything; null for none. */
export const wordIn = (told: unknown): string | null =>
  typeof told === 'string' && /^[0-9A-Za-z._+-]{1,40}$/.test(told) ? told : null

/** With what the panel's own programs refuse; a client's, which run beside them, could tell any other code. */
const REFUSALS: ErrorCode[] = ['sitio_no_vacio', 'tabla_no_admitida', 'aplicacion_no_existe']

function refusing(told: Record<string, unknown>): Record<string, unknown> {
  if (!('refused' in told)) return told
  throw new AppError(REFUSALS.find((code) => code === told.refused) ?? 'aplicacion_no_responde')
}
