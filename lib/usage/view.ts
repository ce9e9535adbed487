import type { clients, MeasuredGroups, usage } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Parts } from '../plans/parts.ts'
import { limitsOf, type Plan, partsView } from '../plans/view.ts'
import type { UsageView } from './shapes.ts'

/** The percentage of a limit at which a client is warned. */
const WARN_PERCENT = 80

/** A client with its plan, and its last measurement. */
export type Measured = {
  client: typeof clients.$inferSelect
  plan: Plan | null
  usage: typeof usage.$inferSelect | null
}

type Counted = { traffic: number; aliases: number; parts: Parts | undefined }

/** The use of a client as it is returned. */
export function usageView(
  { client, plan, usage: measured }: Measured,
  counted: Counted,
  period: UsageView['periodo'],
): UsageView {
  const held = partsView(counted.parts)
  const limits = limitsOf(plan)
  const groups = measured?.groups
  return {
    cliente: client.name,
    plan: plan?.name ?? null,
    medido: wireTime(measured?.measuredAt ?? null),
    origen: measured?.source ?? null,
    periodo: period,
    consumo: {
      disco_bytes: consumption(measured?.diskBytes ?? 0, limits.disco_bytes, 'measured'),
      inodos: consumption(measured?.inodes ?? 0, limits.inodos, 'measured'),
      trafico_bytes: consumption(counted.traffic, limits.trafico_bytes, 'measured'),
      sitios: consumption(held.sitios, limits.sitios, 'counted'),
      aliases: consumption(counted.aliases, limits.aliases, 'counted'),
      zonas: consumption(held.zonas, limits.zonas, 'counted'),
      cpu_porcentaje: running(groups?.lately?.cpuPercent, limits.cpu_porcentaje),
      memoria_bytes: running(groups?.memoryBytes, limits.memoria_bytes),
      procesos: running(groups?.processes, limits.procesos),
      cuentas_sftp: consumption(held.cuentas_sftp, limits.cuentas_sftp, 'counted'),
      bases: consumption(held.bases, limits.bases, 'counted'),
      bases_bytes: consumption(held.bases_bytes, limits.bases_bytes, 'measured'),
      programadas: consumption(held.programadas, limits.programadas, 'counted'),
      correos_dia: consumption(held.correos_dia, limits.correos_dia, 'measured'),
    },
    rechazos: refusals(groups?.lately),
  }
}

/** The use of a resource by running programs; null if nothing was measured. */
const running = (usado: number | null | undefined, limite: number | null) =>
  usado == null
    ? { usado: null, limite, porcentaje: null, nivel: 'bien' as const }
    : consumption(usado, limite, 'measured')

function refusals(lately: MeasuredGroups['lately'] | undefined): UsageView['rechazos'] {
  if (!lately) return null
  return {
    desde: wireTime(new Date(lately.since)),
    memoria: lately.memory,
    procesos: lately.processes,
    cpu_segundos: lately.cpuSeconds,
  }
}

/**
 * Use against a limit: percentage with one decimal, and the level that is shown. Measured resources count as exceeded
 * at their limit, since writes fail there; counted ones only above it.
 */
function consumption(usado: number, limite: number | null, kind: 'measured' | 'counted') {
  const porcentaje =
    limite === null ? null : limite === 0 ? (usado > 0 ? 100 : 0) : Math.round((usado / limite) * 1000) / 10
  const over = limite !== null && (usado > limite || (kind === 'measured' && usado === limite && usado > 0))
  const nivel: 'bien' | 'aviso' | 'superado' = over
    ? 'superado'
    : (porcentaje ?? 0) >= WARN_PERCENT
      ? 'aviso'
      : 'bien'
  return { usado, limite, porcentaje, nivel }
}
