import { readFile } from 'node:fs/promises'
import { CertificateError } from '../../../lib/certificates/failure.ts'
import { type Fault, faultStored, storedFault } from '../../../lib/faults.ts'
import { writeAtomic } from './files.ts'

/**
 * Asks nothing of the authority before the time that it named (kept in a file at `path`), whoever asks: a person's
 * button and a restarted panel are held to it as the schedule is.
 */
export async function withinLimit(path: string, now: () => Date, ask: () => Promise<void>): Promise<void> {
  const held = await readLimit(path)
  if (held !== null && held.until > now()) {
    throw new CertificateError('limite', held.fault, { retryAfter: held.until })
  }
  try {
    await ask()
  } catch (error) {
    if (error instanceof CertificateError && error.retryAfter !== null) {
      writeAtomic(path, `${error.retryAfter.toISOString()} ${storedFault(error.fault)}`, 0o600)
    }
    throw error
  }
}

async function readLimit(path: string): Promise<{ until: Date; fault: Fault } | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, until, stored] = /^(\S+) (.*)$/.exec(text) ?? []
  if (until === undefined || stored === undefined) return null
  const fault = faultStored(stored)
  // An earlier version of the panel kept the authority's text alone.
  return { until: new Date(until), fault: fault.codigo === 'anterior' ? { codigo: 'acme_limite' } : fault }
}
