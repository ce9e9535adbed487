import { X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { PanelConfig } from '../../lib/context.ts'
import { ConfigError, type NodeConfig } from '../config.ts'
import { selfSigned } from './certificates/self-signed.ts'
import { readIfThere, writeAtomically } from './files.ts'

export type PanelCertificate = { certPem: string; keyPem: string; path: string; fingerprint: string }

/**
 * The panel's own certificate: the configured one, else the one in the data directory, made self-signed
 * for ten years at the first start (contract section 1, "Origin").
 */
export async function panelCertificate(panel: PanelConfig, config: NodeConfig): Promise<PanelCertificate> {
  const path = config.tlsCert ?? join(config.dataDir, 'tls', 'panel.pem')
  const keyPath = config.tlsKey ?? join(config.dataDir, 'tls', 'panel.key')
  const [certPem, keyPem] = await Promise.all([readIfThere(path), readIfThere(keyPath)])
  if (certPem !== null && keyPem !== null)
    return { certPem, keyPem, path, fingerprint: fingerprintOf(certPem) }
  if (config.tlsCert !== null) throw new ConfigError('PANEL_TLS_CERT or PANEL_TLS_KEY cannot be read')
  await mkdir(join(config.dataDir, 'tls'), { recursive: true, mode: 0o700 })
  const local = ['127.0.0.1', '::1', ...config.bind]
  const made = await selfSigned({
    names: [...new Set([panel.host, 'localhost'])],
    addresses: [...new Set([...local, ...panel.addresses])].filter((address) => isIP(address) !== 0),
    years: 10,
  })
  // The key first: a crash between the two leaves no certificate, and the next start makes both anew.
  await writeAtomically(keyPath, made.keyPem, 0o600)
  await writeAtomically(path, made.certPem, 0o644)
  return { certPem: made.certPem, keyPem: made.keyPem, path, fingerprint: made.fingerprint }
}

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256
