import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceState } from '../../../lib/endpoint/node-port.ts'
import {
  clientIdsOf,
  ensureClientDirectories,
  type Identity,
  isSuspended,
  siteIdsOf,
} from '../files/clients.ts'
import { type Layout, phpVersion } from '../files/layout.ts'
import { exists, readLink, removeFile, setLink, syncDirectory } from '../host/files.ts'
import sendmail from '../mail/sendmail.pl' with { type: 'text' }
import { installIt } from '../services/advice.ts'
import type { ServiceDefinition } from '../services/definition.ts'
import { runProgram } from '../services/program.ts'
import type { Supervisor } from '../services/supervisor.ts'
import { failedProgram, renderPool, renderSettings } from './config.ts'
import { keeperAnswers, tellKeeper } from './control.ts'
import { keeperProgram } from './keeper/program.ts'
import { type SiteSettings, writeSiteSettings } from './site-settings.ts'
import { type Limits, NO_LIMITS, readWanted, removeWanted, socketOf, writeWanted } from './wanted.ts'

export type PhpOptions = {
  layout: Layout
  identity: Identity
  supervisor: Supervisor
  /** Without root, users cannot be confined, so PHP is off; true turns it on all the same. */
  withoutIsolation: boolean
  /** Whether programs may leave mail to be sent. */
  sendsMail: boolean
  /** The directory with the databases' socket; null where there are none. */
  databases?: string | null
  /** Seconds without a request after which a client's PHP ends; 30 unless told. */
  idleSeconds?: number
}

export type Php = ReturnType<typeof createPhp>

const SERVICE = 'php'
const PROGRAM = /^php-fpm([0-9]{1,2}\.[0-9]{1,2})$/
const PERL = '/usr/bin/perl'
export const BWRAP = '/usr/bin/bwrap'
/** Where Debian puts them. */
const PROGRAMS = '/usr/sbin'
const IDLE_SECONDS = 30
/** Somewhat longer than the keeper gives to running requests. */
const STOP_MS = 8_000

/**
 * The clients' PHP. A keeper, which is a service of its own, holds the sockets of all clients; it starts a client's
 * PHP-FPM in a cage at the first request, and ends it after the last.
 */
