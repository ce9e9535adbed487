import type { Layout } from '../../files/layout.ts'
import { block } from '../lines.ts'
import { UNAUTHORISED_PAGE } from '../pages/own.ts'
import { REFUSAL } from '../pages/statuses.ts'
import { GO_ON_PAGES, goOn, indexLocations } from './index-files.ts'

/**
 * Redirects and protected parts of the sites that have some, looked up by each request's address in the tree that
 * `tree.ts` writes. A request for any other site does not come here.
 */

/** Where such a request goes first; nobody asks for it from outside. */
export const LOOK = '/_look_of_the_panel'

/** What a redirect's entry leads to: a path that spells status and destination. */
export function ruleMaps({ base }: Layout): string[] {
  const tree = `${base.replaceAll('.', '\\.')}/g/[0-9]+-[0-9a-f]+/t`
  return [
    // Read before all that it captures.
    ...block('map $realpath_root $redirect_status', [
      'default "";',
      `"~^${tree}/(?<status_told>[0-9]+)/(?<scheme_told>own|https?)/(?<rest_mode>[kd])/(?<destination>.*),$" $status_told;`,
    ]),
    'map $scheme_told $redirect_start { default $scheme_told://; own /; }',
    'map $rest_mode $redirect_rest { default ""; k $rest_of_address; }',
    // A query of the destination stands in the place of the visitor's.
    'map $destination $redirect_query { default $is_args$args; "~[?#]" ""; }',
  ]
}

const REDIRECT_STATUSES = [301, 302, 307, 308]
const LEVELS = [0, 1, 2, 3, 4]

export function ruleLocations(): string[] {
  return [
    ...block(`location ^~ ${LOOK}/`, [
      'internal;',
      // What led to this page was looked up already, and looking again would lose its status.
      `if ($uri = ${LOOK}${REFUSAL}) { rewrite ^ ${REFUSAL} last; }`,
      'root $rule;',
      'set $tree ../g/$site-$settings;',
      // What a power cut took is not served as if nothing had protected it.
      'if (!-d $tree) { return 503; }',
      `if ($uri ~ "(?s)^${LOOK}(?<address>/.*)\\z") { set $rest_of_address ""; }`,
      ...redirects(),
      ...guards(),
      ...goOn(LOOK),
      ...GO_ON_PAGES,
      'error_page 425 = @guarded;',
      'error_page 503 @unavailable;',
    ]),
    ...block('location @guarded', [
      'auth_basic "Acceso protegido";',
      'auth_basic_user_file $users;',
      // Not a page that is looked up, since the whole site may be protected.
      'error_page 401 403 = @unauthorised;',
      // The way on comes after the check.
      'root _;',
      'try_files /_ @granted;',
    ]),
    ...block('location @granted', ['set $granted $users;', ...goOn(LOOK), ...GO_ON_PAGES]),
    ...indexLocations(LOOK),
    ...block('location @unauthorised', [
      'default_type "text/html; charset=utf-8";',
      'add_header Cache-Control no-store always;',
      `return 401 '${UNAUTHORISED_PAGE}';`,
    ]),
  ]
}

/** The entry of the very address, or else the nearest above it that takes all below. */
function redirects(): string[] {
  return [
    // Once a request: what the site's own index or front program makes of it is not redirected again.
    'set $redirects $tree/r$looked_up;',
    'set $looked_up 0;',
    'set $rule "";',
    'if ($address ~ "^(?<s1>/[^/]+)(?<s2>/[^/]+)?(?<s3>/[^/]+)?(?<s4>/[^/]+)?") { set $rule ""; }',
    // A level that the address does not have leads nowhere, and not to the entry of the level above.
    ...LEVELS.slice(1).map((level) => `if ($s${level} = "") { set $s${level} /=; }`),
    // The rest as it was sent: decoded, it could end a line of the answer.
    'if ($request_uri ~ "^(?<t0>/[^/?]*(?<t1>/[^/?]*(?<t2>/[^/?]*(?<t3>/[^/?]*(?<t4>/[^?]*)?)?)?)?)") { set $rule ""; }',
    ...LEVELS.map((level) => {
      const entry = `$redirects${segments(level)}/*`
      return `if (-e ${entry}) { set $rule ${entry}; set $rest_of_address $t${level}; }`
    }),
    'if (-e $redirects$address/=) { set $rule $redirects$address/=; }',
    'set $redirect "";',
    'if ($rule) { set $redirect $redirect_status; }',
    ...REDIRECT_STATUSES.map(
      (status) =>
        `if ($redirect = ${status}) { return ${status} $redirect_start$destination$redirect_rest$redirect_query; }`,
    ),
  ]
}

function guards(): string[] {
  return [
    'set $users "";',
    ...LEVELS.map((level) => {
      const entry = `$tree/a${segments(level)}/@`
      return `if (-f ${entry}) { set $users ${entry}; }`
    }),
    // Not asked twice, for a folder and for the file that answers for it.
    'set $asking $users;',
    'if ($users = $granted) { set $asking ""; }',
    'if ($asking) { return 425; }',
  ]
}

const segments = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$s${index + 1}`).join('')
