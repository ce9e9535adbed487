import { X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { PanelConfig } from '../../../lib/endpoint/context.ts'
import { hostName, reservedName } from '../../../lib/text/host-names.ts'
import { ConfigError, type NodeConfig } from '../../config.ts'
import { machineAddresses } from '../host/addresses.ts'
import { readIfThere, writeWhole } from '../host/files.ts'
import type { Runtime } from '../runtime.ts'
import type { Listening } from '../server.ts'
import { ownCertificateKeeper, readOwnCertificate } from './own.ts'

const LOOK_MS = 300_000

export type PanelCertificate = { certPem: string; keyPem: string; path: string; fingerprint: string }

/**
 * The panel's own certificate: the configured one, else the one in the data directory, made self-signed
 * for ten years at the first start.
 */
export async function panelCertificate(
  panel: PanelConfig,
  config: NodeConfig,
  now: () => Date,
): Promise<PanelCertificate> {
  const own = config.tlsCert === null ? await readOwnCertificate(ownPath(config), panel.host, now()) : null
  if (own) return { ...own, path: ownPath(config), fingerprint: fingerprintOf(own.certPem) }
  const path = config.tlsCert ?? join(config.dataDir, 'tls', 'panel.pem')
  const keyPath = config.tlsKey ?? join(config.dataDir, 'tls', 'panel.key')
  const [certPem, keyPem] = await Promise.all([readIfThere(path), readIfThere(keyPath)])
  if (certPem !== null && keyPem !== null)
    return { certPem, keyPem, path, fingerprint: fingerprintOf(certPem) }
  if (config.tlsCert !== null) throw new ConfigError('PANEL_TLS_CERT or PANEL_TLS_KEY cannot be read')
  await mkdir(join(config.dataDir, 'tls'), { recursive: true, mode: 0o700 })
  // Not all of these addresses are fit to be published, but somebody beside the machine may use any of them.
  const found = panel.derived?.addresses ? machineAddresses().filter((one) => !one.startsWith('fe80:')) : []
  const local = ['127.0.0.1', '::1', ...config.bind, ...found]
  const { selfSigned } = await import('./self-signed.ts')
  const made = await selfSigned({
    names: [...new Set([panel.host, 'localhost'])],
    addresses: [...new Set([...local, ...panel.addresses])].filter((address) => isIP(address) !== 0),
    years: 10,
  })
  // The key first: a crash between the two leaves no certificate, and the next start makes both anew.
  writeWhole({ path: keyPath, content: made.keyPem, mode: 0o600 })
  writeWhole({ path, content: made.certPem, mode: 0o644 })
  return { certPem: made.certPem, keyPem: made.keyPem, path, fingerprint: made.fingerprint }
}

/**
 * What to do where the panel's certificate does not name `host`, so that no program accepts it there; null where it
 * does.
 */
export function certificateAdvice({ certPem, path }: PanelCertificate, host: string, config: NodeConfig) {
  const certificate = new X509Certificate(certPem)
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (named !== undefined) return null
  const names = (certificate.subjectAltName ?? '').replaceAll('DNS:', '').replaceAll('IP Address:', '')
  const mend =
    config.tlsCert === null
      ? `Move ${path} away and start again for one that does; programs that trust the old one must be given it.`
      : 'Put one into PANEL_TLS_CERT that does.'
  return `The certificate names ${names}, not ${host}. ${mend}`
}

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256
const ownPath = (config: NodeConfig) => join(config.dataDir, 'tls', 'authority.pem')

/** Asks the authority for the panel's own certificate where its host name is public, and keeps it renewed. */
export async function keepOwnCertificate(runtime: Runtime, listening: Listening): Promise<{ stop(): void }> {
  const { services, config, hands } = runtime
  const { host } = services.config
  if (!hands?.issuer || config.tlsCert !== null || hostName(host) === null || reservedName(host, [])) {
    return { stop: () => {} }
  }
  const keeper = ownCertificateKeeper({
    issuer: hands.issuer,
    host,
    path: ownPath(config),
    now: services.now,
    serve: (pair) => listening.replace(pair),
    refused: (reason, next) =>
      services.log('warn', 'no certificate for the panel', { reason, next: next.toISOString() }),
  })
  const look = () => void keeper.look()
  look()
  const timer = setInterval(look, LOOK_MS)
  return { stop: () => clearInterval(timer) }
}
