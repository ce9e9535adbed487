import type { Layout } from '../files/layout.ts'
import { BODY_IN_MEMORY } from './bodies.ts'
import { pageOr, TELL_BYPASS } from './cache/nginx.ts'
import { fastcgiParameters, fastcgiPass } from './fastcgi.ts'
import { UPLOAD_MEGABYTES } from './limits.ts'
import { block } from './lines.ts'
import { errorPages } from './pages/statuses.ts'

type Programs = { layout: Layout; secure: boolean }

/** How a request reaches the customer's PHP. */
export function phpLocations(programs: Programs): string[] {
  const { layout } = programs
  return [
    ...block('location ~ "\\.php(?:$|/)"', [
      // No guard against links: PHP opens the file itself, with the customer's own rights.
      // Without PHP the text of a program must not be served either.
      'if ($site = "") { return 404; }',
      `if (!-e ${layout.php}/$site) { return 404; }`,
      'if ($uri ~ "^(?<php_program>.+?\\.php)(?<php_rest>|/.*)$") { set $page_program $php_program; set $page_rest $php_rest; }',
      ...pageOr('$program', ['if (!-f $documents$page_program) { set $unless file; }']),
    ]),
    ...block('location @program', [
      'recursive_error_pages on;',
      'if ($body = unannounced) { return 418; }',
      'if ($too_large) { return 413; }',
      // One whose size nobody announced; what was announced has passed.
      `client_max_body_size ${UPLOAD_MEGABYTES}m;`,
      ...passToPhp(programs),
    ]),
    ...block('location @unannounced_body', [
      `client_max_body_size ${BODY_IN_MEMORY};`,
      // The way here was one of the error pages.
      'recursive_error_pages on;',
      ...passToPhp(programs),
    ]),
    ...watchedPrograms(programs),
  ]
}

/**
 * Of a site with a page of its own for programs that fail. Where nginx may replace what a program answers, it does so
 * for every status that has an error page there, so there is none but for 500 and for what no program answers itself.
 */
function watchedPrograms(programs: Programs): string[] {
  const watched = (name: string, largest: string) =>
    block(`location ${name}`, [
      `client_max_body_size ${largest};`,
      'recursive_error_pages on;',
      'fastcgi_intercept_errors on;',
      'error_page 500 /_refusal_of_the_panel;',
      'error_page 502 504 =503 @unavailable;',
      ...passToPhp(programs, '@no_program'),
    ])
  return [
    ...block('location @program_with_pages', [
      'recursive_error_pages on;',
      'if ($body = unannounced) { return 426; }',
      'if ($too_large) { return 413; }',
      'return 427;',
      ...errorPages(),
      'error_page 426 = @watched_with_unannounced_body;',
      'error_page 427 = @watched_program;',
    ]),
    ...watched('@watched_program', `${UPLOAD_MEGABYTES}m`),
    ...watched('@watched_with_unannounced_body', BODY_IN_MEMORY),
    'location @no_program { recursive_error_pages on; return 404; }',
  ]
}

function passToPhp({ layout, secure }: Programs, missing = '=404'): string[] {
  return [
    'root $documents;',
    // A program may name no place of the panel's own configuration to go on at, nor hold a connection by its pace.
    'fastcgi_ignore_headers X-Accel-Redirect X-Accel-Limit-Rate;',
    // What a program says beside its answer is an error there: lines of its own making, as many as it likes.
    `error_log ${layout.logs}/nginx-error.log crit;`,
    TELL_BYPASS,
    'fastcgi_split_path_info "^(.+?\\.php)(|/.*)$";',
    // try_files empties the variable.
    'set $rest_of_path $fastcgi_path_info;',
    `try_files $fastcgi_script_name ${missing};`,
    ...fastcgiPass(layout, fastcgiParameters(secure)),
    // What does not fit into memory waits in PHP: a slow visitor takes a worker of the site's own, and no disk.
    'fastcgi_max_temp_file_size 0;',
  ]
}
