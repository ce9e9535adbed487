import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Caged, NodeDriver } from '../../../../lib/endpoint/node-port.ts'
import { mariadbPlaces } from '../config.ts'
import { SERVER_SOCKET, serverShown } from '../loading/feed.ts'
import { type Page, pageOf } from './parts.ts'
import { prepareProgram, SHOWN_PROGRAM } from './program.ts'
import viewerProgram from './viewer.php' with { type: 'text' }
import type { View, Views } from './views.ts'

export type Asking = {
  method: 'GET' | 'POST'
  path: string
  query: string
  host: string
  language: string
  /** Whether a script of the page asks. */
  script: boolean
  /** What was sent, as a form. */
  form: string
  files: { field: string; name: string; content: string }[]
}

export type Answered = Page & { nonce: string }

/** A statement may take a minute, and its result be as long on its way. */
const LONGEST_MS = 240_000
/** At once, for one browser. */
const MOST_RUNNING = 8
const SETTINGS = [
  'display_errors=0',
  'log_errors=0',
  'memory_limit=192M',
  'max_input_vars=20000',
  'mysqli.allow_local_infile=0',
  'opcache.enable_cli=0',
]

/** What shows databases of a node to browsers. */
export type Viewer = { views: Views; directory: string; runCaged: NodeDriver['runCaged'] }

/** Makes a page of a view in the cage of the base's client; null where it may not be made now. */
export async function makePage(viewer: Viewer, view: View, asking: Asking): Promise<Answered | null> {
  const program = prepareProgram(viewer.directory)
  const php = newestPhp()
  if (program === null || php === null || view.running.size >= MOST_RUNNING) return null
  const nonce = randomBytes(18).toString('base64')
  const caged = await viewer.runCaged({
    argv: [php, ...SETTINGS.flatMap((one) => ['-d', one])],
    client: { clientId: view.clientId, sites: [] },
    sees: 'client',
    deadlineMs: LONGEST_MS,
    stdin: 'pipe',
    shows: [serverShown(mariadbPlaces(viewer.directory)), { from: program, at: SHOWN_PROGRAM }],
  })
  keepTrack(view, caged)
  try {
    await caged.stdin?.write(new TextEncoder().encode(programOf(view, asking, nonce)))
    caged.stdin?.end()
    const keep = (kept: string) => {
      view.kept = kept
    }
    return { ...(await pageOf(caged.stdout, keep)), nonce }
  } catch (error) {
    caged.stop()
    throw error
  }
}

function keepTrack(view: View, caged: Caged): void {
  view.running.add(caged)
  void caged.ended.finally(() => view.running.delete(caged))
}

/** What is asked goes in a form that no text in it can leave. */
function programOf(view: View, asking: Asking, nonce: string): string {
  const { account, password, base, kept, token } = view
  const asked = {
    ...asking,
    account,
    password,
    base,
    kept,
    token,
    nonce,
    server: `localhost:${SERVER_SOCKET}`,
  }
  const json = Buffer.from(JSON.stringify(asked)).toString('base64')
  return `<?php\n$asked = json_decode(base64_decode('${json}'), true, 32, JSON_THROW_ON_ERROR);\n${viewerProgram}`
}

/** By its real name: the cage has no alternatives. */
function newestPhp(): string | null {
  const names = readdirSync('/usr/bin').filter((name) => /^php\d{1,2}\.\d{1,2}$/.test(name))
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null
}