export function createPhp(options: PhpOptions) {
  const { layout, identity, supervisor } = options
  const caged = identity.root !== null
  const builds = createBuilds()

  /** Versions that Debian has installed, oldest first; empty where PHP cannot run. */
  const versions = (): string[] =>
    (caged ? existsSync(BWRAP) : options.withoutIsolation) ? installedVersions() : []

  const definition = async (): Promise<ServiceDefinition> =>
    keeperService(layout, {
      caged,
      web: caged ? identity.web : null,
      idleSeconds: options.idleSeconds ?? IDLE_SECONDS,
      mail: options.sendsMail,
      databases: caged ? (options.databases ?? null) : null,
      versions: await Promise.all(versions().map(builds.of)),
    })

  /** Starts the keeper, or has the running one see what is installed now. */
  const startKeeper = async (): Promise<void> => supervisor.start(SERVICE, await definition())

  const write = (clientId: number, wanted: string[], limits: Limits) =>
    writeWanted(layout, clientId, { owner: identity.customer(clientId), versions: wanted, limits })

  const want = async (clientId: number, wanted: string[], limits: Limits): Promise<void> => {
    if (builds.changed(versions()) || supervisor.processOf(SERVICE) === null) await startKeeper()
    const before = readWanted(layout, clientId)
    write(clientId, wanted, limits)
    if (await tellKeeper(layout, `ensure ${clientId}`)) return
    if (before === null) removeWanted(layout, clientId)
    throw new Error('PHP does not run; see its log')
  }

  return {
    versions,

    /** What each version can do beside the language itself. */
    extensions: (): Record<string, string[]> =>
      Object.fromEntries(versions().map((version) => [version, builds.extensions(version)])),

    /** Has the client's sockets of these versions listen and holds what runs to the limits, at once. */
    async ensureClient(clientId: number, wanted: string[], limits: Limits): Promise<void> {
      const linked = siteIdsOf(layout, clientId).flatMap((siteId) => linkedVersion(layout, siteId) ?? [])
      const all = versions().filter((version) => wanted.includes(version) || linked.includes(version))
      await want(clientId, all, limits)
    },

    /** Applies the limits of a client without PHP to its other programs. */
    async admit(clientId: number, limits: Limits): Promise<void> {
      if (caged && versions().length > 0) await want(clientId, [], limits)
    },

    /** Makes sure that the client's socket of this version listens. Throws when the version is not installed. */
    async ensure(version: string, clientId: number): Promise<void> {
      if (!versions().includes(version)) throw new Error(`PHP ${version} is not installed on this node`)
      const before = readWanted(layout, clientId) ?? { versions: [], limits: NO_LIMITS }
      if (before.versions.includes(version) && exists(socketOf(layout, version, clientId))) {
        // Its PHP is to know of the site's own log.
        await tellKeeper(layout, `ensure ${clientId}`)
        return
      }
      await want(clientId, [...new Set([...before.versions, version])], before.limits)
    },

    /** Writes the limits of a site's PHP; answers whether they are others than before. */
    setLimits: (site: SiteSettings): boolean => writeSiteSettings(layout, site),

    /** Lets a site run this version of PHP, or none. The web server looks for the link at each request. */
    setSite(siteId: number, version: string | null): void {
      const path = layout.phpLink(siteId)
      if (version === null || versions().length === 0) removeFile(path)
      else if (setLink(layout.temporary, path, `../f/${phpVersion(version)}`)) syncDirectory(dirname(path))
    },

    /** Closes the client's sockets and ends all that runs in its cages; nothing is left when this returns. */
    async end(clientId: number): Promise<void> {
      removeWanted(layout, clientId)
      await tellKeeper(layout, `end ${clientId}`)
    },

    /** Ends all that runs in the client's cages now; the next request finds a fresh one. */
    async endNow(clientId: number): Promise<void> {
      await tellKeeper(layout, `stop ${clientId}`)
    },

    /** Makes the next request run every program as its file is then; running requests finish. */
    async forget(clientId: number): Promise<void> {
      await tellKeeper(layout, `fresh ${clientId}`)
    },

    /** Makes upgraded packages take effect from each client's next pause on. */
    async renew(): Promise<void> {
      if (builds.changed(versions())) await startKeeper()
    },

    /**
     * Starts the keeper for all clients but `refused`, whose sockets and cages are ended while their limits stay
     * noted.
     */
    async startAll(refused: ReadonlySet<number>): Promise<void> {
      if (versions().length === 0) return
      for (const clientId of refused) {
        write(clientId, [], readWanted(layout, clientId)?.limits ?? NO_LIMITS)
        await tellKeeper(layout, `end ${clientId}`)
      }
      for (const clientId of clientIdsOf(layout)) {
        if (refused.has(clientId)) continue
        // Served by a version of the panel that wrote no such files, or copied with its data.
        if (!exists(layout.clientLink(clientId)) || isSuspended(layout, clientId)) continue
        const linked = siteIdsOf(layout, clientId).flatMap((siteId) => adoptLink(layout, siteId) ?? [])
        const before = readWanted(layout, clientId)
        if (linked.length > 0 && (before === null || before.versions.length === 0)) {
          if (before !== null) ensureClientDirectories(layout, identity, { clientId, suspended: false })
          write(clientId, [...new Set(linked)], before?.limits ?? NO_LIMITS)
        }
      }
      await startKeeper()
      await supervisor.endOthers('php', (name) => name === SERVICE)
    },

    /** The states of PHP: each version counts as running if the keeper does. */
    states: (keeper: ServiceState): ServiceState[] =>
      versions().map((version) => ({
        ...keeper,
        name: `php${version}`,
        version: keeper.running ? builds.known(version) : null,
      })),

    /** Why this node has no PHP, if it has none. */
    missing(): ServiceState[] {
      if (versions().length > 0) return []
      const off = {
        es: 'PHP está apagado: el panel no corre como root y no se puede confinar a un usuario.',
        en: 'PHP is off, since the panel does not run as root and one user cannot be confined.',
      }
      const lacking = caged && !existsSync(BWRAP) ? ['bubblewrap'] : []
      const packages = installedVersions().length > 0 ? lacking : ['php-fpm', ...lacking]
      const advice =
        packages.length > 0 && (caged || options.withoutIsolation) ? installIt(packages.join(' ')) : off
      return [{ name: 'php', running: false, version: null, advice }]
    },
  }
}

