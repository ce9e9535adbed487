import type * as v from 'valibot'

/**
 * Every operation of the API but the scheduled ones, by method and full path, with the handler whose own schemas
 * give its types: a wrong field in a screen is a compile error. A test holds each key against the
 * handler that it names.
 */
interface Operations {
  'POST /acceso/enlace': typeof import('../../handlers/access/link.ts').default
  'POST /acceso/enlace/gastar': typeof import('../../handlers/access/spend-link.ts').default
  'POST /acceso/entrar': typeof import('../../handlers/access/sign-in.ts').default
  'POST /acceso/llave-de-acceso': typeof import('../../handlers/passkeys/sign-in.ts').default
  'POST /acceso/llave-de-acceso/reto': typeof import('../../handlers/passkeys/sign-in-challenge.ts').default
  'POST /acceso/olvido': typeof import('../../handlers/access/forgotten.ts').default
  'POST /acceso/renovar': typeof import('../../handlers/access/renew.ts').default
  'POST /acceso/salir': typeof import('../../handlers/access/sign-out.ts').default
  'POST /acceso/segundo-factor': typeof import('../../handlers/access/second-factor.ts').default
  'POST /acceso/segundo-factor/inscribir': typeof import('../../handlers/access/enrol-factor.ts').default
  'PUT /api/altas/:referencia': typeof import('../../handlers/provisions/put.ts').default
  'GET /acceso/apariencia': typeof import('../../handlers/appearance/outside.ts').default
  'GET /acceso/apariencia/:imagen': typeof import('../../handlers/appearance/image.ts').default
  'GET /api/apariencia': typeof import('../../handlers/appearance/show.ts').default
  'PUT /api/apariencia': typeof import('../../handlers/appearance/put.ts').default
  'GET /api/auditoria': typeof import('../../handlers/audit/list.ts').default
  'GET /api/bases': typeof import('../../handlers/databases/list.ts').default
  'POST /api/bases': typeof import('../../handlers/databases/create.ts').default
  'DELETE /api/bases/:base': typeof import('../../handlers/databases/remove.ts').default
  'GET /api/bases/:base': typeof import('../../handlers/databases/show.ts').default
  'GET /api/bases/:base/volcado': typeof import('../../handlers/databases/dump.ts').default
  'POST /api/bases/:base/cargar': typeof import('../../handlers/databases/load.ts').default
  'POST /api/bases/:base/sesion': typeof import('../../handlers/databases/session.ts').default
  'POST /api/bases/:base/cuentas': typeof import('../../handlers/databases/create-account.ts').default
  'DELETE /api/bases/:base/cuentas/:usuario': typeof import('../../handlers/databases/remove-account.ts').default
  'GET /api/clientes': typeof import('../../handlers/clients/list.ts').default
  'POST /api/clientes': typeof import('../../handlers/clients/create.ts').default
  'DELETE /api/clientes/:cliente': typeof import('../../handlers/clients/remove.ts').default
  'GET /api/clientes/:cliente': typeof import('../../handlers/clients/show.ts').default
  'PATCH /api/clientes/:cliente': typeof import('../../handlers/clients/update.ts').default
  'GET /api/clientes/:cliente/acceso': typeof import('../../handlers/logins/show.ts').default
  'POST /api/clientes/:cliente/acceso': typeof import('../../handlers/logins/create.ts').default
  'POST /api/clientes/:cliente/acceso/restablecer': typeof import('../../handlers/logins/reset.ts').default
  'DELETE /api/clientes/:cliente/acceso/segundo-factor': typeof import('../../handlers/logins/factor.ts').default
  'POST /api/clientes/:cliente/activar': typeof import('../../handlers/clients/activate.ts').default
  'PUT /api/clientes/:cliente/correo': typeof import('../../handlers/logins/email.ts').default
  'GET /api/clientes/:cliente/cuentas-sftp': typeof import('../../handlers/sftp/list.ts').default
  'POST /api/clientes/:cliente/cuentas-sftp': typeof import('../../handlers/sftp/create.ts').default
  'DELETE /api/clientes/:cliente/cuentas-sftp/:cuenta': typeof import('../../handlers/sftp/remove.ts').default
  'DELETE /api/clientes/:cliente/cuentas-sftp/:cuenta/contrasena': typeof import('../../handlers/sftp/remove-password.ts').default
  'POST /api/clientes/:cliente/cuentas-sftp/:cuenta/contrasena': typeof import('../../handlers/sftp/password.ts').default
  'PUT /api/clientes/:cliente/cuentas-sftp/:cuenta/llaves': typeof import('../../handlers/sftp/keys.ts').default
  'POST /api/clientes/:cliente/plan': typeof import('../../handlers/clients/plan.ts').default
  'POST /api/clientes/:cliente/suplantar': typeof import('../../handlers/clients/impersonate.ts').default
  'POST /api/clientes/:cliente/suspender': typeof import('../../handlers/clients/suspend.ts').default
  'POST /api/nodos/:nodo/vaciar': typeof import('../../handlers/moves/empty.ts').default
  'DELETE /api/clientes/:cliente/mudar': typeof import('../../handlers/moves/undo.ts').default
  'GET /api/clientes/:cliente/mudar': typeof import('../../handlers/moves/show.ts').default
  'POST /api/clientes/:cliente/mudar': typeof import('../../handlers/moves/start.ts').default
  'POST /api/clientes/:cliente/mudar/confirmar': typeof import('../../handlers/moves/confirm.ts').default
  'GET /api/clientes/:cliente/uso': typeof import('../../handlers/usage/show.ts').default
  'GET /api/clientes/:cliente/uso/historial': typeof import('../../handlers/usage/history.ts').default
  'GET /api/avisos': typeof import('../../handlers/webhooks/list.ts').default
  'POST /api/avisos': typeof import('../../handlers/webhooks/create.ts').default
  'GET /api/avisos/:id': typeof import('../../handlers/webhooks/show.ts').default
  'PATCH /api/avisos/:id': typeof import('../../handlers/webhooks/update.ts').default
  'DELETE /api/avisos/:id': typeof import('../../handlers/webhooks/remove.ts').default
  'POST /api/avisos/:id/secreto': typeof import('../../handlers/webhooks/rotate.ts').default
  'POST /api/avisos/:id/probar': typeof import('../../handlers/webhooks/try.ts').default
  'GET /api/avisos/:id/entregas': typeof import('../../handlers/webhooks/deliveries.ts').default
  'POST /api/avisos/:id/entregas/:entrega/repetir': typeof import('../../handlers/webhooks/repeat.ts').default
  'GET /api/conexion': typeof import('../../handlers/connection/show.ts').default
  'DELETE /api/copias/destino': typeof import('../../handlers/backups/destination-remove.ts').default
  'GET /api/correo/textos': typeof import('../../handlers/mail/texts-list.ts').default
  'PUT /api/correo/textos/:clase': typeof import('../../handlers/mail/texts-put.ts').default
  'DELETE /api/correo/textos/:clase': typeof import('../../handlers/mail/texts-remove.ts').default
  'POST /api/correo/prueba': typeof import('../../handlers/mail/test.ts').default
  'GET /api/copias/destino': typeof import('../../handlers/backups/destination-show.ts').default
  'PUT /api/copias/destino': typeof import('../../handlers/backups/destination-put.ts').default
  'GET /api/importaciones': typeof import('../../handlers/imports/list.ts').default
  'POST /api/importaciones': typeof import('../../handlers/imports/create.ts').default
  'GET /api/clientes/:cliente/copias': typeof import('../../handlers/backups/list.ts').default
  'POST /api/clientes/:cliente/copias': typeof import('../../handlers/backups/create.ts').default
  'GET /api/clientes/:cliente/copias/:copia/archivos': typeof import('../../handlers/backups/files.ts').default
  'GET /api/clientes/:cliente/copias/:copia/archivo': typeof import('../../handlers/backups/archive.ts').default
  'POST /api/clientes/:cliente/copias/:copia/restaurar': typeof import('../../handlers/backups/restore.ts').default
  'DELETE /api/dns/proveedor': typeof import('../../handlers/provider/remove.ts').default
  'GET /api/dns/proveedor': typeof import('../../handlers/provider/show.ts').default
  'PUT /api/dns/proveedor': typeof import('../../handlers/provider/put.ts').default
  'GET /api/eventos': typeof import('../../handlers/events/list.ts').default
  'GET /api/espejo': typeof import('../../handlers/mirror/list.ts').default
  'GET /api/nodos': typeof import('../../handlers/nodes/list.ts').default
  'DELETE /api/nodos/:nodo': typeof import('../../handlers/nodes/remove.ts').default
  'GET /api/nodos/:nodo/historial': typeof import('../../handlers/nodes/history.ts').default
  'GET /api/nodos/:nodo': typeof import('../../handlers/nodes/show.ts').default
  'GET /api/personas': typeof import('../../handlers/persons/list.ts').default
  'POST /api/personas': typeof import('../../handlers/persons/invite.ts').default
  'PATCH /api/personas/:id': typeof import('../../handlers/persons/update.ts').default
  'DELETE /api/personas/:id/segundo-factor': typeof import('../../handlers/persons/factor.ts').default
  'GET /api/papelera': typeof import('../../handlers/trash/list.ts').default
  'DELETE /api/papelera/:id': typeof import('../../handlers/trash/purge.ts').default
  'POST /api/papelera/:id/restaurar': typeof import('../../handlers/trash/restore.ts').default
  'GET /api/planes': typeof import('../../handlers/plans/list.ts').default
  'POST /api/planes': typeof import('../../handlers/plans/create.ts').default
  'DELETE /api/planes/:plan': typeof import('../../handlers/plans/remove.ts').default
  'GET /api/planes/:plan': typeof import('../../handlers/plans/show.ts').default
  'PATCH /api/planes/:plan': typeof import('../../handlers/plans/update.ts').default
  'GET /api/registros': typeof import('../../handlers/records/search.ts').default
  'GET /api/sitios': typeof import('../../handlers/sites/list.ts').default
  'PUT /api/resumen/puesta-en-marcha': typeof import('../../handlers/summary/setup.ts').default
  'GET /api/resumen': typeof import('../../handlers/summary/show.ts').default
  'POST /api/sitios': typeof import('../../handlers/sites/create.ts').default
  'DELETE /api/sitios/:domain': typeof import('../../handlers/sites/remove.ts').default
  'GET /api/sitios/:domain': typeof import('../../handlers/sites/show.ts').default
  'PATCH /api/sitios/:domain': typeof import('../../handlers/sites/update.ts').default
  'GET /api/sitios/:domain/archivos': typeof import('../../handlers/files/list.ts').default
  'DELETE /api/sitios/:domain/archivos/contenido': typeof import('../../handlers/files/remove.ts').default
  'GET /api/sitios/:domain/archivos/contenido': typeof import('../../handlers/files/read.ts').default
  'PUT /api/sitios/:domain/archivos/contenido': typeof import('../../handlers/files/write.ts').default
  'POST /api/sitios/:domain/archivos/operaciones': typeof import('../../handlers/files/operate.ts').default
  'GET /api/sitios/:domain/archivos/buscar': typeof import('../../handlers/files/search.ts').default
  'GET /api/sitios/:domain/archivos/papelera': typeof import('../../handlers/files/bin.ts').default
  'GET /api/sitios/:domain/archivos/zip': typeof import('../../handlers/files/pack.ts').default
  'GET /api/sitios/:domain/bitacora': typeof import('../../handlers/logs/list.ts').default
  'GET /api/sitios/:domain/bitacora/horas': typeof import('../../handlers/logs/hours.ts').default
  'DELETE /api/sitios/:domain/cache': typeof import('../../handlers/sites/empty-cache.ts').default
  'GET /api/sitios/:domain/conexion': typeof import('../../handlers/sites/connection.ts').default
  'POST /api/sitios/:domain/htaccess': typeof import('../../handlers/sites/htaccess.ts').default
  'POST /api/sitios/:domain/https': typeof import('../../handlers/sites/https.ts').default
  'GET /api/sitios/:domain/portada': typeof import('../../handlers/sites/first-page.ts').default
  'POST /api/sitios/:domain/protegidas/:ruta/contrasena': typeof import('../../handlers/sites/guard-password.ts').default
  'POST /api/sitios/:domain/subidas': typeof import('../../handlers/files/upload-create.ts').default
  'DELETE /api/sitios/:domain/subidas/:id': typeof import('../../handlers/files/upload-remove.ts').default
  'GET /api/sitios/:domain/subidas/:id': typeof import('../../handlers/files/upload-show.ts').default
  'PATCH /api/sitios/:domain/subidas/:id': typeof import('../../handlers/files/upload-append.ts').default
  'POST /api/sitios/:domain/clonar': typeof import('../../handlers/applications/clone.ts').default
  'POST /api/sitios/:domain/publicar': typeof import('../../handlers/applications/publish.ts').default
  'POST /api/sitios/:domain/aplicacion/deshacer': typeof import('../../handlers/applications/undo.ts').default
  'POST /api/sitios/:domain/aplicacion/actualizar': typeof import('../../handlers/applications/update.ts').default
  'POST /api/sitios/:domain/aplicacion/sesion': typeof import('../../handlers/applications/session.ts').default
  'GET /api/sitios/:domain/programadas': typeof import('../../handlers/schedules/list.ts').default
  'GET /api/aplicaciones': typeof import('../../handlers/applications/offered.ts').default
  'GET /api/sitios/:domain/aplicacion': typeof import('../../handlers/applications/show.ts').default
  'POST /api/sitios/:domain/aplicacion': typeof import('../../handlers/applications/install.ts').default
  'POST /api/sitios/:domain/programadas': typeof import('../../handlers/schedules/create.ts').default
  'PATCH /api/sitios/:domain/programadas/:id': typeof import('../../handlers/schedules/update.ts').default
  'DELETE /api/sitios/:domain/programadas/:id': typeof import('../../handlers/schedules/remove.ts').default
  'POST /api/sitios/:domain/programadas/:id/ejecutar': typeof import('../../handlers/schedules/run.ts').default
  'GET /api/sitios/:domain/programadas/:id/ejecuciones': typeof import('../../handlers/schedules/runs.ts').default
  'GET /api/tareas': typeof import('../../handlers/jobs/list.ts').default
  'GET /api/tareas/:id': typeof import('../../handlers/jobs/show.ts').default
  'DELETE /api/tareas/:id': typeof import('../../handlers/jobs/cancel.ts').default
  'POST /api/tareas/:id/reintentar': typeof import('../../handlers/jobs/retry.ts').default
  'GET /api/tokens': typeof import('../../handlers/tokens/list.ts').default
  'POST /api/tokens': typeof import('../../handlers/tokens/create.ts').default
  'DELETE /api/tokens/:id': typeof import('../../handlers/tokens/revoke.ts').default
  'GET /api/uso': typeof import('../../handlers/usage/list.ts').default
  'GET /api/yo': typeof import('../../handlers/me/show.ts').default
  'PATCH /api/yo': typeof import('../../handlers/me/update.ts').default
  'GET /api/yo/llaves-de-acceso': typeof import('../../handlers/passkeys/list.ts').default
  'POST /api/yo/llaves-de-acceso': typeof import('../../handlers/passkeys/create.ts').default
  'POST /api/yo/llaves-de-acceso/reto': typeof import('../../handlers/passkeys/challenge.ts').default
  'DELETE /api/yo/llaves-de-acceso/:id': typeof import('../../handlers/passkeys/remove.ts').default
  'POST /api/yo/codigos-recuperacion': typeof import('../../handlers/me/recovery-codes.ts').default
  'PUT /api/yo/contrasena': typeof import('../../handlers/me/password.ts').default
  'POST /api/yo/segundo-factor': typeof import('../../handlers/me/factor.ts').default
  'POST /api/yo/segundo-factor/confirmar': typeof import('../../handlers/me/confirm-factor.ts').default
  'GET /api/yo/sesiones': typeof import('../../handlers/me/sessions.ts').default
  'DELETE /api/yo/sesiones/:id': typeof import('../../handlers/me/end-session.ts').default
  'GET /api/zonas': typeof import('../../handlers/zones/list.ts').default
  'POST /api/zonas': typeof import('../../handlers/zones/create.ts').default
  'DELETE /api/zonas/:zona': typeof import('../../handlers/zones/remove.ts').default
  'GET /api/zonas/:zona': typeof import('../../handlers/zones/show.ts').default
  'DELETE /api/zonas/:zona/dnssec': typeof import('../../handlers/zones/unsign.ts').default
  'POST /api/zonas/:zona/dnssec': typeof import('../../handlers/zones/sign.ts').default
  'DELETE /api/zonas/:zona/espejo': typeof import('../../handlers/mirror/remove.ts').default
  'GET /api/zonas/:zona/espejo': typeof import('../../handlers/mirror/show.ts').default
  'PUT /api/zonas/:zona/espejo': typeof import('../../handlers/mirror/put.ts').default
  'POST /api/zonas/:zona/espejo/sincronizar': typeof import('../../handlers/mirror/sync.ts').default
  'GET /api/zonas/:zona/conexion': typeof import('../../handlers/zones/connection.ts').default
  'GET /api/zonas/:zona/correo': typeof import('../../handlers/zones/mail/show.ts').default
  'GET /api/zonas/:zona/historial': typeof import('../../handlers/zones/history.ts').default
  'GET /api/zonas/:zona/exportar': typeof import('../../handlers/zones/export.ts').default
  'POST /api/zonas/:zona/importar': typeof import('../../handlers/zones/import.ts').default
  'GET /api/zonas/:zona/registros': typeof import('../../handlers/zones/records.ts').default
  'DELETE /api/zonas/:zona/registros/:nombre/:tipo': typeof import('../../handlers/zones/delete-record.ts').default
  'PUT /api/zonas/:zona/registros/:nombre/:tipo': typeof import('../../handlers/zones/put-record.ts').default
}

