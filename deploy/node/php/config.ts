import { createHash } from 'node:crypto'
import { callFilter, type Machine } from '../confinement/calls.ts'
import type { Owner } from '../host/files.ts'
import sendmail from '../mail/sendmail.pl' with { type: 'text' }
import { PHP_REQUEST_SECONDS, UPLOAD_MEGABYTES } from '../web/config.ts'
import { FAILED_PAGE } from '../web/pages/own.ts'
import failed from './failed.php' with { type: 'text' }

const MEMORY_MEGABYTES = 256
const OPEN_FILES = 4096
/** What runs before each program of a site, in a cage alone. */
export const failedProgram = failed.replace('@PAGE@', FAILED_PAGE)
const MACHINES: Machine[] = ['x86_64', 'aarch64']
/** Functions that start programs or load code; mail() stays, as forms need it. The cage is the real barrier. */
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

/**
 * PHP-FPM's configuration for one client: the keeper puts in what is its own. Without a cage PHP's own
 * `open_basedir` keeps a program to its tree, and costs half of its speed.
 */
export function renderPool({ caged }: { caged: boolean }): string {
  return `${[
    '[global]',
    'error_log = @LOG@',
    'log_level = warning',
    `process_control_timeout = ${PHP_REQUEST_SECONDS}s`,
    '[cp@ID@]',
    // No path of any file: the keeper has the socket, and PHP-FPM removes what it finds under this name.
    'listen = /php.s',
    // With `ondemand`, PHP-FPM starts one worker for several connections that come at once, and none while another is
    // idle (fpm_pctl_on_socket_accept), so a request would wait behind a long one.
    'pm = dynamic',
    // As many workers as the plan's processes allow.
    'pm.max_children = @WORKERS@',
    'pm.start_servers = @SPARE@',
    'pm.min_spare_servers = @LEAST@',
    'pm.max_spare_servers = @SPARE@',
    'pm.max_requests = 1000',
    `request_terminate_timeout = ${PHP_REQUEST_SECONDS}s`,
    'request_terminate_timeout_track_finished = yes',
    'security.limit_extensions = .php',
    `rlimit_files = ${OPEN_FILES}`,
    'php_admin_flag[expose_php] = off',
    'php_admin_flag[allow_url_include] = off',
    'php_admin_flag[log_errors] = on',
    'php_flag[display_errors] = off',
    ...(caged ? [] : ['php_admin_value[open_basedir] = @HOME@/']),
    `php_admin_value[disable_functions] = ${DISABLED.join(',')}`,
    'php_admin_value[session.save_path] = @HOME@/sessions',
    'php_admin_value[upload_tmp_dir] = @HOME@/tmp',
    'php_admin_value[sys_temp_dir] = @HOME@/tmp',
    'php_admin_value[soap.wsdl_cache_dir] = @HOME@/tmp',
    'php_admin_value[error_log] = @HOME@/logs/php.log',
    `php_admin_value[memory_limit] = ${MEMORY_MEGABYTES}M`,
    `php_admin_value[upload_max_filesize] = ${UPLOAD_MEGABYTES}M`,
    `php_admin_value[post_max_size] = ${UPLOAD_MEGABYTES}M`,
    // Debian empties the default directory by cron; nobody does that here.
    'php_admin_value[session.gc_probability] = 1',
    'php_admin_value[session.gc_divisor] = 1000',
    'php_value[max_execution_time] = 60',
    ...(caged
      ? [
          'php_admin_value[sendmail_path] = /usr/bin/perl /etc/php/sendmail.pl -X @HOME@/logs/php.log -t -i',
          // A program may set another one by its `.user.ini`, as firewalls for WordPress do.
          'php_value[auto_prepend_file] = /etc/php/failed.php',
        ]
      : []),
  ].join('\n')}\n`
}

/** Settings that PHP reads only when its main process starts, as arguments of the program. */
const SETTINGS = [
  'opcache.enable_file_override=0',
  'opcache.use_cwd=1',
  'opcache.jit=disable',
  'opcache.jit_buffer_size=0',
  // A program that is asked for all the time is looked at once a second; whoever changes it can say so by PHP's own
  // opcache_invalidate(), as WordPress does, and the panel by ending the client's PHP. The cache is the client's alone.
  'opcache.validate_timestamps=1',
  'opcache.revalidate_freq=1',
  'opcache.max_accelerated_files=20000',
  // The client's own, and taken as it is used.
  'opcache.memory_consumption=64',
  'ffi.enable=0',
  'enable_dl=0',
  // Without this PHP_SELF lacks the script's name. The web server hands over only scripts that exist, and
  // `security.limit_extensions` refuses what PHP would find further up a path.
  'cgi.fix_pathinfo=1',
]

/** So that `localhost` is the panel's databases without any setting of the program's. */
const socketSettings = (directory: string) => [
  `mysqli.default_socket=${directory}/mysqld.sock`,
  `pdo_mysql.default_socket=${directory}/mysqld.sock`,
]

export type KeeperSettings = {
  caged: boolean
  /** Who connects to the sockets; null: the panel's own user, who is the web server's too. */
  web: Owner | null
  /** After this many seconds without a request a client's PHP ends. */
  idleSeconds: number
  /** Whether programs may leave mail to be sent. */
  mail: boolean
  /** The directory with the databases' socket; null where there are none. */
  databases: string | null
  versions: { version: string; program: string; build: string }[]
}

/** What the keeper reads when it starts, line by line; see `read_settings` in keeper/wanted.pl. */
export function renderSettings({
  caged,
  web,
  idleSeconds,
  mail,
  databases,
  versions,
}: KeeperSettings): string {
  const pool = renderPool({ caged })
  const settings = [...SETTINGS, ...(databases === null ? [] : socketSettings(databases))]
  // Changes with anything that a running master was started with: that master finishes, and the next one starts with
  // the new values.
  const generation = (build: string) =>
    createHash('sha256')
      .update([build, pool, mail, sendmail, failedProgram, ...settings].join('\n'))
      .digest('hex')
      .slice(0, 12)
  return `${[
    `cage ${caged ? 'yes' : 'no'}`,
    `mail ${mail ? 'yes' : 'no'}`,
    ...(databases === null ? [] : [`databases ${databases}`]),
    ...(web === null ? [] : [`web ${web.uid} ${web.gid}`]),
    `idle ${idleSeconds}`,
    ...versions.map(({ version, program, build }) => `version ${version} ${program} ${generation(build)}`),
    ...settings.map((setting) => `set ${setting}`),
    ...MACHINES.map((machine) => `calls ${machine} ${Buffer.from(callFilter(machine)).toString('hex')}`),
  ].join('\n')}\n`
}
