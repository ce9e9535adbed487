import { readFile } from 'node:fs/promises'
import { CertificateError } from '../../../lib/certificates/failure.ts'
import { writeAtomic } from './files.ts'

/**
 * Asks nothing of the authority before the time that it named (kept in a file at `path`), whoever asks: a person's
 * button and a restarted panel are held to it as the schedule is.
 */
export async function withinLimit(path: string, now: () => Date, ask: () => Promise<void>): Promise<void> {
  const held = await readLimit(path)
  if (held !== null && held.until > now()) {
    throw new CertificateError('limite', held.reason, { retryAfter: held.until })
  }
  try {
    await ask()
  } catch (error) {
    if (error instanceof CertificateError && error.retryAfter !== null) {
      writeAtomic(path, `${error.retryAfter.toISOString()} ${error.message}`, 0o600)
    }
    throw error
  }
}

async function readLimit(path: string): Promise<{ until: Date; reason: string } | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, until, reason] = /^(\S+) (.*)$/.exec(text) ?? []
  return until === undefined || reason === undefined ? null : { until: new Date(until), reason }
}
