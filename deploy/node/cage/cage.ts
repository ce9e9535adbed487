import type { Caged, CagedEnd, CagedProgram } from '../../../lib/endpoint/node-port.ts'
import type { Identity } from '../files/clients.ts'
import { hostName, id, type Layout } from '../files/layout.ts'
import { openControl } from '../php/control.ts'
import { NO_LIMITS, readWanted, writeWanted } from '../php/wanted.ts'
import { lastWords, readFrom, writeTo } from './bytes.ts'
import { createStreams, type Streams } from './streams.ts'

/** A cage that could not be made; the message says why. */
export class CageRefused extends Error {}

const LONGEST_MS = 24 * 3_600_000
/** A killed keeper is started again well within this time. */
const RETURN_MS = 5_000
const AGAIN_MS = 50

/**
 * Runs programs as clients. The keeper of PHP makes their cages as it makes those of PHP, because it is root without
 * systemd's restrictions on the panel, and holds the clients' control groups. It ends a program when the panel's
 * connection closes, so no program outlives a killed panel.
 */
export function createCages(layout: Layout, identity: Identity, isPaused: (clientId: number) => boolean) {
  let streams: Streams | null = null

  return async function runCaged(program: CagedProgram): Promise<Caged> {
    const clientId = Number(id(program.client.clientId))
    const owner = identity.customer(clientId)
    if (owner === null) throw new CageRefused('no cages here: the panel is not root')
    if (!(program.deadlineMs > 0 && program.deadlineMs <= LONGEST_MS)) throw new TypeError('no such deadline')
    if (program.network && isPaused(clientId)) {
      throw new CageRefused('its programs took ports that all need: they are kept out for a while')
    }
    const wishes = wishesOf(program)
    // A client that the keeper does not know, because it never had PHP, gets the limits that apply to all clients.
    if (readWanted(layout, clientId) === null) {
      writeWanted(layout, clientId, { owner, versions: [], limits: NO_LIMITS })
    }
    streams ??= await createStreams(layout.run)
    const until = performance.now() + RETURN_MS
    for (;;) {
      const caged = await begin({ layout, streams, wishes, program })
      if (caged !== null) return caged
      if (performance.now() > until) throw new CageRefused('the keeper of cages does not run')
      await Bun.sleep(AGAIN_MS)
    }
  }
}

type Begin = { layout: Layout; streams: Streams; wishes: string; program: CagedProgram }

/** Null if no keeper answers; a keeper that takes over drops programs that its predecessor had not started. */
async function begin({ layout, streams, wishes, program }: Begin): Promise<Caged | null> {
  const run = streams.expect()
  const command = `cage ${id(program.client.clientId)} ${run.key} ${Math.ceil(program.deadlineMs)}`
  const control = await openControl(layout, command)
  if (control === null) {
    run.forget()
    return null
  }
  const answer = control.answer
  void run.stream('ask').then(({ socket }) => socket.end(wishes))
  const streaming = Promise.all([
    program.stdin === 'pipe' ? run.stream('in') : null,
    run.stream('out'),
    run.stream('err'),
  ])
  const first = await Promise.race([streaming, answer])
  if (first === '') {
    run.forget()
    return null
  }
  if (typeof first === 'string' && !first.startsWith('ended ')) {
    run.forget()
    throw new CageRefused(first.replace(/^failed /, ''))
  }
  // A short program may have ended before this process looked at its streams; they wait all the same.
  const [stdin, stdout, stderr] = await streaming
  run.forget()
  const words = lastWords(stderr)
  return {
    stdin: stdin && writeTo(stdin),
    stdout: readFrom(stdout),
    ended: answer.then(async (text) => endOf(text, await words)),
    stop: control.stop,
  }
}

/** The program's description for the keeper, which reads it in `asked`. */
function wishesOf(program: CagedProgram): string {
  const { client, sees, argv } = program
  const sites = client.sites.filter(({ domain }) => sees === 'client' || domain === sees.site)
  if (sees !== 'client' && sites.length === 0) throw new CageRefused('no such site')
  const pairs = [
    ...sites.map(({ siteId, domain }) => `site=${id(siteId)} ${hostName(domain)}`),
    ...(program.shows ?? []).map(({ from, at }) => `show=${from} ${at}`),
    ...argv.map((word) => `arg=${word}`),
    ...(program.directory === undefined ? [] : [`dir=${program.directory}`]),
    ...(program.network ? ['net=1'] : []),
    ...(program.readOnly ? ['readonly=1'] : []),
    ...(program.joined ? ['joined=1'] : []),
    ...(program.stdin === 'pipe' ? ['in=1'] : []),
    ...(program.fileBytes === undefined ? [] : [`fsize=${Math.floor(program.fileBytes)}`]),
  ]
  if (pairs.some((pair) => pair.includes('\0'))) throw new TypeError('a zero byte in what a program is given')
  return pairs.map((pair) => `${pair}\0`).join('')
}

/** The exit code as a shell reports it: 128 and the signal's number if a signal ended the program. */
function endOf(text: string, stderr: string): CagedEnd {
  const [, status, why] = /^ended (\d+) (exit|deadline|stopped)$/.exec(text) ?? []
  if (status === undefined) {
    // No answer: the keeper was killed, and the program with it.
    return { code: null, signal: 9, reason: text === '' ? 'stopped' : 'refused', stderr }
  }
  const signal = Number(status) > 128 && Number(status) < 160 ? Number(status) - 128 : null
  const reason = why === 'deadline' || why === 'stopped' ? why : 'exit'
  return { code: signal === null ? Number(status) : null, signal, reason, stderr }
}
