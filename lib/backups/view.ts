import { and, desc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { backupDestinations, clients, copies, jobs, plans } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { type Client, requireClient } from '../clients/decide.ts'
import type { RunCtx } from '../endpoint/context.ts'
import { pageOf, wireTime } from '../endpoint/page.ts'
import { COPIES_SUBJECT } from '../nodes/unrestored.ts'
import { both, mapped, reading } from '../store/reading.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import type { LeftOut } from '../trash/decide-settings.ts'
import { leftOutOf } from '../trash/view.ts'
import { COPY_KIND, type Copy, type CopyBefore, isCopied } from './decide.ts'
import { type DestinationRow, isThere } from './destination/destination.ts'
import { hostFingerprint } from './destination/host-key.ts'
import { damaged } from './errors.ts'
import type { CopyView, DestinationView } from './shapes.ts'

const copyView = ({ id, state, parts, startedAt, testedAt }: Copy, language: 'es' | 'en'): CopyView => ({
  copia: id,
  cuando: wireTime(startedAt),
  estado: state === 'en_curso' ? 'incompleta' : state,
  probada: wireTime(testedAt),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  contenido: parts.map(({ kind, name, bytes, fault, damaged: isDamaged = false }) => ({
    tipo: kind,
    nombre: name,
    bytes,
    error: storedFaultText(isDamaged ? damaged() : fault, language),
    danada: isDamaged,
  })),
})

/** Never its secrets. */
export const destinationView = ({
  node,
  kind,
  url,
  credential,
  hostKey,
  checkedAt,
  nodeCopiedAt,
}: DestinationRow): DestinationView => ({
  nodo: node,
  tipo: kind,
  url,
  con_credencial: credential !== null,
  huella: hostKey && hostFingerprint(hostKey),
  comprobado: wireTime(checkedAt),
  nodo_copiado: wireTime(nodeCopiedAt),
})

/** What a copy that was made answers. */
export const madeView = ({ id, state }: Pick<Copy, 'id' | 'state'>) => ({ copia: id, estado: state })

type Restored = { undo: string | null; brought?: { leftOut: LeftOut[] } | null; left?: string[] }

/**
 * What a restore answers: where it is, the copy that undoes it, what of a site's settings was left out, and files that
 * were left as they are.
 */
export const restoredView = (
  what: { path: string } | { base: string },
  { undo, brought = null, left = [] }: Restored,
) => ({
  ...('path' in what ? { ruta: what.path } : what),
  deshacer: undo,
  ...(brought === null ? {} : { ajustes: true }),
  ...leftOutOf(brought?.leftOut ?? []),
  ...(left.length === 0 ? {} : { sin_tocar: left }),
})

/** What the mail about a copy that failed tells. */
export const failurePayload = ({ name, node }: Pick<Client, 'name' | 'node'>, why: string | null) => ({
  cliente: name,
  nodo: node,
  ...(why === null ? {} : { motivo: why }),
})

/** What the mail about damaged copies tells. */
export const damagePayload = (node: string, names: string[]) => ({ clientes: names.join(', '), nodo: node })

/** What the audit trail tells of a recovery. */
export const recoveryDetail = ({ without, suspended }: { without: string[]; suspended: string[] }) => ({
  sin_copia: without,
  suspendidos: suspended,
})

/** What it tells of copies of a deleted client that were removed. */
export const removedDetail = ({ client, node }: { client: string; node: string }) => ({
  cliente: client,
  nodo: node,
})

/** What no copy had, by that. */
export function withoutCopy(detail: Record<string, unknown> | null | undefined): string[] {
  const { sin_copia: without } = detail ?? {}
  return Array.isArray(without) ? without.map(String) : []
}

/** The id of the work that copies a client now. */
const underWayReading = (tx: RunCtx['tx'], owner: SQL | undefined) =>
  reading(
    tx
      .select({ id: jobs.id })
      .from(jobs)
      .innerJoin(clients, eq(jobs.subject, sql`${COPIES_SUBJECT} || ${clients.id}`))
      .where(and(owner, eq(jobs.kind, COPY_KIND), inArray(jobs.state, ['pendiente', 'en_curso'])))
      .orderBy(desc(jobs.id))
      .limit(1),
    ([row]) => row?.id ?? null,
  )

/** A page of a client's copies, the latest first. */
export function copiesReading(
  { tx, actor, request }: Pick<RunCtx, 'tx' | 'actor' | 'request'>,
  client: string,
  { desde, limite }: { desde?: string | undefined; limite: number },
) {
  const owner = and(eq(clients.name, client), visibleTo(actor))
  const facts = tx
    .select({ client: clients, plan: plans, destination: backupDestinations.node })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(backupDestinations, eq(backupDestinations.node, clients.node))
    .where(owner)
  const known = reading(facts, ([row]) => {
    const { node } = requireClient(row?.client)
    return row !== undefined && isCopied(row, node)
  })
  const rows = reading(
    tx
      .select({ copy: copies })
      .from(copies)
      .innerJoin(clients, eq(clients.id, copies.clientId))
      .innerJoin(backupDestinations, and(eq(backupDestinations.node, clients.node), isThere))
      .where(and(owner, ne(copies.state, 'en_curso'), desde === undefined ? undefined : lt(copies.id, desde)))
      .orderBy(desc(copies.id))
      .limit(limite + 1),
    (found) =>
      pageOf(
        found,
        limite,
        ({ copy }) => copy.id,
        ({ copy }) => copyView(copy, request.language),
      ),
  )
  return mapped(both(both(known, rows), underWayReading(tx, owner)), ([[nightly, page], job]) => ({
    ...page,
    cada_noche: nightly,
    en_curso: job,
  }))
}

/** What the answer tells of the copy: nothing where there is none. */
export const toldCopy = (copied: CopyBefore | null) =>
  copied === null || copied === 'ninguna' ? {} : { copia_previa: copied }
