import { UPLOAD_MEGABYTES } from './limits.ts'
import { block } from './lines.ts'

/** A body below this stays in memory; a larger one lies on the disk until all of it has come. */
export const BODY_IN_MEMORY = '100k'
/** How many such bodies come at once, each of at most UPLOAD_MEGABYTES_MAX: the last number bounds the disk. */
const LARGE_BODIES = { address: 4, client: 8, node: 32 }
/** The maps that tell which requests bring a body that may go to the disk, and whom it is counted against. */
export function boundBodies(): string[] {
  const key = { address: '$binary_remote_addr', client: '$client', node: 'node' }
  return [
    'map "$server_protocol $request_method $http_transfer_encoding $content_length" $body {',
    '  default none;',
    // Exact keys first: nginx finds them without trying the expressions.
    ...['GET', 'HEAD'].map((method) => `  "HTTP/1.1 ${method}  " none;`),
    '  "~ [0-9]{6,}$" large;',
    '  "~ [0-9]+$" small;',
    '  "~^HTTP/1\\.[01] [A-Z]+ [^ ]+ $" large;',
    // Over HTTP/2 any request may have a body without announcing it.
    '  "~^HTTP/2\\.0 (GET|HEAD|OPTIONS|DELETE) " unannounced;',
    '  "~^HTTP/2" large;',
    '}',
    `client_body_buffer_size ${BODY_IN_MEMORY};`,
    ...Object.entries(key).flatMap(([whose, value]) => [
      `map $body $large_body_of_${whose} {`,
      `  large ${value};`,
      '}',
    ]),
    ...Object.entries(LARGE_BODIES).flatMap(([whose, most]) => [
      `limit_conn_zone $large_body_of_${whose} zone=large_bodies_of_${whose}:1m;`,
      `limit_conn large_bodies_of_${whose} ${most};`,
    ]),
  ]
}

/** Limits of requests' bodies in megabytes that a site may have, each by a letter among the flags of its settings. */
const LIMITS = { a: 1, b: 2, c: 4, d: 8, e: 16, f: 32, g: UPLOAD_MEGABYTES, h: 128 }
const ORDINARY = 'g'

/** The flag of the smallest of these limits that lets such a body through; none for the ordinary one. */
export function limitFlag(bytes: number): string {
  const found = Object.entries(LIMITS).find(([, megabytes]) => bytes <= megabytes * 1024 ** 2)
  if (found === undefined) throw new TypeError('more than a site may take')
  return found[0] === ORDINARY ? '' : found[0]
}

/** Whether a body is announced that is larger than its site takes: nginx compares no numbers, so by their digits. */
export function tooLargeBodies(): string[] {
  const letters = Object.keys(LIMITS).join('')
  return block('map "$flags $content_length" $too_large', [
    'default "";',
    // Whole keys: nginx finds them without trying the expressions.
    '" " "";',
    '"p " "";',
    ...Object.entries(LIMITS).map(([letter, megabytes]) => {
      const flags = letter === ORDINARY ? `[^${letters}]*` : `[a-z]*${letter}[a-z]*`
      return `"~^${flags} (?:${largerThan(megabytes * 1024 ** 2)})$" 1;`
    }),
  ])
}

/** An expression for the decimal numbers above this one. */
function largerThan(most: number): string {
  const digits = [...String(most)]
  const above = digits.flatMap((digit, at) => {
    if (digit === '9') return []
    return `${digits.slice(0, at).join('')}[${Number(digit) + 1}-9][0-9]{${digits.length - at - 1}}`
  })
  return [`[0-9]{${digits.length + 1},}`, ...above].join('|')
}
