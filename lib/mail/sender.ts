import type { PanelConfig } from '../endpoint/context.ts'

/** Larger than any program's message head. */
const HEAD_BYTES = 256 * 1024

type Own = Pick<PanelConfig, 'host' | 'mailFrom'>

/**
 * The return address names the client, so that bounces and the mail server's log tell whose mail it was (RFC
 * 5233).
 */
export const returnAddress = ({ host }: Own, client: string): string => `cliente+${client}@${host}`

/**
 * Whether a message names as its author the panel's own sender, whose mails bring links, or the return address of
 * another client.
 */
export function isOfAnother(config: Own, client: string, message: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(message.subarray(0, HEAD_BYTES))
  const [head = ''] = text.split('\n\n', 1)
  const own = returnAddress(config, client).toLowerCase()
  const panel = (/<([^<>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom).toLowerCase()
  const authors = head.replace(/\n[ \t]/g, ' ').match(/^(?:Resent-)?(?:From|Sender)[ \t]*:.*$/gim) ?? []
  const ofClients = `@${config.host.toLowerCase()}`
  return authors
    .map(plain)
    .some(
      (line) =>
        line.includes(panel) ||
        line
          .split(/[<>,;:]/)
          .some((part) => part.includes('cliente+') && part.endsWith(ofClients) && !part.endsWith(own)),
    )
}

/** Without what an address may have in it that means nothing: `"panel"(x)@host` is `panel@host` (RFC 5322, 3.4.1). */
const plain = (line: string) =>
  line
    .replace(/\((?:[^()\\]|\\.)*\)/g, '')
    .replace(/["\\\s]/g, '')
    .toLowerCase()
