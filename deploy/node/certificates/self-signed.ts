// tsyringe, which @peculiar/x509 uses, needs this loaded before it.
import 'reflect-metadata'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

const DAY_MS = 86_400_000
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

export type SelfSignedOptions = {
  /** Host names, lower case A-labels; the first is the common name. */
  names: string[]
  /** IPv4 and IPv6 addresses in text form. */
  addresses: string[]
  years: number
  now?: Date
  /** The EC P-256 key to go on with; a new one unless told. */
  keyPem?: string | null
}

/**
 * Makes a self-signed EC P-256 certificate that serves TLS and can be installed as it is in a trust store.
 * It is no authority (CA:FALSE, critical): whoever steals its key can pose as these names, and as nobody
 * else, to a server that trusts it. `fingerprint` is the SHA-256 of the certificate as OpenSSL prints it.
 * Throws a TypeError for a name or an address that is none, or when there is none at all.
 */
export async function selfSigned(
  options: SelfSignedOptions,
): Promise<{ certPem: string; keyPem: string; fingerprint: string }> {
  const names = [...new Set(options.names)]
  const addresses = [...new Set(options.addresses)]
  checkNames(names, addresses)
  const keys = options.keyPem
    ? await importKeys(options.keyPem)
    : await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const now = options.now ?? new Date()
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + options.years)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName(names, addresses)] }],
    keys,
    // A day back: the clock of the server that trusts it may be behind.
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: await extensionsFor(keys.publicKey, names, addresses),
  })
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const digest = new Uint8Array(await certificate.getThumbprint('SHA-256'))
  return {
    certPem: `${certificate.toString('pem').trim()}\n`,
    keyPem: `${x509.PemConverter.encode(key, 'PRIVATE KEY').trim()}\n`,
    fingerprint: [...digest].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':'),
  }
}

async function importKeys(pem: string): Promise<CryptoKeyPair> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), KEY_ALGORITHM, true, ['sign']),
    crypto.subtle.importKey('spki', new Uint8Array(spki), KEY_ALGORITHM, true, ['verify']),
  ])
  return { privateKey, publicKey }
}

function checkNames(names: string[], addresses: string[]): void {
  if (names.length + addresses.length === 0) throw new TypeError('a certificate needs a name')
  for (const name of names) if (!HOST_NAME.test(name)) throw new TypeError('not a host name')
  for (const address of addresses) if (isIP(address) === 0) throw new TypeError('not an address')
}

/** RFC 5280 allows a common name of 64 characters at most; clients read the alternative names alone. */
function commonName(names: string[], addresses: string[]): string {
  return [...names, ...addresses].find((name) => name.length <= 64) ?? 'control panel'
}

async function extensionsFor(key: CryptoKey, names: string[], addresses: string[]) {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      ...names.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ]),
    // Trust stores hold several certificates of one subject after a renewal; these tell them apart.
    await x509.SubjectKeyIdentifierExtension.create(key),
    await x509.AuthorityKeyIdentifierExtension.create(key),
  ]
}
