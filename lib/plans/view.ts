import type { plans } from '../../schema/tables.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Parts } from './parts.ts'
import { FUNCTIONS, type LimitsView, type PlanView } from './shapes.ts'

export type Plan = typeof plans.$inferSelect

/** The plan as it is returned. */
export function planView(row: Plan & { clients: number }): PlanView {
  return {
    plan: row.name,
    ...limitsOf(row),
    funciones: FUNCTIONS.filter((name) => row.functions.includes(name)),
    clientes: row.clients,
    creado: wireTime(row.createdAt),
  }
}

/** A plan as an actor sees it: a customer does not learn how many clients share it. */
export const planViewFor = (actor: Actor, plan: Parameters<typeof planView>[0]): PlanView => ({
  ...planView(plan),
  ...(isCustomer(actor) ? { clientes: 1 } : {}),
})

/** A plan's limits, or those of a client without one: unlimited. */
export function limitsOf(plan: Omit<Plan, 'id' | 'name' | 'functions' | 'createdAt'> | null): LimitsView {
  return {
    disco_bytes: plan?.diskBytes ?? null,
    inodos: plan?.inodes ?? null,
    trafico_bytes: plan?.trafficBytes ?? null,
    sitios: plan?.sites ?? null,
    aliases: plan?.aliases ?? null,
    zonas: plan?.zones ?? null,
    cpu_porcentaje: plan?.cpuPercent ?? null,
    memoria_bytes: plan?.memoryBytes ?? null,
    procesos: plan?.processes ?? null,
    cuentas_sftp: plan?.sftpAccounts ?? null,
    bases: plan?.databases ?? null,
    bases_bytes: plan?.databaseBytes ?? null,
    programadas: plan?.schedules ?? null,
    correos_dia: plan?.dailyMails ?? null,
  }
}

/** What a client has of the things that a plan limits by number, mail of the last 24 hours included. */
export const partsView = (held: Parts | undefined) => ({
  sitios: held?.sites ?? 0,
  zonas: held?.zones ?? 0,
  cuentas_sftp: held?.sftpAccounts ?? 0,
  bases: held?.databases ?? 0,
  bases_bytes: held?.databaseBytes ?? 0,
  programadas: held?.schedules ?? 0,
  correos_dia: held?.dailyMails ?? 0,
})
