import { withinDeadline } from '../../../lib/endpoint/deadline.ts'
import type { Secret } from '../../../lib/secrets/secret.ts'
import { smtpTransport } from './mailer.ts'

/** As long as a server may think about its greeting before `doctor` takes it for silent. */
const ANSWER_MS = 10_000

/** By the codes of nodemailer; what it says itself may quote what the server was sent. */
const WORDS: Record<string, string> = {
  EAUTH: 'refuses the user name or password',
  ENOAUTH: 'wants a user name and a password',
  EDNS: 'has no address that can be found',
  ETLS: 'offers no encryption that can be trusted',
  ESOCKET: 'cannot be reached',
  ECONNECTION: 'cannot be reached',
  ETIMEDOUT: 'does not answer in time',
}

const UNTRUSTED = /CERT|ALTNAME|SIGNATURE|^UNABLE_TO/

/** Why no mail goes out, or null: connects to the server and signs in as a mail would, and hands nothing over. */
export async function mailFault(smtpUrl: Secret): Promise<string | null> {
  const transport = smtpTransport(smtpUrl, ANSWER_MS)
  const { host } = new URL(smtpUrl.reveal())
  try {
    await withinDeadline(transport.verify(), ANSWER_MS, () => {
      throw Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
    })
    return null
  } catch (error) {
    return `PANEL_SMTP_URL: ${host} ${wordsOf(error)}: no mail goes out until that is mended`
  } finally {
    transport.close()
  }
}

function wordsOf(error: unknown): string {
  const codes = codesOf(error)
  if (codes.some((code) => UNTRUSTED.test(code)))
    return 'is not whom its certificate names, or nobody vouches for it'
  const known = codes.find((code) => WORDS[code])
  return known ? (WORDS[known] ?? '') : ['does not take mail', ...codes.slice(0, 1)].join(': ')
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [...('code' in error && typeof error.code === 'string' ? [error.code] : []), ...codesOf(error.cause)]
}
