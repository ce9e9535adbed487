import { block } from '../lines.ts'
import { errorPages } from '../pages/statuses.ts'

/**
 * The files that answer for a folder, for a site that has names of its own for them: the way to its settings tells them,
 * and a request for a folder looks for each. Requests for other sites do not come here.
 */

const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}\.(?:html?|xhtml|shtml|php)$/
const NAMES_MAX = 8
const LENGTH_MAX = 120
const PLACES = Array.from({ length: NAMES_MAX }, (_, index) => index + 1)

/** What of the way to a site's settings tells these names; empty where they are the ordinary ones. */
export function indexNames(names: readonly string[] | undefined): string {
  if (names === undefined) return ''
  const text = names.join()
  const fits = names.length > 0 && names.length <= NAMES_MAX && text.length <= LENGTH_MAX
  if (!fits || !names.every((name) => NAME.test(name))) throw new TypeError('not names of an index')
  return `,${text}`
}

export function indexMaps(): string[] {
  return PLACES.map((place) => {
    const before = place === 1 ? '' : `(?:[^,]+,){${place - 1}}`
    return `map $own_index $index_${place} { default ""; "~^${before}(?<name_${place}>[^,]+)" $name_${place}; }`
  })
}

/** Where a request goes that no redirect and no password kept; `look` is what stands before its address. */
export function goOn(look: string): string[] {
  return ['if ($own_index) { return 428; }', further(look)]
}
/** Both for `goOn`, in the place that has it. */
export const GO_ON_PAGES = ['error_page 428 = @own_index;', 'recursive_error_pages on;']

export function indexLocations(look: string): string[] {
  return [
    ...block('location @own_index', [
      'set $found "";',
      // The first of them comes last. Without a name it would be the folder itself, which is no file.
      ...PLACES.toReversed().map(
        (place) => `if (-f $documents$address$index_${place}) { set $found $address$index_${place}; }`,
      ),
      `if ($address !~ "/\\z") { ${further(look)} }`,
      // Its own address may be protected, as where nginx finds the index itself.
      `if ($found) { rewrite ^ ${look}$found last; }`,
      'if (-d $documents$address) { return 403; }',
      further(look),
      'recursive_error_pages on;',
      ...errorPages(),
    ]),
  ]
}

const further = (look: string) => `rewrite "(?s)^${look}(/.*)\\z" $1 last;`
