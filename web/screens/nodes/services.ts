import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'

/** Programs have their own names; what the panel itself calls a service is put in words. */
export function serviceName(service: string): string {
  const names: Record<string, string> = {
    correo: t('mail', 'correo'),
    disco: t('disk', 'disco'),
    direcciones: t('public addresses', 'direcciones públicas'),
    servidores_dns: t('name servers', 'servidores DNS'),
  }
  return names[service] ?? service
}

/** What is a setting does not stop: it is not made. A disk neither runs nor stops. */
export const serviceState = ({
  servicio,
  estado,
}: {
  servicio: string
  estado: string
}): string | undefined =>
  servicio === 'disco'
    ? diskState(estado)
    : estado === 'activo'
      ? t('Running', 'En marcha')
      : ['correo', 'direcciones', 'servidores_dns'].includes(servicio)
        ? t('Not set', 'Sin poner')
        : undefined

const diskState = (estado: string): string =>
  estado === 'activo' ? t('Has room', 'Con sitio') : t('Full', 'Lleno')

/** What waits for an absent node. */
export function waitingWords({ pendientes }: { pendientes: { tareas: number; correos: number } }): string {
  const { tareas, correos } = pendientes
  return t(
    `${number(tareas)} jobs and ${number(correos)} mails wait for it.`,
    `Lo esperan ${number(tareas)} tareas y ${number(correos)} correos.`,
  )
}
