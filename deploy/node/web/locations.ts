import { basename } from 'node:path'
import type { PageKind } from '../../../lib/endpoint/ports/pages.ts'
import type { Layout } from '../files/layout.ts'
import { TELL_BROWSERS } from './cache/browsers.ts'
import { pageLocations, pageOr, TELL_BYPASS } from './cache/nginx.ts'
import { block } from './lines.ts'
import { MISSING_PAGE, SUSPENDED_PAGE, UNAVAILABLE_PAGE } from './pages/own.ts'
import { pageFile } from './pages/shown.ts'
import { errorPages } from './pages/statuses.ts'
import { phpLocations } from './php-location.ts'
import { ruleLocations } from './rules/nginx.ts'
import { ownPageLocations, ownPageOr, UNSTORED } from './rules/own-pages.ts'

export type Serving = {
  layout: Layout
  /** Whether it is about requests over TLS. */
  secure: boolean
  /** Where they come in. */
  port: number
  /** Whether nginx here compresses by brotli too. */
  brotli: boolean
}

/** File types for which a compressed file beside them is looked for. */
const COMPRESSIBLE =
  'html?|css|m?js|json|jsonld|map|webmanifest|xml|atom|rss|svg|txt|csv|md|wasm|ttf|otf|eot|ico'
/** What is large as a rule, photographs of some 40 kB and more among it, and compressed by itself. */
const LARGE =
  'jpe?g|webp|avif|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|iso|img|dmg|exe|msi|apk|deb|rpm|mp4|m4v|webm|mov|avi|mpe?g|ogv|mp3|m4a|flac|wav|pdf|epub'

/** What is answered to a request for a site that is served, by its path. */
export function locations(serving: Serving): string[] {
  return [
    ...challenge(serving.layout),
    ...files(),
    ...phpLocations(serving),
    ...pageLocations(serving),
    ...firstTheFile(serving),
    ...ruleLocations(),
    ...panelsOwn(serving.layout),
    ...ownPageLocations(),
  ]
}

function challenge(layout: Layout): string[] {
  return block('location ^~ /.well-known/acme-challenge/', [
    `alias ${layout.acme}/;`,
    `disable_symlinks on from=${layout.acme};`,
    'default_type text/plain;',
    'types { }',
  ])
}

/** Below the document root, and through links only to files of the same owner. */
const DOCUMENTS = ['root $documents;', 'disable_symlinks if_not_owner from=$trusted;']
const FILE_OR_PROGRAM = 'try_files $uri $uri/ $unknown;'
/** The program that gets every address that is no file, where the site has one. */
const FRONT_PROGRAM = [
  'if (!-f $documents/$front_program) { set $unless file; }',
  'set $page_program /index.php;',
  'set $page_rest "";',
]
const INDEX = 'index index.php index.html index.htm'
/**
 * What lies beside a site by oversight and tells of it: dumps, logs, and what editors and hasty copies leave. They are
 * 404 whether they are there or not, and no program is asked for them.
 */
const LEFT_BEHIND =
  '[~#]$|(?i:\\.(?:bak|old|orig|save|sw[a-p]|sql|dump|log)(?:\\.(?:[0-9]+|gz|bz2|xz|zst|zip|7z))*$|/wp-config\\.php\\.)'

function files(): string[] {
  return [
    ...block('location ^~ /.well-known/', [
      ...DOCUMENTS,
      `location ~ "\\.php|/\\.well-known/(?:.*/)?\\.|${LEFT_BEHIND}" { return 404; }`,
    ]),
    `location ~ "/\\.|${LEFT_BEHIND}" { return 404; }`,
    ...block('location = /', pageOr('@index', FRONT_PROGRAM)),
    ...block('location @index', [...DOCUMENTS, TELL_BYPASS, `${INDEX} /_placeholder_of_the_panel;`]),
    ...block(
      'location /',
      pageOr('@file_or_program', ['if (-e $documents$uri) { set $unless file; }', ...FRONT_PROGRAM]),
    ),
    ...block('location @file_or_program', [...DOCUMENTS, TELL_BYPASS, `${INDEX};`, FILE_OR_PROGRAM]),
    ...block('location @single_page', [...DOCUMENTS, TELL_BROWSERS, 'try_files /index.html =404;']),
  ]
}

/**
 * A name with an extension is a file nearly always: it is opened at once, and looked for among the rest only when
 * that fails. A file beside it that is compressed already is subject to the same guard.
 */
