import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The panel's certificates: one of the authority is there only where the host's name is public. */
const CERTIFICATES = ['authority.pem', 'panel.pem']
const SETTING = /^\s*PANEL_HOST\s*=\s*\S/m

/**
 * The host name that the panel of an unpacked copy was reached by; null where that is `host`, where the copy's
 * `panel.env` says it, and where no certificate tells.
 */
export function formerHost(copy: string, host: string): string | null {
  const settings = join(copy, 'panel.env')
  if (existsSync(settings) && SETTING.test(readFileSync(settings, 'utf8'))) return null
  const found = CERTIFICATES.map((name) => join(copy, 'tls', name)).filter((path) => existsSync(path))
  const names = found.map((path) => namesOf(readFileSync(path, 'utf8')))
  return names.some((own) => own.includes(host)) ? null : (names.flat()[0] ?? null)
}

/** None where it is no certificate. */
function namesOf(pem: string): string[] {
  try {
    const { subjectAltName = '' } = new X509Certificate(pem)
    const named = [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name)
    return named.filter((name) => name !== 'localhost')
  } catch {
    return []
  }
}
