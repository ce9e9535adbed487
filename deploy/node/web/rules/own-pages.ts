import type { Layout } from '../../files/layout.ts'
import { block } from '../lines.ts'
import { MISSING_PAGE, REFUSED_PAGE, UNAVAILABLE_PAGE } from '../pages/own.ts'

/**
 * Pages of a site's own for errors, which `rules/tree.ts` writes: a status leads to a directory whose path is the page's
 * address. Only a request that ends in an error comes here, and one of a site without such pages looks nothing up.
 */

export const UNSTORED = 'add_header Cache-Control no-store always;'

export function ownPageMaps({ base }: Layout): string[] {
  const tree = `${base.replaceAll('.', '\\.')}/g/[0-9]+-[0-9a-f]+`
  return [
    `map $realpath_root $page_told { default ""; "~^${tree}/d(?<page_address>/.+)$" $page_address; }`,
    'map $answered $seconds_told { default ""; 503 5; }',
    // Whole keys: nginx finds them without trying the expression.
    'map $flags $program { default @program; "" @program; p @program; "~w" @program_with_pages; }',
  ]
}

/**
 * What a location does before it answers with the panel's page: it sends the site's own, if there is one, with the status
 * that led here. Without another redirect, since nginx allows ten and a protected part takes most of them.
 */
export const ownPageOr = (status: string): string[] => [
  'root $page_entry;',
  'disable_symlinks if_not_owner from=$trusted;',
  'recursive_error_pages on;',
  'error_page 403 404 405 = @page_of_the_panel;',
  `set $answered ${status};`,
  // No name that is there; an empty one would be taken for the directory itself.
  'set $page_entry -;',
  'set $page_file -;',
  'if ($flags ~ m) { set $page_entry ../g/$site-$settings/e/$answered; }',
  'if (-e $page_entry) { set $own_page $page_told; set $page_file $documents$page_told; }',
  'if ($request_method !~ "^(?:GET|HEAD)$") { set $page_file -; }',
  'if (-f $page_file) { root $documents; rewrite ^ $own_page break; }',
]

/** For a page that cannot be read after all. */
export function ownPageLocations(): string[] {
  return block('location @page_of_the_panel', [
    'default_type "text/html; charset=utf-8";',
    UNSTORED,
    'add_header Retry-After $seconds_told always;',
    `if ($answered = 403) { return 403 '${REFUSED_PAGE}'; }`,
    `if ($answered = 404) { return 404 '${MISSING_PAGE}'; }`,
    `if ($answered = 500) { return 500 '${REFUSED_PAGE}'; }`,
    `return 503 '${UNAVAILABLE_PAGE}';`,
  ])
}
