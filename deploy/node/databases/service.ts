import { existsSync, readdirSync, rmSync } from 'node:fs'
import { withinDeadline } from '../../../lib/endpoint/deadline.ts'
import { ensureDirectory, exists, move, type Owner, ROOT, syncDirectory, writeWhole } from '../host/files.ts'
import { Obstacle } from '../services/advice.ts'
import type { Port, ServiceDefinition } from '../services/definition.ts'
import { portHolders } from '../services/ports.ts'
import { waitUntil } from '../services/process.ts'
import { runProgram } from '../services/program.ts'
import { holderOf, markOf } from '../services/recognition.ts'
import { userNamed } from '../users/users.ts'
import { type DatabaseLimits, type MariadbPlaces, renderMariadbConf, UNDO_FILES } from './config.ts'
import type { Administration } from './connection.ts'
import { boundedPatterns, writePatterns } from './patterns.ts'

export const MARIADBD = '/usr/sbin/mariadbd'
const INSTALL = '/usr/bin/mariadb-install-db'
const USER = 'mysql'
/** Making the system tables; seconds even on a slow disk. */
const INSTALL_MS = 180_000
/** Bringing a large log in order after a crash takes minutes. */
const RECOVERY_MS = 900_000
const STOP_MS = 60_000
const PROBE_MS = 3_000
const LAST_THREAD_MS = 5_000
const UNIT = [
  'MemoryMax=60%',
  'LimitNOFILE=65536',
  'PrivateTmp=yes',
  'ProtectSystem=full',
  'NoNewPrivileges=yes',
  'OOMScoreAdjust=-400',
  'TimeoutStopSec=60',
]

export type MariadbOptions = {
  places: MariadbPlaces
  port: number
  limits: DatabaseLimits
  administration: Administration
  report(message: string): void
}

/** The user that Debian's package makes for the server; null where there is none. */
export const mariadbOwner = (): Owner | null => userNamed(USER)

/** MariaDB as a service of the panel's, with data, socket and configuration of its own. */
export function mariadbService(options: MariadbOptions, owner: Owner): ServiceDefinition {
  const { places, limits, administration } = options
  const path = `${places.directory}/mariadb.cnf`
  const argv = [MARIADBD, `--defaults-file=${path}`]
  const user = owner.uid
  const isOwn = holderOf(markOf({ argv, user }))
  const port = portNow(options, isOwn)
  return {
    argv,
    get files() {
      const settings = renderMariadbConf({ places, user: USER, port: port.current(), limits })
      // Another library counts for a server that runs only once it is started again, as other settings do.
      const content = `${settings}# libpcre2: ${boundedPatterns(places)?.version ?? 'the system’s own'}\n`
      return [{ path, content, mode: 0o644 }]
    },
    get environment(): Record<string, string> {
      const patterns = boundedPatterns(places)
      return patterns === null ? {} : { LD_PRELOAD: patterns.path }
    },
    user,
    // Whoever holds its port keeps nobody from the socket, which is what customers' programs use.
    async renew() {
      // One that was ended has its port, which then is nobody's, until its last thread has ended.
      const isSettled = () => portHolders([portOf(options)]).every(({ pid }) => pid !== null)
      await waitUntil(isSettled, { timeoutMs: LAST_THREAD_MS })
      port.renew()
    },
    check: () => prepare(options, owner),
    ready: () => withinDeadline(administration.answers(), PROBE_MS, () => false),
    version: () => withinDeadline(administration.version(), PROBE_MS, () => null),
    startMs: RECOVERY_MS,
    stopMs: STOP_MS,
    package: 'mariadb-server',
    distributionUnit: 'mariadb.service',
    unitProperties: UNIT,
  }
}

/** Looked up when it is needed: to see who has a port takes long where there are many processes. */
function portNow(options: MariadbOptions, isOwn: (port: Port) => boolean) {
  let found: { port: number | null } | null = null
  const renew = () => {
    found = { port: portFor(options, isOwn) }
    return found.port
  }
  return { renew, current: () => (found === null ? renew() : found.port) }
}

/** The port, unless another program has it; a server that outlived the panel keeps its own. */
function portFor(options: MariadbOptions, isOwn: (port: Port) => boolean): number | null {
  const wanted = portOf(options)
  return portHolders([wanted]).length === 0 || isOwn(wanted) ? options.port : null
}

const portOf = ({ port }: MariadbOptions): Port => ({ protocol: 'tcp', address: '127.0.0.1', port })

/** The directories that customers' programs are shown, from the panel's start on. */
export function prepareShown(places: MariadbPlaces, owner: Owner): void {
  ensureDirectory(places.directory, { mode: 0o711, owner: ROOT })
  ensureDirectory(places.run, { mode: 0o755, owner })
}

/** Whether it was ever started here. */
export const wasMade = (places: MariadbPlaces): boolean => exists(places.mark) || exists(places.data)

async function prepare({ places, report }: MariadbOptions, owner: Owner): Promise<void> {
  prepareShown(places, owner)
  const patterns = boundedPatterns(places)
  if (patterns === null) report('libpcre2 is not as known: what a REGEXP takes of memory is not bounded')
  else writePatterns(patterns)
  ensureDirectory(places.files, { mode: 0o700, owner: ROOT })
  ensureDirectory(places.temporary, { mode: 0o700, owner })
  if (!exists(places.data)) await install(places)
  // What is there belongs to somebody: it is never made anew over it.
  if (!existsSync(`${places.data}/mysql`) || !existsSync(`${places.data}/ibdata1`)) throw lost(places)
  if (!exists(places.mark)) writeWhole({ path: places.mark, content: '', mode: 0o600 })
}

/** In a directory of another name first: one that a killed start left half made would be taken for a whole one. */
async function install(places: MariadbPlaces): Promise<void> {
  if (exists(places.mark)) throw lost(places)
  for (const name of readdirSync(places.directory)) {
    if (/^making-/.test(name)) rmSync(`${places.directory}/${name}`, { recursive: true, force: true })
  }
  const made = `${places.directory}/making-${process.pid}`
  const result = await runProgram(
    [
      INSTALL,
      '--no-defaults',
      `--datadir=${made}`,
      `--user=${USER}`,
      '--auth-root-authentication-method=socket',
      '--auth-root-socket-user=root',
      '--skip-test-db',
      // Without the host's name, which may not resolve.
      '--cross-bootstrap',
      // Synced as a whole below.
      '--innodb-log-file-size=8M',
      `--innodb-undo-tablespaces=${UNDO_FILES}`,
      '--innodb-flush-method=nosync',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-doublewrite=0',
    ],
    { timeoutMs: INSTALL_MS },
  )
  if (result.code !== 0) throw new Error(`mariadb-install-db failed: ${result.output.slice(-500)}`)
  await runProgram(['/usr/bin/sync', '-f', made])
  move(made, places.data)
  syncDirectory(places.directory)
}

const lost = ({ data, mark }: MariadbPlaces) =>
  new Obstacle({
    es: `Falta el directorio de las bases de datos, o no está entero: ${data}. Repóngalo de una copia; para empezar sin ninguna, borre ${data} y ${mark}.`,
    en: `The directory of the databases is missing or not whole: ${data}. Put it back from a backup; to begin with none, remove ${data} and ${mark}.`,
  })
