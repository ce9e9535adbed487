import { address } from './client.ts'
import type { Operation } from './operations.ts'

type Loose = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** Whether an API token may call it; a person's operation answers a token with 403 `no_con_token`. */
export const tokenMay = (op: Operation): boolean => op.includes(' /api/') && !PERSON_ONLY.includes(op)

/** The exact command that does the same with a token, for a POSIX shell; `own` where curl has to be told to trust. */
export function curlOf(
  op: Operation,
  input: Loose,
  { origin, own }: { origin: string; own: boolean },
): string {
  const { method, path } = address(op, input)
  const lines = [
    method === 'GET' ? `curl ${quoted(origin + path)}` : `curl -X ${method} ${quoted(origin + path)}`,
    ...(own ? ['--cacert panel.pem'] : []),
    `-H "Authorization: Bearer $API_TOKEN"`,
  ]
  if (input.body instanceof Uint8Array) lines.push("-H 'Content-Type: text/dns'", '--data-binary @zone.txt')
  else if (input.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(input.body))}`)
  }
  return lines.join(' \\\n  ')
}

/** Single quotes keep everything but themselves as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
