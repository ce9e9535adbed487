import 'reflect-metadata'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

/** A certificate and its key in PEM, and the file that production would put into the trust store. */
export type TestCertificate = { cert: string; key: string; file: string }

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * A self-signed certificate of the kind that the panel makes at its first start (EC P-256),
 * for the given DNS names and addresses.
 */
export async function selfSigned(
  directory: string,
  name: string,
  hosts: readonly string[],
): Promise<TestCertificate> {
  x509.cryptoProvider.set(crypto)
  const keys = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const isAddress = (host: string) => /^[0-9.]+$/.test(host) || host.includes(':')
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: EC,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isAddress(host) ? ('ip' as const) : ('dns' as const), value: host })),
      ),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  const file = join(directory, `${name}.pem`)
  const cert = certificate.toString('pem')
  writeFileSync(file, cert)
  return { cert, key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'), file }
}

/** A directory of its own, and how to remove it. */
export function scratch(): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'billing-'))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
