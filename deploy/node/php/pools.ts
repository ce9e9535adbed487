import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../files/clients.ts'
import { type Layout, phpVersion } from '../files/layout.ts'
import { ensureDirectory, readLink, removeFile, setLink, writeWhole } from '../files/safe.ts'
import type { ServiceDefinition } from '../services/definition.ts'
import {
  commandLine,
  findProcesses,
  isAlive,
  type ProcessState,
  signal,
  userOf,
  waitUntil,
} from '../services/process.ts'
import { runProgram } from '../services/program.ts'
import type { Supervisor } from '../services/supervisor.ts'
import { BLOCK_CLIENTS, type Block, blockOf, FPM_SETTINGS, poolName, renderFpmConfig } from './config.ts'

export type PhpOptions = {
  layout: Layout
  identity: Identity
  supervisor: Supervisor
  /** Whether PHP runs here at all. */
  enabled: boolean
  /** Where to look for the programs; Debian's place unless a test says otherwise. */
  programDirectory?: string
}

export type Php = ReturnType<typeof createPhp>

const PROGRAM = /^php-fpm([0-9]{1,2}\.[0-9]{1,2})$/
const END_MS = 500
/** How a main process names itself; only root's is believed. */
const MAIN = 'php-fpm: master process'

/** The clients' PHP: pools by blocks of clients, each block one service. */
export function createPhp(options: PhpOptions) {
  const { layout, supervisor } = options
  const starting = new Map<string, Promise<void>>()
  const directory = options.programDirectory ?? '/usr/sbin'

  /** Versions that Debian has installed, oldest first; empty where PHP is off. */
  const versions = (): string[] => (options.enabled ? installedVersions(directory) : [])

  const startBlock = (block: Block): Promise<void> => {
    const key = linkPath(layout, block)
    const started = starting.get(key)
    if (started !== undefined) return started
    const run = bringUpBlock(options, directory, block).finally(() => starting.delete(key))
    starting.set(key, run)
    return run
  }

  return {
    versions,

    /** Makes sure that the client's pool of this version listens. Throws when the version is not installed. */
    async ensure(version: string, clientId: number): Promise<void> {
      if (!versions().includes(version)) throw new Error(`PHP ${version} is not installed on this node`)
      const block = blockOf(version, clientId)
      if (existsSync(join(linkPath(layout, block), `${clientId}.s`)) && isRunning(supervisor, block)) return
      await startBlock(block)
    },

    /** Lets a site run this version of PHP, or none. The web server looks for the link at each request. */
    setSite(site: { siteId: number; clientId: number }, version: string | null): void {
      const path = layout.phpLink(site.siteId)
      if (version === null || !options.enabled) {
        removeFile(path)
        return
      }
      const { number } = blockOf(version, site.clientId)
      setLink(layout.temporary, path, `../f/${version}/b${number}`)
    },

    /**
     * Ends all PHP that runs for a client now; the web server must no longer send it requests. PHP-FPM replaces
     * each ended worker by a fresh one, which has run nothing of the customer's and ends idle within seconds:
     * then a suspended client holds no memory.
     */
    async endWorkers(clientId: number): Promise<void> {
      const title = `php-fpm: pool ${poolName(clientId)}`
      const mains = mainProcesses(supervisor)
      const children = (name: string) =>
        findProcesses(({ pid, parent }) => mains.has(parent) && commandLine(pid).startsWith(name))
      // A worker that was forked a moment ago does not show yet whose it is.
      await waitUntil(() => children('php-fpm: master').length === 0, { timeoutMs: END_MS })
      const workers = children(title).filter(({ pid }) => commandLine(pid) === title)
      for (const worker of workers) signal(worker, 'SIGTERM')
      if (await waitUntil(() => !workers.some(isAlive), { timeoutMs: END_MS })) return
      for (const worker of workers) signal(worker, 'SIGKILL')
      await waitUntil(() => !workers.some(isAlive), { timeoutMs: END_MS })
    },

    /** Whether a process was started by this node's PHP-FPM itself; a command beside the panel asks too. */
    isWorker: ({ parent }: ProcessState): boolean =>
      userOf(parent) === 0 && commandLine(parent).startsWith(`${MAIN} (${layout.fpm}/`),

    /** Starts the blocks that sites of this node lead to. */
    async startAll(): Promise<void> {
      const installed = versions()
      const wanted = new Set(readdirSync(layout.php).map((name) => readLink(join(layout.php, name)) ?? ''))
      const blocks = [...wanted].flatMap((target) => {
        const [, version = '', number = ''] = /^\.\.\/f\/([0-9.]+)\/b(\d+)$/.exec(target) ?? []
        return installed.includes(version) ? [{ version, number: Number(number) }] : []
      })
      // The first client finds PHP running.
      const newest = installed.at(-1)
      if (blocks.length === 0 && newest !== undefined) blocks.push({ version: newest, number: 0 })
      for (const block of blocks) await startBlock(block)
      await supervisor.endOthers('php', (name) => supervisor.names().includes(name))
    },
  }
}

