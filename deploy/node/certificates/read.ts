import { X509Certificate } from 'node:crypto'
import type { Certificate } from '../../../lib/endpoint/node-port.ts'
import { sanitise } from '../../../lib/text/stored-faults.ts'

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