/** Versions of PHP-FPM in Debian's place, oldest first. */
export function installedVersions(): string[] {
  if (!existsSync(PROGRAMS)) return []
  return readdirSync(PROGRAMS)
    .flatMap((name) => PROGRAM.exec(name)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** The installed PHP packages, and whether one has changed: an upgrade gets fresh processes. */
function createBuilds() {
  const known = new Map<string, { stamp: number; build: string; extensions: string[] }>()
  const programOf = (version: string) => join(PROGRAMS, `php-fpm${version}`)
  // An extension that is installed or removed changes this directory.
  const settingsOf = (version: string) => `/etc/php/${version}/fpm/conf.d`
  const stampOf = (version: string) =>
    Math.max(
      ...[programOf(version), settingsOf(version)].map(
        (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      ),
    )
  return {
    async of(version: string) {
      const [program, stamp] = [programOf(version), stampOf(version)]
      const before = known.get(version)
      // A revision of the package may have the same version.
      const told = (build: string) => ({ version, program, build: `${build} ${stamp}` })
      if (before?.stamp === stamp) return told(before.build)
      const [{ output }, { output: modules }] = await Promise.all([
        // Its version does not depend on settings, and to load its extensions for it takes three quarters of the time.
        runProgram([program, '-n', '-v']),
        runProgram([program, '-m']),
      ])
      const build = /^PHP (\S+)/.exec(output)?.[1] ?? 'unknown'
      known.set(version, { stamp, build, extensions: extensionsIn(modules) })
      return told(build)
    },
    known: (version: string) => known.get(version)?.build ?? null,
    extensions: (version: string) => known.get(version)?.extensions ?? [],
    changed: (versions: string[]) =>
      versions.some((version) => known.get(version)?.stamp !== stampOf(version)),
  }
}

/** Parts of the language that are listed with the extensions and can not be missing. */
const LANGUAGE = ['cgi-fcgi', 'core', 'reflection', 'spl', 'standard']

/** What `php -m` lists, in two parts. */
const extensionsIn = (modules: string): string[] =>
  [...new Set(modules.split('\n').map((line) => line.trim().toLowerCase()))]
    .map((name) => name.replace(/^zend /, ''))
    .filter((name) => /^[a-z][a-z0-9_-]*$/.test(name) && !LANGUAGE.includes(name))
    .filter((name, at, all) => all.indexOf(name) === at)
    .sort()

function keeperService(layout: Layout, settings: Parameters<typeof renderSettings>[0]): ServiceDefinition {
  const program = join(layout.fpm, 'keeper.pl')
  const { caged } = settings
  return {
    argv: [PERL, program, layout.base],
    // Beside the data: the panel's own directory is replaced by an upgrade.
    files: [
      { path: program, content: keeperProgram, mode: 0o600 },
      { path: join(layout.fpm, 'sendmail.pl'), content: sendmail, mode: 0o600 },
      { path: join(layout.fpm, 'failed.php'), content: failedProgram, mode: 0o600 },
      { path: join(layout.fpm, 'keeper.conf'), content: renderSettings(settings), mode: 0o600 },
      { path: join(layout.fpm, 'pool.conf'), content: renderPool({ caged }), mode: 0o600 },
    ],
    ready: () => keeperAnswers(layout),
    reloadSignal: 'SIGHUP',
    stopMs: STOP_MS,
    package: 'perl-base',
    unitProperties: [
      'Delegate=yes',
      'NoNewPrivileges=yes',
      // Where the machine runs out of memory, customers' programs go first.
      'OOMScoreAdjust=-500',
      'KillMode=mixed',
      'LimitNOFILE=65536',
      'TasksMax=infinity',
      // Below the weight of the panel and the services, which is 100.
      'CPUWeight=50',
    ],
  }
}

/** The version that a site's link leads to. */
function linkedVersion(layout: Layout, siteId: number): string | null {
  return /^\.\.\/f\/([0-9.]+)$/.exec(readLink(layout.phpLink(siteId)) ?? '')?.[1] ?? null
}

/**
 * The version of a site's link; a link of an earlier version of the panel, which led to a block of clients, is made
 * anew.
 */
function adoptLink(layout: Layout, siteId: number): string | null {
  const [, version] = /^\.\.\/f\/([0-9.]+)\/b\d+$/.exec(readLink(layout.phpLink(siteId)) ?? '') ?? []
  if (version !== undefined) setLink(layout.temporary, layout.phpLink(siteId), `../f/${version}`)
  return linkedVersion(layout, siteId)
}
