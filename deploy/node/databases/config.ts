const MEGABYTE = 1024 * 1024

/** Of the server's, made with its data. */
export const UNDO_FILES = 3

/** What bounds one client at the server; all of it the operator's to set. */
export type DatabaseLimits = {
  connections: number
  statementSeconds: number
  sessionMemoryBytes: number
  /** Of what all clients' statements sort and group on the disk at a time; the same again of temporary tables. */
  temporaryBytes: number
}

/** What all sessions of a client may hold together. */
export const clientMemoryBytes = ({ sessionMemoryBytes }: DatabaseLimits): number => 2 * sessionMemoryBytes

/**
 * The server ends itself where a rollback finds no room in the file of temporary tables, so that this is far beyond what
 * the panel lets it grow to before it ends whoever fills it.
 */
const ROOM_IN_TABLES = 7 * 1024 * MEGABYTE
const TABLES = 'ibtmp1'

/** The file in which all sessions have their temporary tables. */
export const temporaryTablesFile = ({ data }: Pick<MariadbPlaces, 'data'>): string => `${data}/${TABLES}`

export type MariadbPlaces = {
  directory: string
  data: string
  /** What customers' programs are shown: the socket's directory. */
  run: string
  socket: string
  temporary: string
  /** Where alone the server would read and write files for whoever may: root's, and empty. */
  files: string
  /** Says that the data directory was once made, wherever that is by now. */
  mark: string
}

/** Below a directory that others can pass. */
export function mariadbPlaces(directory: string): MariadbPlaces {
  return {
    directory,
    data: `${directory}/data`,
    run: `${directory}/run`,
    socket: `${directory}/run/mysqld.sock`,
    temporary: `${directory}/tmp`,
    files: `${directory}/files`,
    mark: `${directory}/made`,
  }
}

export type MariadbSettings = {
  places: MariadbPlaces
  /** The Unix user that it becomes. */
  user: string
  /** On loopback; null while another program has the port: programs then reach it by the socket alone. */
  port: number | null
  limits: DatabaseLimits
}

/** MariaDB's configuration, all of it: no file of the distribution's is read beside it. */
export function renderMariadbConf({ places, user, port, limits }: MariadbSettings): string {
  return `${[
    '[mariadbd]',
    `user = ${user}`,
    `datadir = ${places.data}`,
    `socket = ${places.socket}`,
    `pid-file = ${places.data}/mariadbd.pid`,
    `tmpdir = ${places.temporary}`,
    ...(port === null ? ['skip-networking'] : [`port = ${port}`, 'bind-address = 127.0.0.1']),
    'skip-name-resolve',
    'skip-log-bin',
    // Nothing of the server's files is read or written in a customer's name.
    'local-infile = OFF',
    `secure-file-priv = ${places.files}`,
    'symbolic-links = OFF',
    // What is refused and what breaks off is left out of the log, which customers could fill with it.
    'log-warnings = 1',
    // Off rather than disabled: a dump with events is taken and loaded, and none of them runs.
    'event-scheduler = OFF',
    ...accounting(),
    ...sizes(),
    ...temporaryTables(limits),
    ...sessionBounds(limits),
  ].join('\n')}\n`
}

/** One engine, so that all of a base is in files that are measured, and nothing of it in memory alone. */
const accounting = () => [
  'default-storage-engine = InnoDB',
  'enforce-storage-engine = InnoDB',
  // Without NO_ENGINE_SUBSTITUTION: old dumps ask for MyISAM, and get InnoDB.
  'sql-mode = STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER',
  'character-set-server = utf8mb4',
  'collation-server = utf8mb4_general_ci',
  'innodb-file-per-table = ON',
]

/** Small where nobody asks for much; what sessions take comes on top. */
const sizes = () => [
  'performance-schema = OFF',
  'innodb-buffer-pool-size = 64M',
  'innodb-log-file-size = 48M',
  'innodb-log-buffer-size = 8M',
  // What rows were before goes to files of its own, which become small again; ibdata1 never would.
  `innodb-undo-tablespaces = ${UNDO_FILES}`,
  'innodb-undo-log-truncate = ON',
  'innodb-max-undo-log-size = 64M',
  'innodb-print-all-deadlocks = OFF',
  'aria-pagecache-buffer-size = 8M',
  'key-buffer-size = 1M',
  'query-cache-type = OFF',
  'query-cache-size = 0',
  'table-open-cache = 1000',
  'table-definition-cache = 1000',
  'open-files-limit = 16384',
  'max-connections = 1000',
  'thread-cache-size = 8',
  'thread-stack = 256K',
  'max-allowed-packet = 64M',
  // One number for all clients, which one of them could use up: what each prepares is bounded by its memory instead.
  'max-prepared-stmt-count = 4294967295',
  'wait-timeout = 600',
  'interactive-timeout = 3600',
]

/** Small steps, so that it is seen early who fills it. */
const temporaryTables = ({ temporaryBytes }: DatabaseLimits) => [
  `innodb-temp-data-file-path = ${TABLES}:12M:autoextend:max:${Math.ceil((temporaryBytes + ROOM_IN_TABLES) / MEGABYTE)}M`,
  'innodb-autoextend-increment = 8',
]

/** A session may lower these and never go beyond (`maximum-…`). */
function sessionBounds({ connections, sessionMemoryBytes }: DatabaseLimits): string[] {
  const part = (most: number) => Math.max(MEGABYTE, Math.min(most, Math.floor(sessionMemoryBytes / 4)))
  return [
    `max-user-connections = ${connections}`,
    `max-session-mem-used = ${sessionMemoryBytes}`,
    `maximum-max-session-mem-used = ${sessionMemoryBytes}`,
    `max-heap-table-size = ${part(16 * MEGABYTE)}`,
    `maximum-max-heap-table-size = ${part(64 * MEGABYTE)}`,
    `tmp-memory-table-size = ${part(16 * MEGABYTE)}`,
    `maximum-tmp-memory-table-size = ${part(64 * MEGABYTE)}`,
    'tmp-disk-table-size = 2G',
    'maximum-tmp-disk-table-size = 2G',
    'sort-buffer-size = 1M',
    `maximum-sort-buffer-size = ${part(16 * MEGABYTE)}`,
    'join-buffer-size = 256K',
    `maximum-join-buffer-size = ${part(16 * MEGABYTE)}`,
    `maximum-read-buffer-size = ${part(2 * MEGABYTE)}`,
    `maximum-read-rnd-buffer-size = ${part(2 * MEGABYTE)}`,
    `maximum-mrr-buffer-size = ${part(4 * MEGABYTE)}`,
    `maximum-bulk-insert-buffer-size = ${part(8 * MEGABYTE)}`,
    `maximum-preload-buffer-size = ${part(2 * MEGABYTE)}`,
    'maximum-max-error-count = 1024',
    'group-concat-max-len = 1M',
    `maximum-group-concat-max-len = ${part(16 * MEGABYTE)}`,
    'maximum-query-prealloc-size = 1M',
    'maximum-transaction-prealloc-size = 1M',
    'maximum-range-alloc-block-size = 1M',
  ]
}
