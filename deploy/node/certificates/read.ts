import { X509Certificate } from 'node:crypto'
import { sanitise } from '../../../lib/faults.ts'
import type { Certificate } from '../../../lib/node.ts'

/** What the panel shows of a certificate: issuer, beginning and end of its life, names. */
export function readCertificate(chainPem: string): Certificate {
  const leaf = new X509Certificate(chainPem)
  const issuer = /^(?:O|CN)=(.+)$/m.exec(leaf.issuer)?.[1] ?? leaf.issuer
  const names = [...(leaf.subjectAltName ?? '').matchAll(/DNS:([^\s,]+)/g)].map((match) => match[1] ?? '')
  return {
    issuer: sanitise(issuer),
    expiresAt: new Date(leaf.validTo),
    issuedAt: new Date(leaf.validFrom),
    names,
  }
}
