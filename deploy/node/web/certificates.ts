import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../files/clients.ts'
import { hostName, type Layout } from '../files/layout.ts'
import { exists, syncDirectory, writeWhole } from '../files/safe.ts'

const BLOCK = /-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

/**
 * Puts a chain and its key, as one file, where the web server's next handshake for that name reads them.
 * Throws a TypeError for a chain or key that is none or that do not belong together, and an Error for a name
 * that leads nowhere: a late order must not leave a certificate for whoever takes the name next.
 */
export function installCertificate(
  layout: Layout,
  identity: Identity,
  certificate: { name: string; chainPem: string; keyPem: string },
): void {
  const name = hostName(certificate.name)
  if (!exists(layout.host(name))) throw new Error(`${name} is not served here`)
  writeCertificate(layout, identity, { ...certificate, file: name })
  syncDirectory(layout.certificates)
}

/** Makes the certificate that is shown where no name is asked for, and until a name has its own. */
export async function ensureDefaultCertificate(
  layout: Layout,
  identity: Identity,
  make: () => Promise<{ certPem: string; keyPem: string }>,
): Promise<void> {
  if (existsSync(join(layout.certificates, 'default'))) return
  const { certPem, keyPem } = await make()
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
  writeWhole(layout.temporary, { path, content, mode: 0o640, owner })
}
