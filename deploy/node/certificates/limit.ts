import { readFile } from 'node:fs/promises'
import { CertificateError } from '../../../lib/sites/certificates/failure.ts'
import { RETRY_AFTER_AT_MOST_MS } from '../../../lib/sites/certificates/schedule.ts'
import { type Fault, faultStored, storedFault } from '../../../lib/text/stored-faults.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'
import { writeWhole } from '../host/files.ts'

/**
 * Asks the authority for nothing before the time that it named, which is kept in a file at `path`. That applies to a
 * person's button and a restarted panel as it does to the schedule.
 */
export async function withinLimit(path: string, now: () => Date, ask: () => Promise<void>): Promise<void> {
  const held = await readLimit(path)
  if (held !== null && waitsUntil(held.until, now(), RETRY_AFTER_AT_MOST_MS) !== null) {
    throw new CertificateError('limite', held.fault, { retryAfter: held.until })
  }
  try {
    await ask()
  } catch (error) {
    if (error instanceof CertificateError && error.retryAfter !== null) {
      const content = `${error.retryAfter.toISOString()} ${storedFault(error.fault)}`
      writeWhole({ path, content, mode: 0o600 })
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
