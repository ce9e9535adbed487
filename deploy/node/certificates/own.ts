import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import { CertificateError } from '../../../lib/sites/certificates/failure.ts'
import { LONGEST_WAIT_MS, LOOK_AGAIN_MS, nextAttempt } from '../../../lib/sites/certificates/schedule.ts'
import { later } from '../../../lib/work/back-off.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'
import { writeWhole } from '../host/files.ts'
import type { certificateIssuer } from './issuer.ts'

export type Pair = { certPem: string; keyPem: string }

const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----\s*/
const through: Step = (_, run) => run()

/**
 * The panel's own certificate from an authority, kept with its key in one file so that a crash never leaves a
 * pair that does not match. Null where there is none, or none that is still good for `host`.
 */
export async function readOwnCertificate(path: string, host: string, now: Date): Promise<Pair | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const keyPem = KEY.exec(text)?.[0]
  if (keyPem === undefined) return null
  const certPem = text.replace(KEY, '')
  try {
    const leaf = new X509Certificate(certPem)
    const good = leaf.checkHost(host) !== undefined && leaf.checkPrivateKey(createPrivateKey(keyPem))
    return good && new Date(leaf.validTo) > now ? { certPem, keyPem } : null
  } catch {
    return null
  }
}

/**
 * Keeps the panel's own certificate: `look` is called every few minutes and at the start, asks the authority once
 * that is due, and calls `serve` with a new pair (showing it takes a new listener). `look` never throws: the panel
 * goes on with the certificate that it has.
 */
export function ownCertificateKeeper(options: {
  issuer: Pick<ReturnType<typeof certificateIssuer>, 'issueOwn'>
  host: string
  path: string
  now: () => Date
  serve: (pair: Pair) => Promise<void>
  refused: (reason: string, next: Date) => void
}): { look(): Promise<void> } {
  const state = { attempts: 0, nextAt: new Date(0) }
  return {
    async look() {
      const now = options.now()
      if (waitsUntil(state.nextAt, now, LONGEST_WAIT_MS) !== null) return
      try {
        await options.issuer.issueOwn(options.host, (_name, chain, key) => keep(options, chain, key), through)
        // The issuer answers with what is in use until it is due, so a daily look costs the authority nothing.
        Object.assign(state, { attempts: 0, nextAt: later(now, LOOK_AGAIN_MS) })
      } catch (error) {
        state.attempts += 1
        const { kind, retryAfter } =
          error instanceof CertificateError ? error : { kind: 'no_disponible' as const, retryAfter: null }
        state.nextAt = nextAttempt({ kind, attempts: state.attempts, now, retryAfter, seed: 0 })
        options.refused(error instanceof Error ? error.message : 'unknown', state.nextAt)
      }
    },
  }
}

async function keep(
  options: { path: string; host: string; now: () => Date; serve: (pair: Pair) => Promise<void> },
  certPem: string,
  keyPem: string,
): Promise<void> {
  const held = await readOwnCertificate(options.path, options.host, options.now())
  if (held?.certPem.trim() === certPem.trim()) return
  writeWhole({ path: options.path, content: `${certPem.trim()}\n${keyPem.trim()}\n`, mode: 0o600 })
  await options.serve({ certPem, keyPem })
}
