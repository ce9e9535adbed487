import 'reflect-metadata'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

/** A certificate for loopback and the authority that signed it, which is also a file for NODE_EXTRA_CA_CERTS. */
export type TestCertificate = { ca: string; caPath: string; cert: string; key: string }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

let made: Promise<TestCertificate> | null = null

/** Made once a test process. workerd trusts authorities only, so a self-signed certificate will not do. */
export function loopbackCertificate(): Promise<TestCertificate> {
  made ??= make()
  return made
}

async function make(): Promise<TestCertificate> {
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 365 * DAY_MS) }
  const caKeys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    keys: caKeys,
    signingAlgorithm: SIGNING,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  })
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: SIGNING,
    ...validity,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  })
  const ca = authority.toString('pem')
  const caPath = join(await mkdtemp(join(tmpdir(), 'authority-')), 'ca.pem')
  await writeFile(caPath, ca)
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  return { ca, caPath, cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
}

/** A `fetch` that trusts this authority, for clients inside the test's own process. */
export const trusting =
  (ca: string) =>
  (request: Request, init: RequestInit): Promise<Response> =>
    fetch(request, { ...init, tls: { ca } })
