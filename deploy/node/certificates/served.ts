import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SelfSigned } from '../../../lib/endpoint/node-port.ts'
import type { HostCertificate } from '../../../lib/endpoint/ports/carriage.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { certificateNames, renewAt } from '../../../lib/sites/certificates/schedule.ts'
import type { Identity } from '../files/clients.ts'
import { hostName, type Layout } from '../files/layout.ts'
import { exists, readLink, removeFile, setLink, syncDirectory, writeWhole } from '../host/files.ts'
import { readCertificate } from './read.ts'

const BLOCK = /-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

/** Files that the certificates of a name take in turn: what a handshake has begun to read stays as it is. */
const SLOTS = 8

/**
 * Puts a chain and its key, as one file, where the web server's next handshake for that name reads them. Throws a
 * TypeError where the two are malformed or do not belong together, and an Error for a name that no site has any more:
 * a late order must not leave a certificate for whoever takes the name next.
 */
export function installCertificate(
  layout: Layout,
  identity: Identity,
  certificate: { name: string; chainPem: string; keyPem: string },
): void {
  const name = hostName(certificate.name)
  if (!exists(layout.host(name))) throw new Error(`${name} is not served here`)
  const path = layout.certificate(name)
  const present = Number(/,(\d)$/.exec(readLink(path) ?? '')?.[1] ?? 0)
  const file = basename(layout.certificateSlot(name, (present % SLOTS) + 1))
  writeCertificate(layout, identity, { ...certificate, file })
  setLink(layout.temporary, path, file)
  syncDirectory(layout.certificates)
}

/** Removes the certificates of a name, also former ones; that of its site stays. */
export function removeCertificates(layout: Layout, name: string): void {
  removeFile(layout.certificate(name))
  for (let slot = 1; slot <= SLOTS; slot++) removeFile(layout.certificateSlot(name, slot))
}

/** Whether a name shows a certificate of an authority's: a file of its own, or of earlier versions its path itself. */
export function hasOwnCertificate(layout: Layout, name: string): boolean {
  const path = layout.certificate(name)
  const target = readLink(path)
  return target === null ? exists(path) : target.includes(',') && exists(join(layout.certificates, target))
}

/** The authority's certificate of a name, with its key; null where it has none. */
export function readOwnCertificate(layout: Layout, host: string): HostCertificate | null {
  if (!hasOwnCertificate(layout, host)) return null
  const blocks = readFileSync(layout.certificate(host), 'utf8').match(BLOCK) ?? []
  const [keys, chain] = [true, false].map((wanted) =>
    blocks.filter((block) => block.includes('PRIVATE KEY') === wanted).join('\n'),
  )
  return keys && chain ? { host, chainPem: `${chain}\n`, keyPem: new Secret(`${keys}\n`) } : null
}

/** Makes a certificate for names; with `keyPem` under that key. */
export type MakeSelfSigned = (
  names: string[],
  keyPem: string | null,
) => Promise<{ certPem: string; keyPem: string }>

/**
 * Makes the certificate that a site's names show until an authority has given them one. Its key stays when the
 * names change: the web server reads certificate and key one after the other.
 */
export async function ensureSiteCertificate(
  { layout, identity, make, now }: { layout: Layout; identity: Identity; make: MakeSelfSigned; now: Date },
  site: { siteId: number; domain: string; aliases: string[] },
): Promise<SelfSigned> {
  const path = layout.siteCertificate(site.siteId)
  const names = certificateNames(site.domain, site.aliases)
  const held = readHeld(path)
  if (held !== null && held.names.join() === names.join() && renewAt(held.issuedAt, held.expiresAt) > now) {
    return { names, expiresAt: held.expiresAt }
  }
  const { certPem, keyPem } = await make(names, held?.keyPem ?? null)
  writeCertificate(layout, identity, { file: `s-${site.siteId}`, chainPem: certPem, keyPem })
  return { names, expiresAt: readCertificate(certPem).expiresAt }
}

/** What an earlier run made; null for nothing, or nothing of use. */
function readHeld(path: string) {
  try {
    const text = readFileSync(path, 'utf8')
    const keyPem = text.match(BLOCK)?.find((block) => block.includes('PRIVATE KEY')) ?? null
    return { ...readCertificate(text), keyPem }
  } catch {
    return null
  }
}

/** Makes the certificate that is shown where no name is asked for, or one that no site has. */
export async function ensureDefaultCertificate(
  layout: Layout,
  identity: Identity,
  make: MakeSelfSigned,
): Promise<void> {
  if (existsSync(join(layout.certificates, 'default'))) return
  const { certPem, keyPem } = await make(['unknown.invalid'], null)
  writeCertificate(layout, identity, { file: 'default', chainPem: certPem, keyPem })
}

function writeCertificate(
  layout: Layout,
  identity: Identity,
  certificate: { file: string; chainPem: string; keyPem: string },
): void {
  const { file, chainPem, keyPem } = certificate
  const chain = chainPem.match(BLOCK) ?? []
  const [leaf] = chain
  if (leaf === undefined) throw new TypeError('not a certificate chain')
  if (!new X509Certificate(leaf).checkPrivateKey(createPrivateKey(keyPem))) {
    throw new TypeError('the key is not the one of the certificate')
  }
  // The workers read keys, and no customer is in their group.
  const owner = identity.root && identity.web ? { uid: identity.root.uid, gid: identity.web.gid } : null
  const content = `${[...chain, keyPem.trim()].join('\n')}\n`
  const path = join(layout.certificates, file)
  writeWhole({ path, content, mode: 0o640, owner }, layout.temporary)
}
