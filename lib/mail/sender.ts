import type { PanelConfig } from '../endpoint/context.ts'

/** Larger than any program's message head; what has a longer one is not looked through. */
const HEAD_BYTES = 256 * 1024

type Own = Pick<PanelConfig, 'host' | 'mailFrom'>

/**
 * The return address names the client, so that bounces and the mail server's log tell whose mail it was (RFC
 * 5233).
 */
export const returnAddress = ({ host }: Own, client: string): string => `cliente+${client}@${host}`

/**
 * Whether a message names as its author the panel's own sender, whose mails bring links, or the return address of
 * another client; true also where its head is too long to tell.
 */
export function isOfAnother(config: Own, client: string, message: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(message.subarray(0, HEAD_BYTES))
  const [head = ''] = text.split('\n\n', 1)
  if (head.length === HEAD_BYTES) return true
  const own = returnAddress(config, client).toLowerCase()
  const panel = (/<([^<>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom).toLowerCase()
  const authors = head.replace(/\n[ \t]/g, ' ').match(/^(?:Resent-)?(?:From|Sender)[ \t]*:.*$/gim) ?? []
  const ofClients = `@${config.host.toLowerCase()}`
  return authors
    .flatMap(plain)
    .some(
      (line) =>
        line.includes(panel) ||
        line
          .split(/[<>,;:]/)
          .some((part) => part.includes('cliente+') && part.endsWith(ofClients) && !part.endsWith(own)),
    )
}

/**
 * Without what an address may have in it that means nothing: `"panel"(x)@host` is `panel@host` (RFC 5322, 3.4.1). Both
 * as quotes are read and as if they were none: programs differ in what they make of a lone one.
 */
const plain = (line: string): string[] =>
  [true, false].map((quotes) =>
    withoutComments(line, quotes)
      .replace(/["\\\s]/g, '')
      .toLowerCase(),
  )

/** Comments may stand within comments, and are none within quotes. */
function withoutComments(line: string, quotes: boolean): string {
  const kept: string[] = []
  let depth = 0
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at)
    if (sign === '\\') {
      at++
      if (depth === 0) kept.push(line.charAt(at))
    } else if (quotes && sign === '"' && depth === 0) quoted = !quoted
    else if (sign === '(' && !quoted) depth++
    else if (sign === ')' && depth > 0) depth--
    else if (depth === 0) kept.push(sign)
  }
  return kept.join('')
}
