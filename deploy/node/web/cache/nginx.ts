import type { Layout } from '../../files/layout.ts'
import { BODY_IN_MEMORY } from '../bodies.ts'
import { fastcgiParameters, fastcgiPass } from '../fastcgi.ts'
import { block } from '../lines.ts'
import { errorPages } from '../pages/statuses.ts'
import { KEPT_SECONDS, POLICY } from './policy.ts'

/**
 * Pages of programs that are kept for a while, for the sites that ask for it. Which site does, for how long, by what
 * parameters and since when is the name of a file that a link of the site's leads to: looked up at each request, so
 * that a change holds from the next one on, and another generation in it makes all that was kept unreachable.
 */

/**
 * The cache has this many parts, and a client's pages lie in one by its number: they can push out nobody's in another
 * part.
 */
const PARTS = 100
const PART_MEGABYTES = 32
const PART_KEYS = '256k'
/** A page that nobody asked for this long is dropped, however long it would be fresh. */
const UNVISITED = '60m'
/**
 * A page is read from PHP at this rate, a first second's worth at once: an endless one fills the disk with it until
 * PHP ends the request, since nginx heeds no bound of what it writes where it may keep it.
 */
const PAGE_RATE = '256k'

/** Cookies that count visits or remember a consent: a program does not answer differently by them. */
const HARMLESS_COOKIES =
  '_ga[A-Za-z0-9_]*|_gid|_gat[A-Za-z0-9_]*|_gcl_[a-z]+|_fb[pc]|__utm[a-z]+|_pk_[A-Za-z0-9_.]+|_hj[A-Za-z0-9_]+|_clck|_clsk|cookieyes-consent|cookielawinfo-[a-z-]+|viewed_cookie_policy|cmplz_[a-z_-]+|CookieConsent|OptanonConsent|OptanonAlertBoxClosed|euconsent[a-z0-9-]*'
/** What a browser sends; anything else could be an attack on those who get the kept page. */
const PLAIN_TEXT = '[-A-Za-z0-9 .,:;/()_+*=%@?!|~#\\[\\]]'

/** How many requests to empty a page cache reach the panel, a second and at once; only loopback may send them. */
const PURGES = { node: { rate: 50, burst: 100 }, client: { rate: 5, burst: 20 } }

function boundPurges(): string[] {
  return [
    'map $remote_addr $purges_of_client { default ""; "~^127\\." $client; ::1 $client; }',
    'map $purges_of_client $purges_of_node { default node; "" ""; }',
    ...Object.entries(PURGES).map(
      ([whose, { rate }]) => `limit_req_zone $purges_of_${whose} zone=purges_of_${whose}:1m rate=${rate}r/s;`,
    ),
  ]
}

/** Where a request stands that nothing but the site has to agree to: `yes`, `no`, or `purge`. */
function eligibility(): string[] {
  return [
    ...block('map $http_cookie $cookies', [
      'default own;',
      '"" none;',
      `"~^(?:(?:${HARMLESS_COOKIES})=[^;]*(?:; ?|$))+$" none;`,
    ]),
    ...block('map "$http_user_agent|$http_accept|$http_accept_language" $negotiation', [
      'default odd;',
      `"~^${PLAIN_TEXT}{0,1500}$" plain;`,
    ]),
    // Requests that act for a signed-in person, come from a script of another site, or mean another method than their
    // line says.
    'map "$http_authorization$http_origin$http_x_requested_with$http_x_http_method_override" $speaking { default own; "" none; }',
    'map $body $bodiless { default no; none yes; unannounced yes; }',
    ...block('map "$request_method $bodiless $cookies $negotiation $speaking" $eligible', [
      'default no;',
      '"GET yes none plain none" yes;',
      '"HEAD yes none plain none" yes;',
      '"~^PURGE " purge;',
    ]),
  ]
}

/** What the site allows, from the name of the file that its link leads to. */
function policy({ base }: Layout): string[] {
  const directory = `${base.replaceAll('.', '\\.')}/e/`
  return [
    // Read before all that it captures.
    `map $realpath_root $page_policy { default none; "~^${directory}${POLICY}$" known; }`,
    // Each parameter's name stands between commas among those that the site lists; a blank ends the query.
    ...block('map "$page_policy $args $page_parameters" $listed', [
      'default no;',
      '"~^known  " yes;',
      '"~^known (?=[^ ]{1,512} )(?:([A-Za-z0-9_-]{1,32})(?:=[^& ]*)?(?=[^ ]* [^ ]*,\\1,)(?:&(?=[A-Za-z0-9_-])|(?= )))+ " yes;',
    ]),
    'map $http_user_agent $device { default d; "~*mobile|android|silk/|kindle|blackberry|opera m" m; }',
    'map $http_accept_language $first_language { default ""; "~^(?<language_asked>[A-Za-z]{2})" $language_asked; }',
    ...block('map $client $page_part', [
      'default 00;',
      '"~^(?<only_digit>[0-9])$" 0$only_digit;',
      '"~(?<last_digits>[0-9][0-9])$" $last_digits;',
    ]),
    // Pages are kept, not what somebody downloads.
    ...block('map "$upstream_http_content_length $upstream_http_content_type" $unkept', [
      'default 1;',
      '"~^[0-9]{0,7} (?:text/|application/(?:json|[a-z]+\\+xml|xml|ld\\+json))" "";',
    ]),
    'map $asked $bypass_told { default ""; no BYPASS; }',
  ]
}

