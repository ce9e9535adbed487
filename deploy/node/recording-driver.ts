import type { NodeDriver } from '../../lib/node.ts'

/**
 * The driver of a panel whose web server or DNS is not there: it brings nothing about, says so in its
 * state, and so leaves sites `preparando` until a node with services takes the work up.
 */
export function recordingDriver(): NodeDriver {
  const missing = () => Promise.reject(new Error('this node has no such service'))
  return {
    servesSites: false,
    issuesCertificates: false,
    phpVersions: () => [],
    siteRoot: () => null,
    scarce: () => 'disco',
    exhausted: () => null,
    applyClient: (_client, step) => step('record', async () => {}),
    applySite: (_site, step) => step('record', async () => {}).then(() => null),
    removeSite: (_site, step) => step('record', async () => {}),
    removeClient: (_client, step) => step('record', async () => {}),
    removeZone: (_name, step) => step('record', async () => {}),
    publishZone: missing,
    setDnssec: missing,
    auditZones: async () => ({ compared: 0, repaired: [], removed: [], foreign: [], failed: [] }),
    issueCertificate: missing,
    measure: async () => [],
    readTraffic: async (cursor) => ({ cursor: cursor ?? '', traffic: [] }),
    purgeTrash: async () => 0,
    boundLogs: async () => 0,
    services: async () => [],
  }
}
