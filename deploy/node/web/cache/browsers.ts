import type { DesiredCache } from '../../../../lib/endpoint/node-port.ts'
import { FILE_CLASSES } from '../../../../schema/states.ts'
import { SERVED } from '../../files/shown.ts'
import { block } from '../lines.ts'

/**
 * How long browsers keep files. The mark `f` says whether they are told anything: for a site without it a file costs
 * one table look-up. The times of its classes are part of what `n/` tells, such as `d0i604800sx31536000`.
 */

type FileClass = (typeof FILE_CLASSES)[number]

/** A letter for each class, other than the one for what never changes. */
const LETTERS: Record<FileClass, string> = {
  document: 'd',
  font: 'f',
  html: 'h',
  image: 'i',
  media: 'm',
  style: 's',
}
const TYPES: Record<FileClass, string> = {
  document:
    'application/(?:pdf|rtf|epub|msword|vnd\\.(?:ms-excel|ms-powerpoint|openxml|oasis))|text/(?:plain|csv|calendar|vcard)',
  font: 'font/|application/vnd\\.ms-fontobject',
  html: 'text/html|application/xhtml',
  image: 'image/',
  media: '(?:audio|video)/',
  style: 'text/(?:css|javascript)|application/wasm',
}
/** For files that change their name when their content changes. */
const LONG_SECONDS = 2_592_000
const LONG_LIVED: FileClass[] = ['font', 'image', 'media', 'style']
const SECONDS_MAX = 31_536_000

/** What of the way to a site's settings tells its times; empty where no class has one of its own. */
export function keptClasses(cache: DesiredCache | null | undefined): string {
  const { classes = {}, longLivedFiles = false } = cache ?? {}
  if (Object.keys(classes).length === 0) return ''
  const long = { seconds: LONG_SECONDS, immutable: false }
  return FILE_CLASSES.flatMap((one) => {
    const kept = classes[one] ?? (longLivedFiles && LONG_LIVED.includes(one) ? long : null)
    if (kept === null) return []
    const { seconds, immutable } = kept
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > SECONDS_MAX) {
      throw new TypeError('not a time to keep files for')
    }
    return `${LETTERS[one]}${immutable ? 'x' : ''}${seconds}`
  })
    .sort()
    .join('')
}

/** Whether browsers are told anything about a site's files. */
export const tellsBrowsers = (cache: DesiredCache | null | undefined): boolean =>
  cache?.longLivedFiles === true || Object.keys(cache?.classes ?? {}).length > 0

/** `$kept_by_browsers`: the whole of the header; empty sends none. */
export function browserMaps(): string[] {
  const marks = Object.values(SERVED)
    .flat()
    .filter((one) => one.includes('f'))
  const long = LONG_LIVED.map((one) => LETTERS[one]).join('')
  const before = '(?:[a-z0-9]*[0-9])?\\1'
  return [
    ...block('map $marks $kept_by_browsers', [
      'default "";',
      ...marks.map((one) => `${one} $kept_by_class;`),
    ]),
    ...block('map $sent_http_content_type $file_class', [
      'default "";',
      ...FILE_CLASSES.map((one) => `"~^(?:${TYPES[one]})" ${LETTERS[one]};`),
    ]),
    ...block('map "$file_class $kept_classes" $kept_by_class', [
      'default "";',
      `"~^[${long}] $" max-age=${LONG_SECONDS};`,
      `"~^([a-z]) ${before}(?<kept_seconds>[0-9]+)" max-age=$kept_seconds;`,
      `"~^([a-z]) ${before}x(?<kept_for_good>[0-9]+)" "max-age=$kept_for_good, immutable";`,
    ]),
  ]
}

/** Not `expires`, which cannot say that a file never changes. */
export const TELL_BROWSERS = 'add_header Cache-Control $kept_by_browsers;'
