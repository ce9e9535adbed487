import { EVENT_TYPES } from '../../../schema/states.ts'
import { inLanguage } from '../../text/language.ts'
import type { Delivery } from './data.ts'

type EventType = (typeof EVENT_TYPES)[number]

const en: Record<Delivery['tipo'], string> = {
  'cliente.creado': 'Client created',
  'cliente.suspendido': 'Client suspended',
  'cliente.activado': 'Client activated',
  'cliente.plan': 'Client’s plan changed',
  'cliente.eliminado': 'Client deleted',
  'acceso.creado': 'Login created',
  'acceso.activo': 'Login activated by its owner',
  'sitio.creado': 'Site created',
  'sitio.activo': 'Site served',
  'sitio.error': 'Site failed',
  'sitio.eliminado': 'Site deleted',
  'certificado.emitido': 'Certificate issued',
  'certificado.renovado': 'Certificate renewed',
  'certificado.error': 'Certificate failed',
  'aplicacion.instalada': 'Application installed',
  'aplicacion.actualizada': 'Application updated',
  'base.creada': 'Database created',
  'base.eliminada': 'Database deleted',
  'zona.creada': 'Zone created',
  'zona.error': 'Zone failed',
  'zona.eliminada': 'Zone deleted',
  'copia.hecha': 'Backup made',
  'copia.incompleta': 'Backup incomplete',
  'uso.aviso': 'Client near a limit of its plan',
  'espejo.al_dia': 'Mirrored zone up to date',
  'espejo.error': 'Mirrored zone failed',
  'espejo.conflicto': 'Mirrored zone in conflict',
  'espejo.perdida': 'Mirrored zone gone at the provider',
  'espejo.sin_cuota': 'No room for a zone at the provider',
  'espejo.no_resuelve_aqui': 'Mirrored zone points elsewhere',
  'espejo.retirada': 'Zone removed from the mirror',
  'proveedor.rechazada': 'DNS provider refused the credential',
  'token.creado': 'API token created',
  'token.revocado': 'API token revoked',
  'llave.creada': 'Passkey added',
  'llave.eliminada': 'Passkey removed',
  'tarea.hecha': 'Long job done',
  'tarea.fallida': 'Job failed',
  'tarea.cancelada': 'Job cancelled',
  'aviso.prueba': 'Test message',
}

const es: typeof en = {
  'cliente.creado': 'Cliente creado',
  'cliente.suspendido': 'Cliente suspendido',
  'cliente.activado': 'Cliente activado',
  'cliente.plan': 'Plan de un cliente cambiado',
  'cliente.eliminado': 'Cliente eliminado',
  'acceso.creado': 'Acceso creado',
  'acceso.activo': 'Acceso activado por su dueño',
  'sitio.creado': 'Sitio creado',
  'sitio.activo': 'Sitio servido',
  'sitio.error': 'Sitio con error',
  'sitio.eliminado': 'Sitio eliminado',
  'certificado.emitido': 'Certificado emitido',
  'certificado.renovado': 'Certificado renovado',
  'certificado.error': 'Certificado con error',
  'aplicacion.instalada': 'Aplicación instalada',
  'aplicacion.actualizada': 'Aplicación actualizada',
  'base.creada': 'Base de datos creada',
  'base.eliminada': 'Base de datos eliminada',
  'zona.creada': 'Zona creada',
  'zona.error': 'Zona con error',
  'zona.eliminada': 'Zona eliminada',
  'copia.hecha': 'Copia hecha',
  'copia.incompleta': 'Copia incompleta',
  'uso.aviso': 'Cliente cerca de un límite de su plan',
  'espejo.al_dia': 'Zona del espejo al día',
  'espejo.error': 'Zona del espejo con error',
  'espejo.conflicto': 'Zona del espejo en conflicto',
  'espejo.perdida': 'Zona perdida en el proveedor',
  'espejo.sin_cuota': 'Sin sitio en el proveedor para una zona',
  'espejo.no_resuelve_aqui': 'Zona del espejo que apunta fuera',
  'espejo.retirada': 'Zona retirada del espejo',
  'proveedor.rechazada': 'Credencial rechazada por el proveedor de DNS',
  'token.creado': 'Token de API creado',
  'token.revocado': 'Token de API revocado',
  'llave.creada': 'Llave de acceso añadida',
  'llave.eliminada': 'Llave de acceso quitada',
  'tarea.hecha': 'Tarea larga hecha',
  'tarea.fallida': 'Tarea fallida',
  'tarea.cancelada': 'Tarea cancelada',
  'aviso.prueba': 'Mensaje de prueba',
}

/** What an event tells, by its type. */
export const eventWords = inLanguage({ en, es })

const groups = {
  clients: ['cliente', 'acceso', 'uso'],
  sites: ['sitio', 'certificado', 'aplicacion'],
  databasesAndCopies: ['base', 'copia'],
  dns: ['zona', 'espejo', 'proveedor'],
  panel: ['token', 'llave', 'tarea'],
}
export type EventGroup = keyof typeof groups

/** The types of events as people look for them. */
export const EVENT_GROUPS: [EventGroup, EventType[]][] = Object.entries(groups).map(([name, about]) => [
  name as EventGroup, // It is a key of `groups`.
  EVENT_TYPES.filter((type) => about.includes(type.split('.')[0] ?? '')),
])
