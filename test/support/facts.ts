import type { Client } from '../../lib/clients/decide.ts'
import type { Zone } from '../../lib/dns/zones.ts'
import type { Person } from '../../lib/identity/decide.ts'
import type { KnownNode } from '../../lib/nodes/decide.ts'
import type { Consumption, Plan } from '../../lib/plans/decide.ts'
import { type Proof, unasked } from '../../lib/proof/decide-proven.ts'
import { KeyRing } from '../../lib/secrets/keys.ts'
import type { NewSiteFacts, Site } from '../../lib/sites/decide.ts'

/** Rows and facts that tables of decisions begin with: a client without a plan, on a node that is there. */
export const NOW = new Date('2026-11-21T10:00:00Z')

export const CLIENT: Client = {
  id: 7,
  name: 'acme',
  reference: 'ref:7',
  displayName: null,
  email: null,
  language: 'es',
  state: 'activo',
  reason: null,
  suspendedAt: null,
  planId: null,
  node: 'nodo1',
  createdBy: 'token',
  moving: false,
  createdAt: NOW,
  updatedAt: NOW,
}

/** An admin with password and second factor. */
export const ADMIN: Person = {
  id: 'per_1',
  role: 'admin',
  email: 'ana@ejemplo.es',
  language: 'es',
  country: null,
  timeZone: null,
  clientId: null,
  active: true,
  passwordHash: 'hash',
  recoveryKey: null,
  totpSecret: 'sealed',
  totpPending: null,
  totpLastStep: 0,
  failures: 0,
  lockedUntil: null,
  createdAt: NOW,
  lastLoginAt: null,
}

export const UNLIMITED: Plan = {
  id: 1,
  name: 'libre',
  diskBytes: null,
  inodes: null,
  trafficBytes: null,
  sites: null,
  aliases: null,
  zones: null,
  cpuPercent: null,
  memoryBytes: null,
  processes: null,
  sftpAccounts: null,
  databases: null,
  databaseBytes: null,
  schedules: null,
  dailyMails: null,
  functions: ['php', 'https'],
  createdAt: NOW,
}

export const UNUSED: Consumption = {
  disco_bytes: 0,
  inodos: 0,
  trafico_bytes: 0,
  sitios: 0,
  aliases: 0,
  zonas: 0,
  cpu_porcentaje: 0,
  memoria_bytes: 0,
  procesos: 0,
  cuentas_sftp: 0,
  bases: 0,
  bases_bytes: 0,
  programadas: 0,
  correos_dia: 0,
}

/** A plan with these limits, of which this much is used. */
export const room = (plan: Partial<Plan>, consumed: Partial<Consumption> = {}) => ({
  room: { plan: { ...UNLIMITED, ...plan }, consumed: { ...UNUSED, ...consumed } },
})

export const NODE: KnownNode = {
  addresses: ['192.0.2.1'],
  nameServers: ['ns1.panel.es'],
  offers: { php: ['8.1', '8.2'], certificates: true, databases: null },
  present: true,
}

export const SITE: Site = {
  id: 3,
  clientId: CLIENT.id,
  domain: 'uno.es',
  state: 'activo',
  error: null,
  php: null,
  httpsOnly: false,
  certificateState: 'autofirmado',
  certificateIssuer: null,
  certificateExpiresAt: null,
  certificateNames: [],
  certificateError: null,
  certificateAttempts: 0,
  certificateNextAt: null,
  cache: null,
  webRoot: null,
  singlePage: false,
  redirects: null,
  errorPages: null,
  indexFiles: null,
  phpSettings: null,
  createdAt: NOW,
}

export const ZONE: Zone = {
  id: 5,
  clientId: CLIENT.id,
  name: 'uno.es',
  reversed: 'se.onu',
  node: 'nodo1',
  serial: 1,
  publishedSerial: null,
  state: 'activa',
  error: null,
  siteId: null,
  followed: null,
  customised: false,
  dnssec: false,
  ds: [],
  provenAt: null,
  delegation: null,
  nextLookAt: null,
  createdAt: NOW,
  updatedAt: NOW,
}

export const NAMES: NewSiteFacts['names'] = {
  nodes: new Map([['nodo1', NODE]]),
  unknown: { ...NODE, offers: null, present: false },
  own: ['panel.es', 'ns1.panel.es'],
  foreign: new Set(),
  above: [],
}
export const names = (some: Partial<NewSiteFacts['names']>) => ({ names: { ...NAMES, ...some } })
/** Another client has something around these. */
export const foreign = (...list: string[]) => names({ foreign: new Set(list) })
export const away = names({ nodes: new Map([['nodo1', { ...NODE, present: false }]]) })

/** Names that nobody has anything of. */
export const FREE: NewSiteFacts = {
  names: NAMES,
  held: [],
  present: [],
  room: { plan: null, consumed: UNUSED },
  around: [],
  served: [],
  existing: undefined,
  exhausted: null,
  place: { old: undefined, covered: false, above: [], below: [], nextId: 50 },
  nextId: 40,
}

const KEYS = new KeyRing([{ id: 'k1', bytes: new Uint8Array(32).fill(1) }])
export const OPERATOR: Proof = unasked(KEYS, false)
export const CUSTOMER: Proof = unasked(KEYS, true)

/** A customer's name, as the resolvers see it: it leads to this address, or they are silent. */
export function seen(name: string, address: string | null): Proof {
  const nothing = { kind: 'nodata', ttlSeconds: 60 } as const
  const silence = { kind: 'failure', reason: 'timeout' } as const
  const found =
    address === null
      ? { texts: [silence], addresses: [silence, silence] }
      : {
          texts: [nothing],
          addresses: [{ kind: 'answer' as const, values: [address], ttlSeconds: 60 }, nothing],
        }
  return { ...CUSTOMER, told: new Map([[name, [found]]]) }
}
