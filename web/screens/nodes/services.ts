import { PROTECTIONS } from '../../../schema/states.ts'
import { number } from '../../text/format.ts'
import { texts } from './texts.ts'

/** Programs have their own names; what the panel itself calls a service is put in words. */
export function serviceName(service: string): string {
  const names: Record<string, string> = {
    correo: texts.mail,
    disco: texts.disk,
    tareas: texts.work,
    copias: texts.copies,
    direcciones: texts.publicAddresses,
    servidores_dns: texts.nameServersLower,
    usuarios: texts.usersOfClients,
    grupos_de_control: texts.controlGroups,
    limite_de_memoria: texts.limitOfMemory,
    limite_de_procesador: texts.limitOfProcessor,
    limite_de_procesos: texts.limitOfProcesses,
    procesos_terminados: texts.endedProcesses,
  }
  return names[service] ?? service
}

/** Protections are told only where they do not hold. */
export const isUnheld = (service: string): boolean => PROTECTIONS.some((one) => one === service)

/** Settings among a node's services: what is not set yet is no fault. */
export const isSetting = (service: string): boolean =>
  ['correo', 'direcciones', 'servidores_dns'].includes(service)

/** What is a setting does not stop: it is not made. A disk neither runs nor stops. */
export const serviceState = ({
  servicio,
  estado,
}: {
  servicio: string
  estado: string
}): string | undefined => {
  if (servicio === 'disco') return diskState(estado)
  if (estado === 'activo') return texts.running
  // Told only where some were.
  if (servicio === 'tareas') return texts.setAside
  if (servicio === 'copias') return texts.failing
  return isSetting(servicio) ? texts.notSet : undefined
}

const diskState = (estado: string): string => (estado === 'activo' ? texts.hasRoom : texts.full)

/** What waits for an absent node. */
export function waitingWords({ pendientes }: { pendientes: { tareas: number; correos: number } }): string {
  const { tareas, correos } = pendientes
  return texts.workWaits(number(tareas), number(correos))
}
