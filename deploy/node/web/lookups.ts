import type { Layout } from '../files/layout.ts'
import { SERVED, SHOWN } from '../files/shown.ts'
import { browserMaps } from './cache/browsers.ts'
import { block } from './lines.ts'
import { REFUSED_PAGE, TOO_LARGE_PAGE, TOO_MANY_PAGE } from './pages/own.ts'
import { indexMaps } from './rules/index-files.ts'

/** Parts of a page, which nobody opens by themselves. */
const PARTS = 'css|m?js|map|json|wasm|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf'

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
    // While TLS is being negotiated there is no request yet: the root is then what the asked name shows.
    'map $known_host $leading_host {',
    '  default $known_host;',
    '  "" ../t/$asked_name;',
    '}',
    // Resolved once a handshake, since chain and key are read one after the other: both from one file, whatever takes
    // its place meanwhile. A name that leads nowhere is answered with the certificate of no site.
    'map $realpath_root $certificate_file {',
    `  default ${layout.certificates}/default;`,
    `  "~^${base}/t/." $realpath_root;`,
    '}',
    ...states(base, layout.clients),
    ...verdicts(),
  ]
}

function states(base: string, clients: string): string[] {
  const own = [...SERVED.set, ...SERVED.looked]
  return [
    // Read before all that it captures: the client, the site and its marks.
    'map $realpath_root $shown {',
    '  default unknown;',
    `  "~^${base}/n/${SHOWN}$" absent;`,
    '}',
    // Seen from the directory of the names, and without a link of the panel's on the way.
    ...block('map $present $documents', [
      'default _/public;',
      ...SERVED.plain.map((marks) => `${marks} ../c/$client/$site/public;`),
      ...own.map((marks) => `${marks} ../c/$client/$site/$web_root;`),
    ]),
    // What may be passed without a look at links, since root alone can change it: a document root that the customer
    // made is not part of it.
    ...block('map $present $trusted', [
      'default ./_/public;',
      ...SERVED.plain.map((marks) => `${marks} ./../c/$client/$site/public;`),
      ...own.map((marks) => `${marks} ./../c/$client/$site;`),
    ]),
    'map $web_root $document_folder { default $web_root; "" public; }',
    // What answers for an address of no file. A part of a page that is missing is not answered by a page.
    ...block('map "$flags $uri" $unknown', [
      'default /index.php?$args;',
      `"~^[a-z]*p[a-z]* (?!.*\\.(?:${PARTS})$)" @single_page;`,
    ]),
    // Kept pages are of programs: where addresses of no file have a page, none is asked.
    'map $flags $front_program { default index.php; "~p" .; }',
    `map $client $site_directory { default ${clients}/$client/$site; }`,
    ...browserMaps(),
    ...indexMaps(),
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
    ...block('map $scheme$kind$present $verdict', [
      'default none;',
      '"~^https?sitesx" refuse;',
      // Whole keys: nginx finds them without trying the expression.
      ...['http', 'https'].flatMap((scheme) => [
        `${scheme}siteunknown refuse;`,
        `${scheme}siteabsent refuse;`,
        ...Object.values(SERVED)
          .flat()
          .map((marks) => `${scheme}site${marks} ${verdictOf(scheme, marks)};`),
      ]),
    ]),
  ]
}

function verdictOf(scheme: string, marks: string): 'move' | 'look' | 'serve' {
  if (scheme === 'http' && marks.includes('o')) return 'move'
  return SERVED.looked.includes(marks) ? 'look' : 'serve'
}
