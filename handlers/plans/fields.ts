import * as v from 'valibot'
import { plan, told } from '../../lib/endpoint/fields.ts'
import { FUNCTIONS, limitsShape, planFunction } from '../../lib/plans/shapes.ts'

const limits = limitsShape.entries
const limitFields = {
  disco_bytes: v.optional(limits.disco_bytes),
  inodos: v.optional(limits.inodos),
  trafico_bytes: v.optional(limits.trafico_bytes),
  sitios: v.optional(limits.sitios),
  aliases: v.optional(limits.aliases),
  zonas: v.optional(limits.zonas),
  cpu_porcentaje: v.optional(limits.cpu_porcentaje),
  memoria_bytes: v.optional(limits.memoria_bytes),
  procesos: v.optional(limits.procesos),
  cuentas_sftp: v.optional(limits.cuentas_sftp),
  bases: v.optional(limits.bases),
  bases_bytes: v.optional(limits.bases_bytes),
  programadas: v.optional(limits.programadas),
  correos_dia: v.optional(limits.correos_dia),
}

/** The fields of a plan; a limit that is `null` or left out is unlimited. */
export const planFields = {
  ...limitFields,
  funciones: v.optional(
    told(
      v.pipe(v.array(planFunction), v.maxLength(FUNCTIONS.length, 'demasiados')),
      'The functions that it includes; left out, all of them.',
      ['php', 'https'],
    ),
  ),
}

export const planParams = v.strictObject({ plan })

type PlanFields = v.InferOutput<ReturnType<typeof planObject>>
const planObject = () => v.strictObject(planFields)

/** The given fields as columns; fields that were left out are not among them. */
export function planColumns(body: PlanFields) {
  const columns = {
    diskBytes: body.disco_bytes,
    inodes: body.inodos,
    trafficBytes: body.trafico_bytes,
    sites: body.sitios,
    aliases: body.aliases,
    zones: body.zonas,
    cpuPercent: body.cpu_porcentaje,
    memoryBytes: body.memoria_bytes,
    processes: body.procesos,
    sftpAccounts: body.cuentas_sftp,
    databases: body.bases,
    databaseBytes: body.bases_bytes,
    schedules: body.programadas,
    dailyMails: body.correos_dia,
  }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const functions = body.funciones === undefined ? {} : { functions: [...new Set<string>(body.funciones)] }
  return {
    ...(Object.fromEntries(given) as Partial<Record<keyof typeof columns, number | null>>),
    ...functions,
  }
}
