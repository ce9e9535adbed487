import { recordAudit } from '../audit/audit.ts'
import type { Services } from '../endpoint/context.ts'
import { activeAdmins } from '../identity/tokens.ts'
import { enqueueMails, type NewMail, type Recipient } from '../mail/queue.ts'
import type { Tx } from '../store/database.ts'
import { faultStored } from '../text/stored-faults.ts'
import { nodeAddresses, openProvider } from './account.ts'
import { NODE_BUDGET_MS } from './backoff.ts'
import type { CheckDeps } from './checks.ts'
import type { MirrorRow, Notice, Settlement } from './states.ts'
import type { WorkerDeps } from './worker.ts'

/** A function's invocation does not live long. */
const FUNCTION_BUDGET_MS = 20_000

/** The mirror's worker over the panel's own services. */
export function workerDeps(services: Services): WorkerDeps {
  return {
    db: services.db,
    now: () => services.now(),
    random: (bytes) => services.random(bytes),
    resolvers: services.resolvers,
    addressesOf: (node) => nodeAddresses(services, node),
    open: (account, remainingMs) => openProvider(services, account, remainingMs),
    budgetMs: services.config.node === null ? FUNCTION_BUDGET_MS : NODE_BUDGET_MS,
    tell: (tx, settlement, before, after) => tell(services, tx, settlement, { before, after }),
    step: (_, run) => run(),
  }
}

/** The daily check over the panel's own services. */
export function checkDeps(services: Services): CheckDeps {
  return {
    db: services.db,
    now: () => services.now(),
    resolvers: services.resolvers,
    addressesOf: (node) => nodeAddresses(services, node),
    dropped: (tx, row) => dropped(services, tx, row),
  }
}

async function tell(
  services: Services,
  tx: Tx,
  settlement: Settlement,
  { before, after }: { before: MirrorRow; after: MirrorRow },
): Promise<void> {
  const { notices } = settlement
  if (notices.length > 0) enqueueNotices(tx, services, { notices, admins: await activeAdmins(tx) })
  const detail = detailOf(settlement, before, after)
  if (detail === null) return
  audit(services, tx, after, `espejo.${after.state}`, detail)
}

/** What is worth a row: a change of state, or a run that changed something at the provider. */
function detailOf(
  settlement: Settlement,
  before: MirrorRow,
  after: MirrorRow,
): Record<string, unknown> | null {
  const settled = !['en_cola', 'sincronizando', 'comprobando', 'retirando'].includes(after.state)
  const change = settlement.mirror.lastChange
  const wrote = change ? change.created + change.changed + change.deleted > 0 : false
  if (!settled || (after.state === before.state && !wrote)) return null
  if (after.state !== 'al_dia') {
    return { motivo: after.reason, error: after.error && faultStored(after.error).codigo }
  }
  return { serie: after.serial, ultimo_cambio: after.lastChange }
}

/** Mails and tells of what concerns the whole account. */
export function enqueueNotices(
  tx: Tx,
  services: Pick<Services, 'now' | 'random' | 'work'>,
  { notices, admins }: { notices: Notice[]; admins: Recipient[] },
): void {
  for (const notice of notices) {
    enqueueMails(tx, services, { ...mailOf(notice), to: admins })
    if (notice.kind !== 'credencial_rechazada') continue
    recordAudit(tx, services, {
      actor: { kind: 'system' },
      operation: 'proveedor.rechazada',
      outcome: 'hecho',
      requestId: null,
      note: { target: notice.provider },
    })
  }
  if (notices.length > 0) services.work.wake()
}

function mailOf(notice: Notice): Pick<NewMail, 'kind' | 'payload'> {
  const proveedor = notice.provider
  if (notice.kind === 'credencial_rechazada') return { kind: 'proveedor_rechazado', payload: { proveedor } }
  const { percent, used, limit } = notice
  const payload = { proveedor, porcentaje: String(percent), usadas: String(used), limite: String(limit) }
  return { kind: 'proveedor_casi_lleno', payload }
}

async function dropped(services: Services, tx: Tx, row: MirrorRow): Promise<void> {
  const seen = [...new Set(row.answers.flatMap(({ visto }) => visto))]
  const payload = { zona: row.zone, proveedor: row.kind, visto: seen.join(', ') || '-' }
  enqueueMails(tx, services, { kind: 'espejo_retirado', payload, to: await activeAdmins(tx) })
  services.work.wake()
  audit(services, tx, row, 'espejo.no_resuelve_aqui', { visto: seen })
}

function audit(
  services: Services,
  tx: Tx,
  row: MirrorRow,
  operation: string,
  detail: Record<string, unknown>,
): void {
  recordAudit(tx, services, {
    actor: { kind: 'system' },
    operation,
    outcome: 'hecho',
    requestId: null,
    note: { client: row.clientName, target: row.zone, detail },
  })
}
