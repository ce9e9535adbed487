import { t } from './language.ts'

/** How a state looks: `good` is done and served, `busy` is on its way, `off` rests, `warn` and `bad` need somebody. */
export type Tone = 'good' | 'busy' | 'off' | 'warn' | 'bad'

type Words = { tone: Tone; en: string; es: string }

/** Every state of every resource on the wire, in words. */
const STATES: Record<string, Words> = {
  // clients, sites
  activo: { tone: 'good', en: 'Active', es: 'Activo' },
  suspendido: { tone: 'off', en: 'Suspended', es: 'Suspendido' },
  eliminando: { tone: 'busy', en: 'Deleting', es: 'Eliminando' },
  preparando: { tone: 'busy', en: 'Preparing', es: 'Preparando' },
  error: { tone: 'bad', en: 'Error', es: 'Error' },
  // HTTPS
  autofirmado: { tone: 'warn', en: 'Not trusted yet', es: 'Aún sin certificado' },
  pendiente: { tone: 'busy', en: 'Pending', es: 'Pendiente' },
  // proofs and delegations
  sin_probar: { tone: 'warn', en: 'Not proven', es: 'Sin probar' },
  parcial: { tone: 'warn', en: 'Delegated in part', es: 'Delegada en parte' },
  ninguna: { tone: 'warn', en: 'Not delegated', es: 'Sin delegar' },
  sin_respuesta: { tone: 'warn', en: 'No answer', es: 'Sin respuesta' },
  // logins and links
  sin_acceso: { tone: 'off', en: 'No login', es: 'Sin acceso' },
  en_cola: { tone: 'busy', en: 'Queued', es: 'En cola' },
  enviado: { tone: 'good', en: 'Sent', es: 'Enviado' },
  fallido: { tone: 'bad', en: 'Failed', es: 'Fallido' },
  gastado: { tone: 'off', en: 'Used', es: 'Usado' },
  caducado: { tone: 'off', en: 'Expired', es: 'Caducado' },
  // tokens, persons
  valido: { tone: 'good', en: 'Valid', es: 'Válido' },
  revocado: { tone: 'off', en: 'Revoked', es: 'Revocado' },
  bloqueada: { tone: 'off', en: 'Locked', es: 'Bloqueada' },
  cargando: { tone: 'busy', en: 'Loading', es: 'Cargando' },
  solo_lectura: { tone: 'warn', en: 'Read-only', es: 'Solo lectura' },
  activa: { tone: 'good', en: 'Active', es: 'Activa' },
  inactiva: { tone: 'off', en: 'Disabled', es: 'Inactiva' },
  // SFTP accounts
  suspendida: { tone: 'off', en: 'Suspended', es: 'Suspendida' },
  // jobs
  en_curso: { tone: 'busy', en: 'Running', es: 'En curso' },
  hecha: { tone: 'good', en: 'Done', es: 'Hecha' },
  fallida: { tone: 'bad', en: 'Failed', es: 'Fallida' },
  cancelada: { tone: 'off', en: 'Cancelled', es: 'Cancelada' },
  // deliveries of webhooks
  enviando: { tone: 'busy', en: 'Sending', es: 'Enviando' },
  entregada: { tone: 'good', en: 'Delivered', es: 'Entregada' },
  abandonada: { tone: 'bad', en: 'Given up', es: 'Abandonada' },
  // copies
  completa: { tone: 'good', en: 'Complete', es: 'Completa' },
  danada: { tone: 'bad', en: 'Damaged', es: 'Dañada' },
  incompleta: { tone: 'warn', en: 'Incomplete', es: 'Incompleta' },
  // nodes and services
  bien: { tone: 'good', en: 'Healthy', es: 'Bien' },
  con_fallos: { tone: 'bad', en: 'Failing', es: 'Con fallos' },
  ausente: { tone: 'bad', en: 'Absent', es: 'Ausente' },
  sin_cumplir: { tone: 'warn', en: 'Not enforced', es: 'No se cumple' },
  parado: { tone: 'bad', en: 'Stopped', es: 'Parado' },
  // mirror and provider
  comprobando: { tone: 'busy', en: 'Checking', es: 'Comprobando' },
  sincronizando: { tone: 'busy', en: 'Syncing', es: 'Sincronizando' },
  al_dia: { tone: 'good', en: 'Up to date', es: 'Al día' },
  conflicto: { tone: 'bad', en: 'Conflict', es: 'Conflicto' },
  perdida: { tone: 'bad', en: 'Gone at the provider', es: 'Perdida en el proveedor' },
  sin_cuota: { tone: 'warn', en: 'No room', es: 'Sin cuota' },
  retirando: { tone: 'busy', en: 'Being removed', es: 'Retirando' },
  retirada: { tone: 'off', en: 'Removed', es: 'Retirada' },
  rechazada: { tone: 'bad', en: 'Credential refused', es: 'Credencial rechazada' },
  en_pausa: { tone: 'warn', en: 'Paused', es: 'En pausa' },
  casi_llena: { tone: 'warn', en: 'Almost full', es: 'Casi llena' },
  llena: { tone: 'bad', en: 'Full', es: 'Llena' },
  // resolvers' answers
  aqui: { tone: 'good', en: 'Points here', es: 'Apunta aquí' },
  fuera: { tone: 'bad', en: 'Points elsewhere', es: 'Apunta fuera' },
  no_concluyente: { tone: 'warn', en: 'Inconclusive', es: 'No concluyente' },
}

