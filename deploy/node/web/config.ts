import type { Layout } from '../files/layout.ts'
import { boundBodies, tooLargeBodies } from './bodies.ts'
import { pageCache } from './cache/nginx.ts'
import { UPLOAD_MEGABYTES_MAX } from './limits.ts'
import { indent } from './lines.ts'
import { locations, UNSERVED } from './locations.ts'
import { lookups } from './lookups.ts'
import { MIME_TYPES } from './mime.ts'
import { errorPages } from './pages/statuses.ts'
import { LOOK, ruleMaps } from './rules/nginx.ts'
import { ownPageMaps } from './rules/own-pages.ts'

export type WebConfig = {
  layout: Layout
  /** Local addresses to listen on; empty means all. */
  bind: string[]
  httpPort: number
  httpsPort: number
  /** User of the workers; null when the panel is not root, as nginx then warns about the directive. */
  workerUser: string | null
  /** Files that the process may open; also bounds its connections. */
  openFiles: number
  /** Whether this machine has IPv6. */
  ipv6: boolean
  /** Whole paths of nginx's modules for brotli, where this machine has them. */
  brotliModules: string[]
}

/** Room for a page, its parts and the sockets to PHP. */
const CONNECTIONS_MAX = 8192
/** One customer's visitors must not use up the connections of all. */
const CONNECTIONS_PER_CLIENT = 1024

export { PHP_REQUEST_SECONDS, UPLOAD_MEGABYTES } from './limits.ts'

/** Relative paths stay as they are: without `-p` nginx would put the directory of its package before them. */
export const NGINX_ARGUMENTS = ['-p', './']

/**
 * The whole configuration of the web server. It names no site: host names, clients, suspension, redirects,
 * certificates and PHP are all looked up in the file system for each request, so that nothing is ever reloaded.
 */
export function renderWebConfig(config: WebConfig): string {
  const { layout } = config
  return `${[
    ...(config.workerUser === null ? [] : [`user ${config.workerUser};`]),
    'daemon off;',
    'worker_processes auto;',
    `worker_rlimit_nofile ${config.openFiles};`,
    // A reload at an upgrade of the panel lets long downloads end.
    'worker_shutdown_timeout 120s;',
    // Paths below it need not be resolved from the root of the file system each time; see NGINX_ARGUMENTS.
    `working_directory ${layout.names};`,
    'pcre_jit on;',
    ...config.brotliModules.map((path) => `load_module ${path};`),
    `pid ${layout.nginx}/nginx.pid;`,
    `lock_file ${layout.nginx}/nginx.lock;`,
    `error_log ${layout.logs}/nginx-error.log warn;`,
    `events { worker_connections ${Math.min(CONNECTIONS_MAX, Math.floor(config.openFiles / 2))}; }`,
    'http {',
    ...indent([
      ...general(config),
      ...lookups(layout),
      ...boundBodies(),
      ...tooLargeBodies(),
      ...pageCache(layout),
      ...ruleMaps(layout),
      ...ownPageMaps(layout),
      ...tls(),
      ...server(config, { port: config.httpPort, secure: false }),
      ...server(config, { port: config.httpsPort, secure: true }),
    ]),
    '}',
  ].join('\n')}\n`
}