export type Operation = keyof Operations
export type ReadOperation = Extract<Operation, `GET ${string}`>

type AnySchema = v.GenericSchema
type SchemaOf<T, K extends string> = T extends { [P in K]?: infer S }
  ? Extract<NonNullable<S>, AnySchema>
  : never
/** Left out in a definition, a schema is inferred as the widest there is, whose input is `unknown`. */
type Part<T, K extends 'params' | 'query' | 'body'> =
  unknown extends v.InferInput<SchemaOf<T, K>>
    ? unknown
    : Record<never, never> extends v.InferInput<SchemaOf<T, K>>
      ? { [P in K]?: v.InferInput<SchemaOf<T, K>> }
      : { [P in K]: v.InferInput<SchemaOf<T, K>> }

/** What an operation takes: path parameters, query and body, each as its schema accepts it. */
export type InputOf<K extends Operation> = Part<Operations[K], 'params'> &
  Part<Operations[K], 'query'> &
  Part<Operations[K], 'body'>

/** What an operation answers on success. */
export type OutputOf<K extends Operation> = v.InferOutput<SchemaOf<Operations[K], 'output'>>

/** Listings by cursor, and what they list. */
export type PagedOperation = {
  [K in ReadOperation]: OutputOf<K> extends { datos: unknown[]; siguiente: string | null } ? K : never
}[ReadOperation]
export type ItemOf<K extends Operation> = OutputOf<K> extends { datos: (infer T)[] } ? T : never
