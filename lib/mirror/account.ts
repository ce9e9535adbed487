import { eq, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { dnsAccounts, nodes } from '../../schema/tables.ts'
import type { Resolver, Services } from '../context.ts'
import type { Db } from '../database.ts'
import { count, named, timestamp, told } from '../fields.ts'
import type { KeyRing } from '../keys.ts'
import { wireTime } from '../page.ts'
import { providerDriver } from '../providers/index.ts'
import { type Provider, ProviderFault, type Quota as RemoteQuota } from '../providers/types.ts'
import { type Reading, reading, readNow } from '../reading.ts'
import { Secret } from '../secret.ts'
import { quotaOf, warningOf } from './quota.ts'
import type { AccountPatch, AccountRow, Notice } from './states.ts'

export const accountShape = named(
  'ProveedorDns',
  'The DNS provider account of a node, without its credential.',
  v.strictObject({
    tipo: told(v.string(), 'The provider.', 'cloudflare'),
    cuenta: told(v.nullable(v.string()), 'The account, where the provider tells several apart.', null),
    url: told(v.nullable(v.string()), 'The origin of its API, where it is not one for all.', null),
    nodo: told(v.string(), 'The node.', 'nodo1'),
    estado: told(
      v.picklist(['bien', 'rechazada', 'en_pausa', 'casi_llena', 'llena', 'retirando']),
      '`rechazada`: it asks for another credential. `en_pausa`: until `pausa_hasta`, as the provider asked.',
      'bien',
    ),
    cuota: told(
      v.strictObject({
        usadas: told(v.nullable(count), 'Zones in the account.', 12),
        limite: told(v.nullable(count), 'Zones that it can hold; null is not known.', 50),
        origen: told(
          v.nullable(v.picklist(['api', 'admin', 'aprendida'])),
          'Who says so: the provider, an admin, or a refusal.',
          'api',
        ),
        nivel: told(
          v.picklist(['desconocido', 'bien', 'aviso', 'critico', 'lleno']),
          'How full it is.',
          'bien',
        ),
      }),
      'Its room for zones.',
    ),
    pausa_hasta: told(v.nullable(timestamp), 'Until when it is left alone.', null),
    comprobado: told(timestamp, 'When it was last checked.', '2026-11-21T09:30:00.000Z'),
    /** What an operator must know of any token: the panel cannot see what it may do. */
    aviso: told(
      v.string(),
      'What to know of its credential.',
      'The panel cannot verify what the token may do.',
    ),
  }),
)

export type AccountView = v.InferOutput<typeof accountShape>

const SCOPE_NOTICE = {
  es: 'El panel no puede comprobar el alcance del token: limítelo en el proveedor a las zonas y permisos necesarios.',
  en: 'The panel cannot verify the scope of the token: limit it at the provider to the zones and permissions needed.',
}

/** Where the credential is sealed: table, row, column. */
export function credentialPlace(node: string): string {
  return `dns_accounts\0${node}\0credential`
}

/** The account of a node, or undefined. */
export function accountOf(db: Db, node: string): Promise<AccountRow | undefined> {
  return readNow(db, accountReading(db, node))
}

/** The same, to be read with something else; the node may be an expression. */
export function accountReading(db: Db, node: string | SQL<string>): Reading<AccountRow | undefined> {
  return reading(db.select().from(dnsAccounts).where(eq(dnsAccounts.node, node)), ([row]) => row)
}

/** The account as it is returned; the credential is no part of it. */
export function accountView(row: AccountRow, now: Date, language: 'es' | 'en'): AccountView {
  const quota = quotaOf(row)
  const paused = row.pausedUntil !== null && row.pausedUntil > now
  return {
    tipo: row.kind,
    cuenta: row.account,
    url: row.url,
    nodo: row.node,
    estado: stateOf(row, paused),
    cuota: { usadas: quota.used, limite: quota.limit, origen: quota.source, nivel: quota.level },
    pausa_hasta: wireTime(paused ? row.pausedUntil : null),
    comprobado: wireTime(row.checkedAt),
    aviso: SCOPE_NOTICE[language],
  }
}

function stateOf(row: AccountRow, paused: boolean): AccountView['estado'] {
  if (row.refusedAt !== null) return 'rechazada'
  if (row.removing) return 'retirando'
  if (paused) return 'en_pausa'
  const { level } = quotaOf(row)
  if (level === 'lleno') return 'llena'
  return warningOf(level) > 0 ? 'casi_llena' : 'bien'
}

export type ProviderSettings = {
  kind: string
  credential: Secret
  account: string | null
  url: string | null
}

/** The adapter of an account on this host's network; `remainingMs` bounds every call. */
export function connectProvider(
  services: Pick<Services, 'fetch' | 'resolvers' | 'config'>,
  settings: ProviderSettings,
  remainingMs: () => number,
): Provider {
  const driver = providerDriver(settings.kind)
  if (driver === null) throw new ProviderFault('address', 'provider')
  return driver.create({
    fetch: (url, init) => services.fetch(url, init),
    credential: settings.credential,
    account: settings.account,
    url: settings.url,
    allowPrivate: services.config.test,
    resolve: (host) => addressesOf(services.resolvers, host),
    remainingMs,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}

/** Opens the stored credential and connects. Throws when the ciphertext is not this row's. */
export async function openProvider(
  services: Pick<Services, 'fetch' | 'resolvers' | 'config' | 'keys'>,
  row: AccountRow,
  remainingMs: () => number,
): Promise<Provider> {
  const credential = new Secret(await services.keys.open(credentialPlace(row.node), row.credential))
  return connectProvider(
    services,
    { kind: row.kind, credential, account: row.account, url: row.url },
    remainingMs,
  )
}

/** Seals every stored credential anew, under the ring's current key; answers how many. */
export async function resealCredentials(
  tx: Db,
  old: KeyRing,
  ring: KeyRing,
  random: (bytes: number) => Uint8Array,
): Promise<number> {
  const rows = await tx.select().from(dnsAccounts)
  for (const { node, credential } of rows) {
    const plain = await old.open(credentialPlace(node), credential)
    const sealed = await ring.seal(credentialPlace(node), plain, random)
    await tx.update(dnsAccounts).set({ credential: sealed }).where(eq(dnsAccounts.node, node))
  }
  return rows.length
}

/** A fresh quota reading as it changes the row; a warning goes out once for each level on the way up. */
export function quotaPatch(row: AccountRow, remote: RemoteQuota): { patch: AccountPatch; notices: Notice[] } {
  // An account that holds more than the learned limit has been given room since.
  const learnedLimit = row.learnedLimit !== null && remote.used > row.learnedLimit ? null : row.learnedLimit
  const facts = { ...row, used: remote.used, apiLimit: remote.limit, learnedLimit }
  const { used, limit, level } = quotaOf(facts)
  const warned = warningOf(level)
  const patch: AccountPatch = { used, apiLimit: remote.limit, learnedLimit, warned }
  if (warned === 0 || warned <= row.warned || used === null || limit === null) return { patch, notices: [] }
  return { patch, notices: [{ kind: 'cuota', provider: row.kind, percent: warned, used, limit }] }
}

/** What names must resolve to on a node. */
export async function nodeAddresses(
  services: Pick<Services, 'db' | 'config'>,
  node: string,
): Promise<string[]> {
  if (services.config.node === node) return services.config.addresses
  const row = await services.db.read
    .select({ addresses: nodes.addresses })
    .from(nodes)
    .where(eq(nodes.name, node))
    .get()
  return row?.addresses ?? []
}

async function addressesOf(resolvers: readonly Resolver[], host: string): Promise<string[]> {
  for (const resolver of resolvers) {
    const answers = await Promise.all([resolver.query(host, 'A', 2_000), resolver.query(host, 'AAAA', 2_000)])
    const addresses = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.addresses : []))
    if (addresses.length > 0) return addresses
  }
  return []
}