/** A state as the screens show it; one that the interface does not know is shown as it came. */
export function stateWords(state: string): { tone: Tone; label: string } {
  const words = STATES[state]
  return words ? { tone: words.tone, label: t(words.en, words.es) } : { tone: 'off', label: state }
}

/** What a plan limits, in words. */
export function resourceName(resource: string): string {
  const names: Record<string, string> = {
    disco_bytes: t('Disk', 'Disco'),
    inodos: t('Files and folders', 'Archivos y carpetas'),
    trafico_bytes: t('Traffic this month', 'Tráfico del mes'),
    sitios: t('Sites', 'Sitios'),
    aliases: t('Aliases', 'Alias'),
    zonas: t('DNS zones', 'Zonas DNS'),
    cpu_porcentaje: t('Processor', 'Procesador'),
    memoria_bytes: t('Memory', 'Memoria'),
    procesos: t('Processes', 'Procesos'),
    cuentas_sftp: t('SFTP accounts', 'Cuentas SFTP'),
    bases: t('Databases', 'Bases de datos'),
    bases_bytes: t('Database space', 'Espacio de las bases'),
    programadas: t('Scheduled tasks', 'Tareas programadas'),
    correos_dia: t('E-mails today', 'Correos de hoy'),
  }
  return names[resource] ?? resource
}

/** The same where it is what a plan includes, and not what was used so far. */
export function limitName(resource: string): string {
  if (resource === 'trafico_bytes') return t('Traffic per month', 'Tráfico al mes')
  if (resource === 'correos_dia') return t('E-mails per day', 'Correos al día')
  if (resource === 'cpu_porcentaje') return t('Processor (100% = one core)', 'Procesador (100 % = un núcleo)')
  return resourceName(resource)
}

export function functionName(name: string): string {
  const names: Record<string, string> = {
    php: 'PHP',
    https: 'HTTPS',
    espejo_dns: t('DNS mirror', 'Espejo DNS'),
    sftp: 'SFTP',
    bases: t('Databases', 'Bases de datos'),
    archivos: t('File manager', 'Gestor de archivos'),
    programadas: t('Scheduled tasks', 'Tareas programadas'),
    aplicaciones: t('Applications', 'Aplicaciones'),
    copias: t('Backups', 'Copias de seguridad'),
  }
  return names[name] ?? name
}

/** Why a mirror was removed, in words. */
export function mirrorReason(reason: string): string {
  const names: Record<string, string> = {
    no_resuelve_aqui: t('It no longer resolves to this server.', 'Ya no resuelve a este servidor.'),
    desactivada: t('It was switched off.', 'Se desactivó.'),
  }
  return names[reason] ?? reason
}

/** What a provisioning did, in words. */
export function doneWords(step: string): string {
  const names: Record<string, string> = {
    cliente_creado: t('client created', 'cliente creado'),
    cliente_actualizado: t('client updated', 'cliente actualizado'),
    plan_asignado: t('plan assigned', 'plan asignado'),
    sitio_creado: t('site created', 'sitio creado'),
    sitio_actualizado: t('aliases added', 'alias añadidos'),
    acceso_creado: t('login created, link mailed', 'acceso creado, enlace enviado'),
  }
  return names[step] ?? step
}
