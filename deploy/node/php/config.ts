import { join } from 'node:path'
import { id, type Layout, phpVersion } from '../files/layout.ts'
import type { Owner } from '../files/safe.ts'
import { PHP_REQUEST_SECONDS, UPLOAD_MEGABYTES } from '../web/config.ts'

/**
 * Clients that share one PHP-FPM main process. Their pools are all declared when it starts, before most of
 * the clients exist: so a client is added without reloading anything, and nothing of a customer's can break a
 * pool, since a pool follows from its number alone. Measured with 500 clients: 22 MB in one process against
 * 3,606 MB and 11 s of start with one process a client; a graceful reload instead makes every pool wait for
 * the longest running request of all. More than this many would share one opcode cache.
 */
export const BLOCK_CLIENTS = 128

const WORKERS_MAX = 8
const MEMORY_MEGABYTES = 256
/** Starting programs and loading code; mail() stays, as forms need it. The user's own rights are the real fence. */
const DISABLED = [
  'exec',
  'passthru',
  'shell_exec',
  'system',
  'proc_open',
  'proc_nice',
  'popen',
  'dl',
  'pcntl_exec',
  'pcntl_fork',
  'pcntl_signal',
  'pcntl_alarm',
  'posix_kill',
  'posix_mkfifo',
  'posix_setpgid',
  'posix_setsid',
  'posix_setuid',
  'posix_setgid',
  'link',
]

export type Block = { version: string; number: number }

/** The block that a client's pool is in. */
export function blockOf(version: string, clientId: number): Block {
  id(clientId)
  return { version: phpVersion(version), number: Math.floor(clientId / BLOCK_CLIENTS) }
}

export type FpmConfig = {
  layout: Layout
  block: Block
  /** Directory of this generation's sockets. */
  sockets: string
  pidFile: string
  /** Version of the package: another one is another configuration, so that an upgrade gets fresh processes. */
  build: string
  /** null: everything runs as the panel's own user. */
  customer(clientId: number): Owner | null
  web: Owner | null
}

/** The configuration of one block's main process, from numbers and the panel's own paths only. */
export function renderFpmConfig(config: FpmConfig): string {
  const { block } = config
  const first = block.number * BLOCK_CLIENTS
  const ids = Array.from({ length: BLOCK_CLIENTS }, (_, index) => first + index).filter((one) => one > 0)
  const head = [
    `; PHP ${config.build}`,
    '[global]',
    `pid = ${config.pidFile}`,
    `error_log = ${join(config.layout.logs, `php${block.version}-${block.number}.log`)}`,
    // An old generation lets its requests end.
    `process_control_timeout = ${PHP_REQUEST_SECONDS}s`,
    'emergency_restart_threshold = 10',
    'emergency_restart_interval = 1m',
  ]
  return `${[...head, ...ids.flatMap((clientId) => pool(config, clientId))].join('\n')}\n`
}

function pool(config: FpmConfig, clientId: number): string[] {
  const home = config.layout.client(clientId)
  const customer = config.customer(clientId)
  const owner =
    customer === null || config.web === null
      ? []
      : [
          `user = ${customer.uid}`,
          `group = ${customer.gid}`,
          // Nobody but the web server's workers can speak to a pool.
          `listen.owner = ${config.web.uid}`,
          `listen.group = ${config.web.gid}`,
        ]
  return [
    '',
    `[${poolName(clientId)}]`,
    ...owner,
    'listen.mode = 0600',
    `listen = ${join(config.sockets, `${clientId}.s`)}`,
    'listen.backlog = 511',
    // No process at all while nobody asks.
    'pm = ondemand',
    `pm.max_children = ${WORKERS_MAX}`,
    'pm.process_idle_timeout = 5s',
    'pm.max_requests = 1000',
    `request_terminate_timeout = ${PHP_REQUEST_SECONDS}s`,
    'request_terminate_timeout_track_finished = yes',
    'security.limit_extensions = .php',
    'rlimit_core = 0',
    'php_admin_flag[expose_php] = off',
    'php_admin_flag[allow_url_include] = off',
    'php_admin_flag[log_errors] = on',
    'php_flag[display_errors] = off',
    `php_admin_value[open_basedir] = ${home}/`,
    `php_admin_value[disable_functions] = ${DISABLED.join(',')}`,
    `php_admin_value[session.save_path] = ${home}/sessions`,
    `php_admin_value[upload_tmp_dir] = ${home}/tmp`,
    `php_admin_value[sys_temp_dir] = ${home}/tmp`,
    `php_admin_value[soap.wsdl_cache_dir] = ${home}/tmp`,
    `php_admin_value[error_log] = ${home}/logs/php.log`,
    `php_admin_value[memory_limit] = ${MEMORY_MEGABYTES}M`,
    `php_admin_value[upload_max_filesize] = ${UPLOAD_MEGABYTES}M`,
    `php_admin_value[post_max_size] = ${UPLOAD_MEGABYTES}M`,
    // Debian empties the default directory by cron; nobody does that here.
    'php_admin_value[session.gc_probability] = 1',
    'php_admin_value[session.gc_divisor] = 1000',
    'php_value[max_execution_time] = 60',
  ]
}

/** The pool's name, also in the titles of its processes. */
export function poolName(clientId: number): string {
  return `cp${id(clientId)}`
}

/** Settings that PHP reads only when its main process starts, as arguments of the program. */
export const FPM_SETTINGS = [
  // The cache is shared by a block: nobody may look into it, and each user is checked against the file.
  'opcache.restrict_api=/nonexistent',
  'opcache.validate_permission=1',
  'opcache.enable_file_override=0',
  'opcache.use_cwd=1',
  'opcache.jit=disable',
  'opcache.jit_buffer_size=0',
  'opcache.revalidate_freq=0',
  'opcache.max_accelerated_files=20000',
  'opcache.memory_consumption=192',
  'ffi.enable=0',
  'enable_dl=0',
  // Only so does PHP_SELF hold the script's name. The web server hands over scripts that exist and no others,
  // and `security.limit_extensions` refuses what PHP would find further up a path.
  'cgi.fix_pathinfo=1',
].flatMap((setting) => ['-d', setting])