/** Everything about it at the level of `http`. */
export function pageCache(layout: Layout): string[] {
  const parts = Array.from({ length: PARTS }, (_, index) => String(index).padStart(2, '0'))
  return [
    ...eligibility(),
    ...boundPurges(),
    ...policy(layout),
    ...parts.map(
      (part) =>
        `fastcgi_cache_path ${layout.pages}/${part} keys_zone=pages${part}:${PART_KEYS} levels=2 use_temp_path=off max_size=${PART_MEGABYTES}m min_free=256m inactive=${UNVISITED};`,
    ),
  ]
}

/**
 * What a location does that may lead to PHP: on to the kept page, where the site and the request agree, else to the
 * named location `otherwise`. It has no guard against links, since what it looks for is the panel's own and a guard
 * would open it; and nothing but that, since nginx forgets `try_files` where a condition holds.
 */
export function pageOr(otherwise: string, conditions: string[]): string[] {
  return [
    'root $documents;',
    'set $unless "";',
    'if (-e $page_switch) { set $asked $eligible; }',
    ...conditions,
    'set $decision $asked$unless;',
    'if ($decision = yes) { return 420; }',
    'if ($asked = purge) { return 421; }',
    'return 423;',
    'error_page 420 = @page;',
    'error_page 421 = @purge;',
    `error_page 423 = ${otherwise};`,
    'recursive_error_pages on;',
    ...errorPages([421]),
  ]
}

/** Marks answers that did not use the kept pages. */
export const TELL_BYPASS = 'add_header X-Cache $bypass_told always;'

type Programs = { layout: Layout; secure: boolean; port: number }

/** The way from a request that may be answered by a kept page to the page, or to PHP for one to keep. */
export function pageLocations(programs: Programs): string[] {
  return [
    ...block('location @page', [
      // A root that is only resolved, and serves nothing.
      'root $page_switch;',
      'if ($listed = no) {',
      '  set $asked no;',
      '  set $page_switch "";',
      '  rewrite ^ $uri last;',
      '}',
      'return 422;',
      'recursive_error_pages on;',
      'error_page 422 = @page_$page_seconds;',
      ...errorPages(),
    ]),
    ...KEPT_SECONDS.flatMap((seconds) =>
      block(`location @page_${seconds}`, [...keptPage(programs, seconds)]),
    ),
    ...block('location @purge', passPurge(programs.layout)),
  ]
}

function passPurge(layout: Layout): string[] {
  return [
    // Any program of this machine can ask: the panel tells by the socket's owner whose it is.
    'allow 127.0.0.0/8;',
    'allow ::1;',
    'deny all;',
    // Without a limit a flood from one customer's program would reach the panel.
    ...Object.entries(PURGES).map(
      ([whose, { burst }]) => `limit_req zone=purges_of_${whose} burst=${burst} nodelay;`,
    ),
    'limit_req_status 429;',
    'limit_req_log_level info;',
    'recursive_error_pages on;',
    'proxy_method POST;',
    'proxy_pass_request_headers off;',
    'proxy_pass_request_body off;',
    'proxy_set_header Content-Length "";',
    'proxy_set_header Host $host;',
    'proxy_set_header X-From "$remote_addr $remote_port $server_addr $server_port";',
    'proxy_read_timeout 10s;',
    `proxy_pass http://unix:${layout.purgeSocket};`,
  ]
}

function keptPage({ layout, secure, port }: Programs, seconds: number): string[] {
  const host = port === (secure ? 443 : 80) ? '$host' : `$host:${port}`
  return [
    `client_max_body_size ${BODY_IN_MEMORY};`,
    'recursive_error_pages on;',
    'fastcgi_cache pages$page_part;',
    'fastcgi_cache_key "$scheme|$host|$site|$generation$settings|$device$first_language|$request_uri";',
    `fastcgi_cache_valid 200 301 308 ${seconds}s;`,
    'fastcgi_no_cache $unkept;',
    'fastcgi_cache_use_stale error timeout invalid_header updating http_500 http_503;',
    'fastcgi_cache_background_update on;',
    'fastcgi_cache_lock on;',
    'fastcgi_cache_lock_timeout 10s;',
    `fastcgi_limit_rate ${PAGE_RATE};`,
    'add_header X-Cache $upstream_cache_status always;',
    'fastcgi_hide_header X-Cache;',
    // The program sees nothing of the visitor that the cache key lacks, except what it negotiates content by.
    'fastcgi_pass_request_headers off;',
    'fastcgi_pass_request_body off;',
    ...fastcgiPass(layout, { ...fastcgiParameters(secure), ...CANONICAL, HTTP_HOST: host }),
  ]
}

/** What PHP is told of a request whose answer is kept for everybody. */
const CANONICAL: Record<string, string> = {
  REQUEST_METHOD: 'GET',
  CONTENT_TYPE: '""',
  CONTENT_LENGTH: '""',
  SERVER_PROTOCOL: 'HTTP/1.1',
  REMOTE_USER: '""',
  SCRIPT_NAME: '$page_program',
  SCRIPT_FILENAME: '$site_directory/$document_folder$page_program',
  DOCUMENT_URI: '$page_program$page_rest',
  PATH_INFO: '$page_rest',
  HTTP_ACCEPT: '$http_accept if_not_empty',
  HTTP_ACCEPT_LANGUAGE: '$http_accept_language if_not_empty',
  HTTP_USER_AGENT: '$http_user_agent if_not_empty',
}