function general({ layout, brotliModules }: WebConfig): string[] {
  const types = Object.entries(MIME_TYPES).map(([type, extensions]) => `${type} ${extensions};`)
  return [
    'types {',
    ...indent(types),
    '}',
    'types_hash_max_size 2048;',
    'default_type application/octet-stream;',
    'server_tokens off;',
    'absolute_redirect off;',
    // A request that is refused while its head is read reaches the log without them.
    'uninitialized_variable_warn off;',
    // A small file goes out with its head in one write; see LARGE for the others.
    'sendfile off;',
    ...['client_body', 'fastcgi', 'proxy', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${layout.nginx}/${name};`,
    ),
    // A slow visitor holds a connection for seconds, not minutes.
    'client_header_timeout 15s;',
    'client_body_timeout 30s;',
    'send_timeout 30s;',
    'keepalive_timeout 30s;',
    'reset_timedout_connection on;',
    'large_client_header_buffers 4 16k;',
    // Where PHP takes a body, the site's own limit counts, too.
    `client_max_body_size ${UPLOAD_MEGABYTES_MAX}m;`,
    'limit_conn_zone $client zone=clients:10m;',
    `limit_conn clients ${CONNECTIONS_PER_CLIENT};`,
    'limit_conn_status 429;',
    ...compression(brotliModules.length > 0),
    ...accessLog(layout),
  ]
}

/** Of a path and of a program's name, which visitors choose, more than this many bytes are left out. */
const LONGEST = { path: 2000, agent: 500 }

/**
 * Read by offset, for the traffic of clients and for the logs of sites; no buffer, so that a killed worker loses
 * nothing. Texts of visitors are escaped by the format; none of them can hold a quote of its own. `r` comes last, and is
 * the row of a site's log as its owner sees it.
 */
function accessLog({ accessLog }: Layout): string[] {
  const bounded = (name: string, of: string, longest: number) => [
    `map $${of} $${name} {`,
    `  default $${of};`,
    `  "~^(?<start_of_${name}>.{${longest}})." $start_of_${name};`,
    '}',
  ]
  const row = [
    '"cuando":"$time_iso8601","direccion":"$remote_addr","metodo":"$request_method","ruta":"$logged_path",',
    '"estado":$status,"bytes":$bytes_sent,"segundos":$request_time,"agente":"$logged_agent"',
  ]
  const line = [
    '{"t":$msec,"c":"$client","o":$bytes_sent,"i":$request_length,"w":"$site","s":$status,"h":"$host",',
    `"r":{${row.join('')}}}`,
  ]
  return [
    ...bounded('logged_path', 'request_uri', LONGEST.path),
    ...bounded('logged_agent', 'http_user_agent', LONGEST.agent),
    `log_format use escape=json '${line.join('')}';`,
    `access_log ${accessLog} use;`,
  ]
}

function compression(brotli: boolean): string[] {
  const types = 'text/css text/plain text/javascript application/json application/xml image/svg+xml'
  const of = (name: string) => [`${name} on;`, `${name}_min_length 1024;`, `${name}_types ${types};`]
  return [...of('gzip'), 'gzip_vary on;', ...(brotli ? [...of('brotli'), 'brotli_comp_level 4;'] : [])]
}

function tls(): string[] {
  return [
    'ssl_protocols TLSv1.2 TLSv1.3;',
    'ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;',
    'ssl_prefer_server_ciphers off;',
    'ssl_session_cache shared:tls:10m;',
    'ssl_session_timeout 1h;',
    'ssl_session_tickets off;',
    'http2_max_concurrent_streams 128;',
  ]
}

type Listener = { port: number; secure: boolean }

function server(config: WebConfig, listener: Listener): string[] {
  const { layout } = config
  return [
    'server {',
    ...indent([
      ...listens(config, listener),
      'server_name _;',
      ...(listener.secure
        ? ['ssl_certificate $certificate_file;', 'ssl_certificate_key $certificate_file;']
        : []),
      ...lookUp(config, listener),
      ...errorPages(),
      ...locations({
        layout,
        port: listener.port,
        secure: listener.secure,
        brotli: config.brotliModules.length > 0,
      }),
    ]),
    '}',
  ]
}

/** What is looked up in the file system for every request, and the answers where a site is not to be served. */
function lookUp({ httpsPort }: WebConfig, listener: Listener): string[] {
  const port = httpsPort === 443 ? '' : `:${httpsPort}`
  return [
    // An unknown name leads to an empty directory, since nginx logs a root that is none as critical.
    'set $known_host $wanted_host;',
    'if (!-e $wanted_host) { set $known_host _; }',
    // Only to be resolved: each location has the documents for its root.
    'root $leading_host;',
    // Of a suspended or deleted client the link leads elsewhere.
    'set $present $shown;',
    'if (-d ../k/$client/logs) { set $present $marks; }',
    `if ($verdict = refuse) { rewrite ^ ${UNSERVED} last; }`,
    ...(listener.secure ? [] : [`if ($verdict = move) { return 301 https://$host${port}$request_uri; }`]),
    `if ($verdict = look) { rewrite ^ ${LOOK}$uri; }`,
    // A site's link to how its pages are kept; no link has a name that ends before the number.
    'set $page_switch ../e/s$site;',
    'set $asked "";',
  ]
}

function listens(config: WebConfig, listener: Listener): string[] {
  const options = listener.secure ? 'ssl http2 default_server' : 'default_server'
  const all = config.ipv6 ? ['0.0.0.0', '::'] : ['0.0.0.0']
  return (config.bind.length === 0 ? all : config.bind).map((address) => {
    const six = address.includes(':')
    const host = six ? `[${address}]` : address
    return `listen ${host}:${listener.port} ${options}${six ? ' ipv6only=on' : ''} backlog=4096;`
  })
}
