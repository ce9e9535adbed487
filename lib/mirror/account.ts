import { eq, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { dnsAccounts, nodes } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { wireTime } from '../endpoint/page.ts'
import { providerKind } from '../providers/index.ts'
import { type Provider, ProviderFault } from '../providers/types.ts'
import { lookUpBy } from '../resolver/addresses.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { credentialPlace } from '../secrets/sealed.ts'
import { Secret } from '../secrets/secret.ts'
import type { Db, Tx } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { waitsUntil } from '../work/clock.ts'
import { LONGEST_PAUSE_MS } from './backoff.ts'
import { quotaOf, warningOf } from './quota.ts'
import type { AccountRow } from './states.ts'

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
    /** A warning that applies to any token: the panel cannot see what it may do. */
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

/** The account of a node, or undefined; the node may be an expression. */
export function accountReading(db: Db, node: string | SQL<string>): Reading<AccountRow | undefined> {
  return reading(db.select().from(dnsAccounts).where(eq(dnsAccounts.node, node)), ([row]) => row)
}

/** Until when the panel leaves the account alone because its provider asked to; null if it need not. */
export function pauseOf(row: Pick<AccountRow, 'pausedUntil'>, now: Date): Date | null {
  return waitsUntil(row.pausedUntil, now, LONGEST_PAUSE_MS)
}

/** The account as it is returned; the credential is no part of it. */
export function accountView(row: AccountRow, now: Date, language: 'es' | 'en'): AccountView {
  const quota = quotaOf(row)
  const pause = pauseOf(row, now)
  return {
    tipo: row.kind,
    cuenta: row.account,
    url: row.url,
    nodo: row.node,
    estado: stateOf(row, pause !== null),
    cuota: { usadas: quota.used, limite: quota.limit, origen: quota.source, nivel: quota.level },
    pausa_hasta: wireTime(pause),
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
  const kind = providerKind(settings.kind)
  if (kind === null) throw new ProviderFault('address', 'provider')
  return kind.create({
    fetch: (url, init) => services.fetch(url, init),
    credential: settings.credential,
    account: settings.account,
    url: settings.url,
    allowPrivate: services.config.test,
    resolve: lookUpBy(services.resolvers),
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
  tx: Tx,
  old: KeyRing,
  ring: KeyRing,
  random: (bytes: number) => Uint8Array,
): Promise<number> {
  const rows = await tx.select().from(dnsAccounts)
  for (const { node, credential } of rows) {
    const plain = await old.open(credentialPlace(node), credential)
    const sealed = await ring.seal(credentialPlace(node), plain, random)
    tx.later(tx.update(dnsAccounts).set({ credential: sealed }).where(eq(dnsAccounts.node, node)))
  }
  return rows.length
}

/** The addresses that names must resolve to in order to lead to a node. */
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
