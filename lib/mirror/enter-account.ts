import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { mirrors } from '../../schema/tables.ts'
import type { ReadCtx, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import { providerOrigin } from '../providers/address.ts'
import { providerKind } from '../providers/index.ts'
import { type Provider, ProviderFault } from '../providers/types.ts'
import { credentialPlace } from '../secrets/sealed.ts'
import { Secret } from '../secrets/secret.ts'
import { both, type Reading, reading, readNow } from '../store/reading.ts'
import { accountReading, connectProvider } from './account.ts'
import type { CheckedAccount } from './decide-account.ts'
import { concernedNode, nodeReading } from './node.ts'
import type { AccountRow, MirrorRow } from './states.ts'

/** What an admin enters. */
export type Entry = {
  tipo: string
  credencial: string
  cuenta?: string | null | undefined
  url?: string | null | undefined
  limite_zonas?: number | null | undefined
}

const DEADLINE_MS = 5_000
/** How many of our zones a new credential must be able to see, if that many exist. */
const SAMPLE = 3

/**
 * Checks an entered account against the live provider, outside any transaction: the credential works, and
 * while zones are mirrored it is the same account. Throws AppError; nothing is stored.
 */
export async function checkAccount(
  services: Services,
  ctx: ReadCtx,
  entry: Entry,
  named: string | undefined,
): Promise<CheckedAccount> {
  const [node, held] = await readNow(
    services.db.read,
    both(nodeReading(services, services.db.read, named, ctx.request.language), holdings(services, named)),
  )
  const url = checkedUrl(ctx, entry, services.config.test)
  const settings = {
    kind: entry.tipo,
    credential: new Secret(entry.credencial),
    account: entry.cuenta ?? null,
    url,
  }
  const endsMs = services.now().getTime() + DEADLINE_MS
  const remainingMs = () => endsMs - services.now().getTime()
  try {
    const provider = connectProvider(services, settings, remainingMs)
    const { account } = await provider.verify()
    await requireSameAccount(held, { ...settings, account }, provider)
    const quota = await connectProvider(services, { ...settings, account }, remainingMs).quota()
    const sealed = await services.keys.seal(credentialPlace(node), entry.credencial, services.random)
    return { node, kind: entry.tipo, sealed, account, url, adminLimit: entry.limite_zonas ?? null, quota }
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    if (error.kind === 'credential') throw refused(ctx, 'credencial', 'credencial_rechazada')
    if (error.kind === 'address') throw refused(ctx, 'url', 'url_no_admitida')
    throw new AppError('proveedor_fallo', { motivo: error.kind }, { cause: error })
  }
}

function checkedUrl(ctx: ReadCtx, { tipo, url }: Entry, test: boolean): string | null {
  const kind = providerKind(tipo)
  if (kind === null) throw refused(ctx, 'tipo', 'valor_no_admitido')
  if (url === undefined || url === null) {
    if (kind.ownUrl) throw refused(ctx, 'url', 'obligatorio')
    return null
  }
  if (!kind.ownUrl && !test) throw refused(ctx, 'url', 'url_fija')
  try {
    return providerOrigin(url, test)
  } catch {
    throw refused(ctx, 'url', 'url_no_admitida')
  }
}

function refused(ctx: ReadCtx, campo: string, codigo: string): AppError {
  return invalidField(campo, codigo, ctx.request.language)
}

type Named = { kind: string; url: string | null; account: string | null }

type Holdings = [account: AccountRow | undefined, zones: Pick<MirrorRow, 'zone' | 'remoteId'>[]]

/** The node's present account and some zones that it holds for us. */
function holdings({ db, config }: Services, named: string | undefined): Reading<Holdings> {
  const node = concernedNode({ config }, named)
  const zones = db.read
    .select({ zone: mirrors.zone, remoteId: mirrors.remoteId })
    .from(mirrors)
    .where(and(eq(mirrors.node, node), isNotNull(mirrors.remoteId), ne(mirrors.state, 'retirada')))
    .limit(SAMPLE)
  return both(
    accountReading(db.read, node),
    reading(zones, (rows) => rows),
  )
}

/** 409 `proveedor_en_uso` if zones are mirrored and this is not evidently the account that holds them. */
async function requireSameAccount(
  [before, held]: Holdings,
  entered: Named,
  provider: Provider,
): Promise<void> {
  if (before === undefined || held.length === 0) return
  const other = before.account !== null && entered.account !== null && before.account !== entered.account
  if (before.kind !== entered.kind || before.url !== entered.url || other)
    throw new AppError('proveedor_en_uso')
  for (const { zone, remoteId } of held) {
    if (remoteId !== null && (await provider.getZone(remoteId, zone)) !== null) return
  }
  throw new AppError('proveedor_en_uso')
}
