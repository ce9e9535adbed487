/** A body below this stays in memory; a larger one lies on the disk until all of it has come. */
export const BODY_IN_MEMORY = '100k'
/** How many such bodies come at once, each of at most UPLOAD_MEGABYTES: the last number bounds the disk. */
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