function firstTheFile({ layout, brotli }: Serving): string[] {
  const opened = [
    'root $documents;',
    // Any link fails here, which takes fewer look-ups than comparing owners; the location it falls back to compares
    // them.
    'disable_symlinks on from=$trusted;',
    `error_log ${layout.logs}/nginx-error.log crit;`,
    TELL_BROWSERS,
    ...errorPages([403, 404, 405]),
    'error_page 403 404 405 = @file_or_program;',
    // What is not found there either is answered as everywhere.
    'recursive_error_pages on;',
  ]
  return [
    ...block(`location ~ "\\.(?:${COMPRESSIBLE})$"`, [
      ...opened,
      // Without this nginx looks for a compressed file just to send `Vary`, also for visitors that take none.
      'gzip_vary off;',
      'add_header Vary Accept-Encoding;',
      'gzip_static on;',
      ...(brotli ? ['brotli_static on;'] : []),
    ]),
    // Sent from the kernel's memory without a copy, which costs more than it saves where a file is small.
    ...block(`location ~ "\\.(?:${LARGE})$"`, [...opened, 'sendfile on;']),
    ...block('location ~ "\\.[A-Za-z0-9]+$"', opened),
  ]
}

function panelsOwn(layout: Layout): string[] {
  return [
    ...block('location = /_refusal_of_the_panel', [
      'internal;',
      // Without this a body that was refused is refused here again, with nginx's own page.
      'client_max_body_size 0;',
      'default_type "text/html; charset=utf-8";',
      UNSTORED,
      ...ownPageOr('$status'),
      // The status stays the one that led here.
      'return 200 $refusal_page;',
    ]),
    ...block('location = /_placeholder_of_the_panel', [
      'internal;',
      `alias ${pageFile(layout, 'placeholder')};`,
      'default_type text/html;',
      'charset utf-8;',
      UNSTORED,
      ...STRICT,
    ]),
    // Named locations are not subject to the server's verdict again.
    ...block('location @missing', [
      'default_type "text/html; charset=utf-8";',
      UNSTORED,
      ...ownPageOr('404'),
      `return 404 '${MISSING_PAGE}';`,
    ]),
    ...unserved(layout),
    ...block('location @unavailable', [
      'default_type "text/html; charset=utf-8";',
      UNSTORED,
      ...ownPageOr('503'),
      'add_header Retry-After 5 always;',
      `return 503 '${UNAVAILABLE_PAGE}';`,
    ]),
  ]
}

/** Nothing on a page of the operator's runs, or comes from elsewhere. */
const STRICT = [
  `add_header Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" always;`,
  'add_header X-Content-Type-Options nosniff always;',
]

/** When to come again to a site that is being moved or restored. */
const AWAY_SECONDS = 60

/** After how many seconds to come again; nothing where nobody is to. */
const WAIT = [
  'set $wait "";',
  // Its site may not be made again yet.
  `if (-f ../recovering) { set $wait ${AWAY_SECONDS}; }`,
  // This directory exists only where a suspended client's link leads.
  'if (-d ../k/$client/public) { set $wait 3600; }',
  // By its mark a site is away by itself, also while a move has all of its client ended for a moment.
  `if ($marks ~ x) { set $wait ${AWAY_SECONDS}; }`,
]

/** Where a request goes that no site answers; nobody asks for it from outside. */
export const UNSERVED = '/_unserved_of_the_panel'

/** A client or site that is suspended, or a name that leads nowhere. */
function unserved(layout: Layout): string[] {
  return [
    ...block(`location = ${UNSERVED}`, [
      'internal;',
      ...WAIT,
      'recursive_error_pages on;',
      'error_page 503 @suspended;',
      'error_page 404 @nowhere;',
      'if ($wait) { return 503; }',
      'return 404;',
    ]),
    ...block('location @suspended', [
      ...pageAnswer(layout, 'suspended'),
      'add_header Retry-After $wait always;',
      'error_page 403 404 405 =503 @suspended_plainly;',
    ]),
    ...block('location @nowhere', [
      ...pageAnswer(layout, 'missing'),
      'error_page 403 404 405 =404 @nowhere_plainly;',
    ]),
    // For what no file answers: a request that sends something, or one while the file is away.
    ...block('location @suspended_plainly', [
      'default_type "text/html; charset=utf-8";',
      UNSTORED,
      ...STRICT,
      'add_header Retry-After $wait always;',
      `return 503 '${SUSPENDED_PAGE}';`,
    ]),
    ...block('location @nowhere_plainly', [
      'default_type "text/html; charset=utf-8";',
      UNSTORED,
      ...STRICT,
      `return 404 '${MISSING_PAGE}';`,
    ]),
  ]
}

/** The status stays the one that led here. */
const pageAnswer = (layout: Layout, kind: PageKind): string[] => [
  `root ${layout.nginx};`,
  'types { }',
  'default_type "text/html; charset=utf-8";',
  'etag off;',
  UNSTORED,
  ...STRICT,
  'recursive_error_pages on;',
  `rewrite ^ /${basename(pageFile(layout, kind))} break;`,
]
