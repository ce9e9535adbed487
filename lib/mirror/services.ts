import { recordAudit } from '../audit.ts'
import type { Services } from '../context.ts'
import type { Tx } from '../database.ts'
import { faultStored } from '../faults.ts'
import { mailAdmins } from '../tokens.ts'
import { nodeAddresses, openProvider } from './account.ts'
import type { CheckDeps } from './checks.ts'
import type { MirrorRow, Notice, Settlement } from './states.ts'
import type { WorkerDeps } from './worker.ts'

/** A node's process lives long; a function's invocation does not. */
const NODE_BUDGET_MS = 120_000
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
  for (const notice of settlement.notices) await mailNotice(services, tx, notice)
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
export async function mailNotice(services: Services, tx: Tx, notice: Notice): Promise<void> {
  const proveedor = notice.provider
  if (notice.kind === 'credencial_rechazada') {
    await mailAdmins(tx, services, 'proveedor_rechazado', { proveedor })
    recordAudit(tx, services, {
      actor: { kind: 'system' },
      operation: 'proveedor.rechazada',
      outcome: 'hecho',
      requestId: null,
      note: { target: proveedor },
    })
    return
  }
  const { percent, used, limit } = notice
  const payload = { proveedor, porcentaje: String(percent), usadas: String(used), limite: String(limit) }
  await mailAdmins(tx, services, 'proveedor_casi_lleno', payload)
}

async function dropped(services: Services, tx: Tx, row: MirrorRow): Promise<void> {
  const seen = [...new Set(row.answers.flatMap(({ visto }) => visto))]
  const payload = { zona: row.zone, proveedor: row.kind, visto: seen.join(', ') || '-' }
  await mailAdmins(tx, services, 'espejo_retirado', payload)
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
