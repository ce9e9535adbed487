import { rmSync, statSync } from 'node:fs'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { SiteLogs } from '../../../lib/endpoint/ports/logs.ts'
import { oneOfEach } from '../../../lib/store/turns.ts'
import { CageRefused } from '../cage/cage.ts'
import { clientIdsOf, type Identity, idsIn, siteIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { ensureDirectory } from '../host/files.ts'
import { readLog } from '../usage/tail.ts'
import { LogFiles, type LogLimits } from './files.ts'
import { followLog } from './follow.ts'
import { readHours } from './hours.ts'
import { forgetTaken, hasWritten, readTaken, takeLogs } from './php.ts'
import { readPage } from './read.ts'
import { type AddedBySite, addedTo, splitLine } from './split.ts'
import { messagesIn } from './view.ts'

const EVERY_MS = 500
/** How often PHP's logs are taken although nobody reads them. */
const PHP_EVERY_MS = 60_000
const FOLLOWERS = { client: 20, all: 500 }
/** Of a client, beside the one that is going on: each reads 64 MB and takes half a second of the panel's time. */
const SEARCHES_WAITING = 4
/** What is split before the panel does anything else. */
const BATCH_BYTES = 4 * 1_048_576

export type SiteLogsOptions = {
  layout: Layout
  identity: Identity
  limits: LogLimits
  now: () => Date
  runCaged: NodeDriver['runCaged']
  report(message: string): void
}

/** The logs of a node's sites: split from the web server's, taken from their clients' PHP. */
export function createSiteLogs(options: SiteLogsOptions) {
  const { layout, limits, now } = options
  const files = new LogFiles({ root: layout.siteLogs, limits, now })
  const splitting = createTurns()
  const taking = createTurns()
  const split = () => splitting('', () => splitAll(layout, files))
  const takePhp = async (clientId: number) => {
    if (await hasWritten(layout, clientId)) await taking(clientId, () => takeOne(options, files, clientId))
  }
  const timers = createTimers(options, { split, takePhp })

  return {
    split,
    takePhp,
    /** Takes up what a kill cut short, and goes on from there. */
    begin(): void {
      const owner = options.identity.root
      const sites = clientIdsOf(layout).flatMap((clientId) => siteIdsOf(layout, clientId))
      for (const siteId of sites) ensureDirectory(layout.logsOf(siteId), { mode: 0o755, owner })
      files.recover()
      timers.start()
    },
    end: () => timers.stop(),
    prune(): void {
      for (const siteId of idsIn(layout.siteLogs)) files.prune(siteId)
    },
    logs: logsOf(options, { split, takePhp }),
  }
}

function logsOf({ layout }: SiteLogsOptions, { split, takePhp }: Work): SiteLogs {
  const followers = createFollowers()
  const inTurn = oneOfEach<number>(SEARCHES_WAITING)
  return {
    async page({ clientId, siteId, kind }, wanted) {
      if (wanted.before === null) await (kind === 'php' ? takePhp(clientId) : split())
      const read = () => readPage(layout.logsOf(siteId), kind, wanted)
      const { text, status } = wanted.filter
      return text === null && status === null ? read() : inTurn(clientId, read)
    },
    async hours({ siteId }, wanted) {
      await split()
      return readHours(layout.logsOf(siteId), wanted)
    },
    async *follow({ clientId, siteId, kind }, wanted) {
      const leave = followers.enter(clientId)
      try {
        // Visits come by themselves.
        const bring = () => (kind === 'php' ? takePhp(clientId) : Promise.resolve())
        yield* followLog(layout.logsOf(siteId), kind, { ...wanted, bring })
      } finally {
        leave()
      }
    },
  }
}

/** All that is known of a site that is gone. Nothing is written for it any more once its directory is. */
export const removeLogs = (layout: Layout, siteId: number): void =>
  rmSync(layout.logsOf(siteId), { recursive: true, force: true })

/** Runs one work of a kind at a time; who asks while one waits for its turn waits for that one. */
function createTurns() {
  const running = new Map<unknown, { now: Promise<void>; next: Promise<void> | null }>()
  return function turn(of: unknown, work: () => Promise<void>): Promise<void> {
    const known = running.get(of)
    if (known === undefined) {
      const entry = { now: Promise.resolve(), next: null as Promise<void> | null }
      running.set(of, entry)
      entry.now = work().finally(() => {
        if (entry.next === null) running.delete(of)
      })
      return entry.now
    }
    known.next ??= known.now
      .catch(() => undefined)
      .then(() => {
        running.delete(of)
        return turn(of, work)
      })
    return known.next
  }
}

/** Counts who follows a log: each looks at it twice a second. */
function createFollowers() {
  const counts = new Map<number, number>()
  let all = 0
  const change = (clientId: number, by: number) => {
    all += by
    counts.set(clientId, (counts.get(clientId) ?? 0) + by)
  }
  return {
    enter(clientId: number): () => void {
      if (all >= FOLLOWERS.all || (counts.get(clientId) ?? 0) >= FOLLOWERS.client)
        throw new AppError('espera', { retryAfterSeconds: 30 })
      change(clientId, 1)
      return () => change(clientId, -1)
    },
  }
}

type Work = { split(): Promise<void>; takePhp(clientId: number): Promise<void> }

/** What a client does to its own logs is told to whoever asks for them. */
function complainOf(report: SiteLogsOptions['report'], error: unknown): void {
  if (error instanceof AppError) return
  report(`logs of sites: ${error instanceof Error ? error.message : 'unknown'}`)
}

function createTimers({ layout, report }: SiteLogsOptions, { split, takePhp }: Work) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = true
  let seen = ''
  let php = performance.now()
  const complain = (error: unknown) => complainOf(report, error)
  const takeAll = async () => {
    for (const clientId of clientIdsOf(layout)) await takePhp(clientId).catch(complain)
    php = performance.now()
  }
  const look = async () => {
    const found = statSync(layout.accessLog, { throwIfNoEntry: false })
    const mark = `${found?.ino} ${found?.size}`
    if (mark !== seen) await split()
    seen = mark
    if (performance.now() - php < PHP_EVERY_MS) return
    php = Number.POSITIVE_INFINITY
    void takeAll()
  }
  const next = () => {
    if (stopped) return
    timer = setTimeout(() => {
      void look().catch(complain).then(next)
    }, EVERY_MS)
    timer.unref()
  }
  return {
    start() {
      if (!stopped) return
      stopped = false
      next()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** Takes the web server's log to its end, as that was then. */
async function splitAll(layout: Layout, files: LogFiles): Promise<void> {
  for (let bytes = BATCH_BYTES; bytes >= BATCH_BYTES; ) {
    const sites: AddedBySite = new Map()
    const before = files.cursor
    bytes = 0
    const cursor = await readLog(layout.accessLog, before, {
      maxBytes: BATCH_BYTES,
      line(text) {
        bytes += text.length + 1
        splitLine(sites, text)
      },
    })
    if (cursor === before) return
    files.add(sites, { cursor })
  }
}

/** Takes what PHP of one client has written. What is its client's stays there while it is suspended. */
async function takeOne(
  { layout, runCaged, now }: SiteLogsOptions,
  files: LogFiles,
  clientId: number,
): Promise<void> {
  for (const { siteId, name } of await takeLogs(layout, clientId)) {
    const taken = `${clientId}/${name}`
    if (taken !== files.taken && siteIdsOf(layout, clientId).includes(siteId)) {
      const text = await readTaken(runCaged, layout, { clientId, name }).catch(unlessRefused)
      if (text === null) return
      const sites: AddedBySite = new Map()
      const { php } = addedTo(sites, siteId)
      for (const line of messagesIn(text, now())) php.push(line)
      files.add(sites, { taken })
    }
    forgetTaken(layout, clientId, name)
  }
}

function unlessRefused(error: unknown): null {
  if (error instanceof CageRefused) return null
  throw error
}