/** Versions of PHP-FPM in Debian's place, oldest first. */
export function installedVersions(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .flatMap((name) => PROGRAM.exec(name)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/**
 * Starts a block under a name that follows from its configuration, and only when it answers points the link
 * at its sockets: a new generation that does not start changes nothing, and the old one ends its requests.
 */
async function bringUpBlock(options: PhpOptions, directory: string, block: Block): Promise<void> {
  const { layout, supervisor, identity } = options
  const program = join(directory, `php-fpm${block.version}`)
  ensureDirectory(layout.fpmVersion(block.version), { mode: 0o711, owner: identity.root })
  const build = await buildOf(program)
  const render = (generation: string) =>
    renderFpmConfig({
      layout,
      block,
      build,
      sockets: `${linkPath(layout, block)}-${generation}`,
      pidFile: join(layout.run, `php${block.version}-${block.number}-${generation}.pid`),
      customer: identity.customer,
      web: identity.root === null ? null : identity.web,
    })
  const generation = createHash('sha256').update(render('')).digest('hex').slice(0, 8)
  const sockets = `${linkPath(layout, block)}-${generation}`
  ensureDirectory(sockets, { mode: 0o711, owner: identity.root })
  const prefix = `php${block.version}-b${block.number}-`
  const definition = fpmService(layout, { program, sockets, block, content: render(generation) })
  await supervisor.start(`${prefix}${generation}`, definition)
  setLink(layout.temporary, linkPath(layout, block), `b${block.number}-${generation}`)
  await supervisor.endOthers(prefix, (name) => name === `${prefix}${generation}`)
}

function fpmService(
  layout: Layout,
  fpm: { program: string; sockets: string; block: Block; content: string },
): ServiceDefinition {
  const path = `${fpm.sockets}.conf`
  const last = join(fpm.sockets, `${(fpm.block.number + 1) * BLOCK_CLIENTS - 1}.s`)
  return {
    argv: [fpm.program, '--nodaemonize', '--fpm-config', path, ...FPM_SETTINGS],
    marker: `${MAIN} (${path})`,
    files: [{ path, content: fpm.content, mode: 0o600 }],
    // A connection would start a worker; the last pool's socket is there when all are.
    ready: async () => existsSync(last),
    check: async () => {
      await checkConfig(layout, fpm)
      // What a killed process left would pass for an answer; and where a customer's program has kept the socket of
      // its pool open, PHP-FPM would take that for another instance and start for nobody.
      for (const name of readdirSync(fpm.sockets)) removeFile(join(fpm.sockets, name))
    },
    stopSignal: 'SIGQUIT',
    version: () => buildOf(fpm.program),
    package: `php${fpm.block.version}-fpm`,
    distributionUnit: `php${fpm.block.version}-fpm.service`,
    silent: true,
    unitProperties: ['PrivateTmp=yes', 'ProtectSystem=full', 'NoNewPrivileges=yes', 'ProtectProc=invisible'],
  }
}

async function checkConfig(layout: Layout, fpm: { program: string; sockets: string; content: string }) {
  const candidate = `${fpm.sockets}.candidate`
  writeWhole(layout.temporary, { path: candidate, content: fpm.content, mode: 0o600 })
  const result = await runProgram([fpm.program, '--test', '--fpm-config', candidate])
  removeFile(candidate)
  if (result.code !== 0 || /\b(?:WARNING|ALERT|ERROR)\b/.test(result.output)) {
    throw new Error(`PHP-FPM refuses its configuration: ${result.output.slice(0, 500)}`)
  }
}

async function buildOf(program: string): Promise<string> {
  const result = await runProgram([program, '-v'])
  return /^PHP (\S+)/.exec(result.output)?.[1] ?? 'unknown'
}

function linkPath(layout: Layout, block: Block): string {
  return join(layout.fpm, phpVersion(block.version), `b${block.number}`)
}

function isRunning(supervisor: Supervisor, block: Block): boolean {
  const prefix = `php${block.version}-b${block.number}-`
  return supervisor.names().some((name) => name.startsWith(prefix) && supervisor.processOf(name) !== null)
}

function mainProcesses(supervisor: Supervisor): Set<number> {
  const phps = supervisor.names().filter((name) => name.startsWith('php'))
  return new Set(phps.flatMap((name) => supervisor.processOf(name)?.pid ?? []))
}
