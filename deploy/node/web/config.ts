import type { Layout } from '../files/layout.ts'
import { BODY_IN_MEMORY, boundBodies } from './bodies.ts'
import { fastcgiParameters } from './fastcgi.ts'
import { MIME_TYPES } from './mime.ts'
import {
  MISSING_PAGE,
  REFUSED_PAGE,
  SUSPENDED_PAGE,
  TOO_LARGE_PAGE,
  TOO_MANY_PAGE,
  UNAVAILABLE_PAGE,
} from './pages.ts'

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
}

/** Room for a page, its parts and the sockets to PHP. */
const CONNECTIONS_MAX = 8192
/** One customer's visitors must not use up the connections of all. */
const CONNECTIONS_PER_CLIENT = 1024
/** PHP-FPM ends a request after 120 s by itself. */
export const PHP_REQUEST_SECONDS = 120
export const UPLOAD_MEGABYTES = 64

/** All else that nginx answers by itself, its own 494 to 497 among them. */
const REFUSALS = [
  400, 401, 402, 403, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 421, 429, 494, 495, 496, 497,
  500, 501, 505, 507,
]

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
    `pid ${layout.nginx}/nginx.pid;`,
    `lock_file ${layout.nginx}/nginx.lock;`,
    `error_log ${layout.logs}/nginx-error.log warn;`,
    `events { worker_connections ${Math.min(CONNECTIONS_MAX, Math.floor(config.openFiles / 2))}; }`,
    'http {',
    ...indent([
      ...general(layout),
      ...maps(layout),
      ...boundBodies(),
      ...tls(),
      ...server(config, { port: config.httpPort, secure: false }),
      ...server(config, { port: config.httpsPort, secure: true }),
    ]),
    '}',
  ].join('\n')}\n`
}

function general(layout: Layout): string[] {
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
    'sendfile on;',
    'tcp_nopush on;',
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
    `client_max_body_size ${UPLOAD_MEGABYTES}m;`,
    'limit_conn_zone $client zone=clients:10m;',
    `limit_conn clients ${CONNECTIONS_PER_CLIENT};`,
    'limit_conn_status 429;',
    'gzip on;',
    'gzip_vary on;',
    'gzip_min_length 1024;',
    'gzip_types text/css text/plain text/javascript application/json application/xml image/svg+xml;',
    // Read by the measurement of traffic, by offset; no buffer, so that a killed worker loses nothing.
    `log_format use escape=json '{"t":$msec,"c":"$client","h":"$host","s":$status,"o":$bytes_sent,"i":$request_length}';`,
    `access_log ${layout.accessLog} use;`,
  ]
}

function maps(layout: Layout): string[] {
  const base = layout.base.replaceAll('.', '\\.')
  return [
    // What the visitor sent becomes part of a path: only names of two labels or more pass.
    'map $host $wanted_host {',
    '  default _;',
    `  "~^[a-z0-9-]+(\\.[a-z0-9-]+)+$" $host;`,
    '}',
    'map $ssl_server_name $asked_name {',
    '  default _;',
    '  "~^[a-z0-9-]+(\\.[a-z0-9-]+)+$" $ssl_server_name;',
    '}',
    // While TLS is being negotiated there is no request yet, and the name asked for there stands in for it.
    'map $known_host $leading_host {',
    '  default $known_host;',
    '  "" $asked_name;',
    '}',
    // Looked up by way of the site, since a certificate's file cannot be tried before it is used: a name that
    // leads nowhere is answered with the certificate of no site.
    'map $realpath_root $certificate_name {',
    '  default default;',
    `  "~^${base}/[cx]/[0-9]+/" $asked_name;`,
    '}',
    // Once for all that follows from it: nginx would resolve the path anew for each of them.
    'map $realpath_root $real_root {',
    '  "~(?<found_root>.+)" $found_root;',
    '}',
    'map $real_root $client {',
    `  "~^${base}/[cx]/(?<found_client>[0-9]+)/" $found_client;`,
    '}',
    'map $real_root $site {',
    `  "~^${base}/c/[0-9]+/(?<found_site>[0-9]+)/public$" $found_site;`,
    '}',
    'map $real_root $state {',
    '  default unknown;',
    `  "~^${base}/c/[0-9]+/[0-9]+/public$" active;`,
    `  "~^${base}/x/[0-9]+/public$" suspended;`,
    '}',
    // An authority's challenge is answered for every name, whatever its state.
    'map $uri $kind {',
    '  default site;',
    '  "~^/\\.well-known/acme-challenge/" challenge;',
    // Asked for by a visitor it is 404, as are all internal locations.
    '  /_refusal_of_the_panel refusal;',
    '}',
    'map $status $refusal_page {',
    `  default '${REFUSED_PAGE}';`,
    `  413 '${TOO_LARGE_PAGE}';`,
    `  429 '${TOO_MANY_PAGE}';`,
    '}',
    'map $kind$state $verdict {',
    '  default none;',
    '  siteactive serve;',
    '  siteunknown refuse;',
    '  sitesuspended suspend;',
    '}',
    'map $state $retry_after {',
    '  default 5;',
    '  suspended 3600;',
    '}',
    'map $state $unavailable_page {',
    `  default '${UNAVAILABLE_PAGE}';`,
    `  suspended '${SUSPENDED_PAGE}';`,
    '}',
  ]
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
  const port = config.httpsPort === 443 ? '' : `:${config.httpsPort}`
  return [
    'server {',
    ...indent([
      ...listens(config, listener),
      'server_name _;',
      ...(listener.secure
        ? [
            `ssl_certificate ${layout.certificates}/$certificate_name;`,
            `ssl_certificate_key ${layout.certificates}/$certificate_name;`,
          ]
        : []),
      // An unknown name leads to an empty directory, since nginx logs a root that is none as critical.
      'set $known_host $wanted_host;',
      `if (!-e ${layout.hosts}/$wanted_host) { set $known_host _; }`,
      `root ${layout.hosts}/$leading_host/public;`,
      'if ($verdict = refuse) { return 404; }',
      'if ($verdict = suspend) { return 503; }',
      ...(listener.secure
        ? []
        : [
            'set $move "";',
            `if (-e ${layout.httpsOnly}/$known_host) { set $move $verdict; }`,
            `if ($move = serve) { return 301 https://$host${port}$request_uri; }`,
          ]),
      'error_page 404 = @missing;',
      'error_page 502 503 504 = @unavailable;',
      // No named location: a request whose line cannot be read has no path to keep.
      `error_page ${REFUSALS.join(' ')} /_refusal_of_the_panel;`,
      'error_page 418 = @unannounced_body;',
      ...locations(config, listener),
    ]),
    '}',
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

