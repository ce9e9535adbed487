import type { Layout } from '../files/layout.ts'
import { SERVED, SHOWN } from '../files/shown.ts'
import { REFUSED_PAGE, TOO_LARGE_PAGE, TOO_MANY_PAGE } from './pages.ts'

/**
 * What follows from a request's host name and path: whose site it is, in what state, and what is to be answered.
 * Each variable is worked out once a request, and where the name leads is resolved once for all of them.
 */
export function lookups(layout: Layout): string[] {
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
    `  "~^${base}/n/[0-9]" $asked_name;`,
    '}',
    ...states(base, layout.clients),
    ...verdicts(),
  ]
}

function states(base: string, clients: string): string[] {
  return [
    // Read before all that it captures: the client, the site and its marks.
    'map $realpath_root $shown {',
    '  default unknown;',
    `  "~^${base}/n/${SHOWN}$" absent;`,
    '}',
    // Seen from the directory of the names, and without a link on the way.
    'map $present $documents {',
    '  default _/public;',
    ...SERVED.all.map((marks) => `  ${marks} ../c/$client/$site/public;`),
    '}',
    `map $client $site_directory { default ${clients}/$client/$site; }`,
    // For files that change their name when their content changes: kept by browsers where the site says so.
    'map "$marks $sent_http_content_type" $kept_by_browsers {',
    '  default off;',
    '  "~^so?f (?:text/(?:css|javascript)|image/|font/|audio/|video/|application/(?:wasm|vnd\\.ms-fontobject))" 30d;',
    '}',
  ]
}

function verdicts(): string[] {
  return [
    // An authority's challenge is answered for every name, whatever its state.
    'map $uri $kind {',
    '  default site;',
    '  "~^/\\.well-known/acme-challenge/" challenge;',
    // A visitor who asks for it gets 404, as for all internal locations.
    '  /_refusal_of_the_panel refusal;',
    '}',
    'map $status $refusal_page {',
    `  default '${REFUSED_PAGE}';`,
    `  413 '${TOO_LARGE_PAGE}';`,
    `  429 '${TOO_MANY_PAGE}';`,
    '}',
    'map $kind$present $verdict {',
    '  default none;',
    '  siteunknown refuse;',
    '  siteabsent refuse;',
    '  "~^sitesx" refuse;',
    ...SERVED.all.map((marks) => `  site${marks} ${SERVED.httpsOnly.includes(marks) ? 'move' : 'serve'};`),
    '}',
  ]
}
