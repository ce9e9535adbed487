import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { Carriage } from '../../../lib/endpoint/ports/carriage.ts'
import { loadMeter } from '../usage/load.ts'

/**
 * The driver of a panel without web server or DNS: it changes nothing, and so leaves sites `preparando` until those
 * are installed (see `growing.ts`).
 */
export function absentServices(): NodeDriver {
  const missing = () => Promise.reject(new Error('this node has no such service'))
  return {
    servesSites: false,
    ...{ issuesCertificates: false, sendsMail: false },
    phpVersions: () => [],
    phpExtensions: () => ({}),
    siteRoot: () => null,
    scarce: () => 'disco',
    exhausted: () => null,
    syncClient: (_client, step) => step('record', async () => {}),
    syncSite: (_site, step) => step('record', async () => {}).then(() => null),
    emptyPages: (_site, step) => step('record', async () => {}),
    showPages: (_pages, step) => step('record', async () => {}),
    removeSite: (_site, step) => step('record', async () => {}),
    removeClient: (_client, step) => step('record', async () => {}),
    removeZone: (_name, step) => step('record', async () => {}),
    publishZone: missing,
    setDnssec: missing,
    ...nothingToCarry(),
    auditZones: async () => ({ compared: 0, repaired: [], removed: [], foreign: [], failed: [] }),
    issueCertificate: missing,
    ...{ measure: async () => [], measureGroups: async () => [], busiest: () => null },
    readTraffic: async (cursor) => ({ cursor: cursor ?? '', traffic: [] }),
    readLoad: loadMeter(null),
    purgeTrash: async () => 0,
    boundLogs: async () => 0,
    shortenLogs: async () => 0,
    runCaged: missing,
    databaseAccess: null,
    databases: null,
    ...{ bin: null, mail: null, firstPage: null },
    sftp: () => null,
    sftpUses: () => [],
    ...{ files: null, applications: null, backups: null, imports: null, reality: null, siteLogs: null },
    hasQuota: async () => null,
    services: async () => [],
    fallen: () => [],
  }
}

const nothingToCarry = (): Carriage => ({
  zoneKeys: async () => [],
  takeZoneKeys: async () => {},
  certificates: async () => [],
  takeCertificates: async () => {},
})