function locations(config: WebConfig, listener: Listener): string[] {
  const { layout } = config
  // Only links to files of the same owner are followed below the document root.
  const guard = 'disable_symlinks if_not_owner from=$document_root;'
  return [
    'location ^~ /.well-known/acme-challenge/ {',
    `  alias ${layout.acme}/;`,
    `  disable_symlinks on from=${layout.acme};`,
    '  default_type text/plain;',
    '  types { }',
    '}',
    'location = /_refusal_of_the_panel {',
    '  internal;',
    // Else a body that was refused is refused here again, with a page of nginx's own.
    '  client_max_body_size 0;',
    '  default_type "text/html; charset=utf-8";',
    '  add_header Cache-Control no-store always;',
    // The status stays the one that led here.
    '  return 200 $refusal_page;',
    '}',
    'location ^~ /.well-known/ {',
    `  ${guard}`,
    '  location ~ "\\.php|/\\.well-known/(?:.*/)?\\." { return 404; }',
    '}',
    'location ~ /\\. { return 404; }',
    'location = / {',
    `  ${guard}`,
    '  index index.php index.html index.htm /_placeholder_of_the_panel;',
    '}',
    'location = /_placeholder_of_the_panel {',
    '  internal;',
    `  alias ${layout.nginx}/placeholder.html;`,
    '  default_type text/html;',
    '  charset utf-8;',
    '  add_header Cache-Control no-store always;',
    '}',
    'location / {',
    `  ${guard}`,
    '  index index.php index.html index.htm;',
    `  try_files $uri $uri/ /index.php?$args;`,
    '}',
    ...phpLocation(layout, listener),
    // Named locations are not subject to the server's verdict again.
    'location @missing {',
    '  default_type "text/html; charset=utf-8";',
    '  add_header Cache-Control no-store always;',
    `  return 404 '${MISSING_PAGE}';`,
    '}',
    'location @unavailable {',
    '  default_type "text/html; charset=utf-8";',
    '  add_header Cache-Control no-store always;',
    '  add_header Retry-After $retry_after always;',
    '  return 503 $unavailable_page;',
    '}',
  ]
}

function phpLocation(layout: Layout, listener: Listener): string[] {
  return [
    'location ~ "\\.php(?:$|/)" {',
    ...indent([
      // No guard against links: PHP opens the file itself, with the customer's own rights.
      // Without PHP the text of a program must not be served either.
      'if ($site = "") { return 404; }',
      `if (!-e ${layout.php}/$site) { return 404; }`,
      'if ($body = unannounced) { return 418; }',
      ...passToPhp(layout, listener),
    ]),
    '}',
    'location @unannounced_body {',
    ...indent([
      `client_max_body_size ${BODY_IN_MEMORY};`,
      // The way here was one of the error pages.
      'recursive_error_pages on;',
      ...passToPhp(layout, listener),
    ]),
    '}',
  ]
}

function passToPhp(layout: Layout, listener: Listener): string[] {
  return [
    'fastcgi_split_path_info "^(.+?\\.php)(|/.*)$";',
    // try_files empties the variable.
    'set $rest_of_path $fastcgi_path_info;',
    'try_files $fastcgi_script_name =404;',
    ...Object.entries(fastcgiParameters(listener.secure)).map(
      ([name, value]) => `fastcgi_param ${name} ${value};`,
    ),
    `fastcgi_pass unix:${layout.php}/$site/$client.s;`,
    'fastcgi_connect_timeout 10s;',
    `fastcgi_read_timeout ${PHP_REQUEST_SECONDS + 10}s;`,
    'fastcgi_buffer_size 32k;',
    'fastcgi_buffers 16 16k;',
    // What does not fit into memory waits in PHP: a slow visitor takes a worker of the site's own, and no disk.
    'fastcgi_max_temp_file_size 0;',
  ]
}

function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
