import { t } from './language.ts'

type Words = { en: string; es: string }

/** Every kind of background work. A test fails where one is missing. */
export const JOBS: Record<string, Words> = {
  'cliente.aplicar': { en: 'Apply a client', es: 'Aplicar un cliente' },
  'cliente.eliminar': { en: 'Delete a client', es: 'Eliminar un cliente' },
  'apariencia.paginas': { en: 'Show the operator’s pages', es: 'Mostrar las páginas del operador' },
  'plan.aplicar': { en: 'Apply a plan', es: 'Aplicar un plan' },
  'sitio.aplicar': { en: 'Set up a site', es: 'Preparar un sitio' },
  'sitio.vaciar': { en: "Empty a site's page cache", es: 'Vaciar la caché de un sitio' },
  'sitio.eliminar': { en: 'Delete a site', es: 'Eliminar un sitio' },
  'archivos.operar': { en: 'Work on files', es: 'Operar con archivos' },
  'sitio.certificar': { en: "Get a site's certificate", es: 'Obtener el certificado de un sitio' },
  'cliente.mudar': { en: 'Move a client', es: 'Mudar un cliente' },
  'nodo.vaciar': { en: 'Empty a node', es: 'Vaciar un nodo' },
  'mudanza.seguir': { en: 'Follow a move', es: 'Seguir una mudanza' },
  'mudanza.quitar': { en: 'Remove what a move left', es: 'Quitar lo que dejó una mudanza' },
  'copia.hacer': { en: 'Make a copy', es: 'Hacer una copia' },
  'importacion.hacer': { en: 'Import from another panel', es: 'Importar de otro panel' },
  'copia.antes': { en: 'Copy before deleting', es: 'Copiar antes de eliminar' },
  'copia.restaurar': { en: 'Restore from a copy', es: 'Restaurar de una copia' },
  'papelera.restaurar': { en: 'Restore from the bin', es: 'Restaurar de la papelera' },
  'papelera.purgar': { en: 'Delete from the bin for good', es: 'Eliminar de la papelera definitivamente' },
  'base.cargar': { en: 'Load a dump', es: 'Cargar un volcado' },
  'bases.aplicar': { en: 'Apply databases', es: 'Aplicar las bases de datos' },
  'base.eliminar': { en: 'Delete a database', es: 'Eliminar una base de datos' },
  'programada.ejecutar': { en: 'Run a scheduled task', es: 'Ejecutar una tarea programada' },
  'aplicacion.instalar': { en: 'Install an application', es: 'Instalar una aplicación' },
  'aplicacion.clonar': { en: 'Clone an application', es: 'Clonar una aplicación' },
  'aplicacion.publicar': { en: 'Publish a clone', es: 'Publicar un clon' },
  'aplicacion.deshacer': { en: 'Undo a publication', es: 'Deshacer una publicación' },
  'aplicacion.actualizar': { en: 'Update an application', es: 'Actualizar una aplicación' },
  'zona.publicar': { en: 'Publish a zone', es: 'Publicar una zona' },
  'zona.firmar': { en: 'Sign a zone', es: 'Firmar una zona' },
  'zona.eliminar': { en: 'Delete a zone', es: 'Eliminar una zona' },
  'zonas.auditar': { en: 'Compare all zones', es: 'Comparar todas las zonas' },
}

/** Every operation that the audit trail tells of, by its name there. A test fails where one is missing. */
export const OPERATIONS: Record<string, Words> = {
  'PUT /apariencia': { en: 'Appearance changed', es: 'Apariencia modificada' },
  'PUT /resumen/puesta-en-marcha': {
    en: 'What is still to be set up, shown or hidden',
    es: 'Lo que falta por configurar, mostrado u oculto',
  },
  'PUT /correo/textos/<clase>': { en: 'Words of a mail changed', es: 'Palabras de un correo modificadas' },
  'DELETE /correo/textos/<clase>': {
    en: 'Words of a mail put back',
    es: 'Palabras de un correo repuestas',
  },
  'POST /correo/prueba': { en: 'Test mail sent', es: 'Correo de prueba enviado' },
  'POST /clientes': { en: 'Client created', es: 'Cliente creado' },
  'PATCH /clientes/<cliente>': { en: 'Client changed', es: 'Cliente modificado' },
  'DELETE /clientes/<cliente>': { en: 'Client deleted', es: 'Cliente eliminado' },
  'POST /clientes/<cliente>/activar': { en: 'Client activated', es: 'Cliente activado' },
  'POST /clientes/<cliente>/suspender': { en: 'Client suspended', es: 'Cliente suspendido' },
  'POST /clientes/<cliente>/plan': { en: 'Plan assigned', es: 'Plan asignado' },
  'POST /clientes/<cliente>/suplantar': {
    en: 'Session opened as the customer',
    es: 'Sesión abierta como el cliente',
  },
  'POST /clientes/<cliente>/acceso': { en: 'Login created', es: 'Acceso creado' },
  'POST /clientes/<cliente>/acceso/restablecer': { en: 'New link mailed', es: 'Enlace nuevo enviado' },
  'DELETE /clientes/<cliente>/acceso/segundo-factor': {
    en: "Customer's second factor removed",
    es: 'Segundo factor del cliente eliminado',
  },
  'PUT /clientes/<cliente>/correo': { en: 'Recovery address changed', es: 'Correo de recuperación cambiado' },
  'PUT /altas/<referencia>': { en: 'Client provisioned', es: 'Cliente dado de alta' },
  'POST /clientes/<cliente>/cuentas-sftp': { en: 'SFTP account created', es: 'Cuenta SFTP creada' },
  'PUT /clientes/<cliente>/cuentas-sftp/<cuenta>/llaves': {
    en: "SFTP account's keys set",
    es: 'Llaves de una cuenta SFTP guardadas',
  },
  'POST /clientes/<cliente>/cuentas-sftp/<cuenta>/contrasena': {
    en: "SFTP account's password created",
    es: 'Contraseña de una cuenta SFTP creada',
  },
  'DELETE /clientes/<cliente>/cuentas-sftp/<cuenta>/contrasena': {
    en: "SFTP account's password removed",
    es: 'Contraseña de una cuenta SFTP quitada',
  },
  'DELETE /clientes/<cliente>/cuentas-sftp/<cuenta>': {
    en: 'SFTP account deleted',
    es: 'Cuenta SFTP eliminada',
  },
  'POST /sitios': { en: 'Site created', es: 'Sitio creado' },
  'PATCH /sitios/<domain>': { en: 'Site changed', es: 'Sitio modificado' },
  'DELETE /sitios/<domain>': { en: 'Site deleted', es: 'Sitio eliminado' },
  'DELETE /sitios/<domain>/cache': { en: 'Page cache emptied', es: 'Caché vaciada' },
  'POST /sitios/<domain>/protegidas/<ruta>/contrasena': {
    en: 'Password made for a protected path of a site',
    es: 'Contraseña creada para una ruta protegida',
  },
  'PUT /sitios/<domain>/archivos/contenido': { en: 'File written', es: 'Archivo escrito' },
  'DELETE /sitios/<domain>/archivos/contenido': { en: 'File deleted', es: 'Archivo eliminado' },
  'POST /sitios/<domain>/archivos/operaciones': {
    en: 'Operation on files requested',
    es: 'Operación con archivos pedida',
  },
  'POST /sitios/<domain>/subidas': { en: 'Upload started', es: 'Subida iniciada' },
  'PATCH /sitios/<domain>/subidas/<id>': { en: 'Part of an upload', es: 'Parte de una subida' },
  'DELETE /sitios/<domain>/subidas/<id>': { en: 'Upload cancelled', es: 'Subida cancelada' },
  'POST /sitios/<domain>/htaccess': {
    en: '.htaccess translated into settings',
    es: '.htaccess traducido a ajustes',
  },
  'POST /sitios/<domain>/https': { en: 'Certificate requested', es: 'Certificado pedido' },
  'POST /bases': { en: 'Database created', es: 'Base de datos creada' },
  'POST /bases/<base>/cargar': { en: 'Dump loaded', es: 'Volcado cargado' },
  'POST /bases/<base>/sesion': { en: 'Database opened in Adminer', es: 'Base de datos abierta en Adminer' },
  'POST /bases/<base>/cuentas': { en: 'Database account created', es: 'Cuenta de base de datos creada' },
  'DELETE /bases/<base>/cuentas/<usuario>': {
    en: 'Database account deleted',
    es: 'Cuenta de base de datos eliminada',
  },
  'DELETE /bases/<base>': { en: 'Database deleted', es: 'Base de datos eliminada' },
  'POST /sitios/<domain>/programadas': { en: 'Scheduled task created', es: 'Tarea programada creada' },
  'PATCH /sitios/<domain>/programadas/<id>': {
    en: 'Scheduled task changed',
    es: 'Tarea programada modificada',
  },
  'DELETE /sitios/<domain>/programadas/<id>': {
    en: 'Scheduled task deleted',
    es: 'Tarea programada eliminada',
  },
  'POST /sitios/<domain>/programadas/<id>/ejecutar': {
    en: 'Scheduled task run now',
    es: 'Tarea programada ejecutada',
  },
  'POST /sitios/<domain>/aplicacion': {
    en: 'Application requested',
    es: 'Aplicación pedida',
  },
  'POST /importaciones': { en: 'Import requested', es: 'Importación pedida' },
  'POST /sitios/<domain>/clonar': { en: 'Clone requested', es: 'Clon pedido' },
  'POST /sitios/<domain>/publicar': {
    en: 'Publication of a clone requested',
    es: 'Publicación de un clon pedida',
  },
  'POST /sitios/<domain>/aplicacion/deshacer': {
    en: 'Publication undone',
    es: 'Publicación deshecha',
  },
  'POST /sitios/<domain>/aplicacion/actualizar': {
    en: 'Update of an application requested',
    es: 'Actualización de una aplicación pedida',
  },
  'POST /sitios/<domain>/aplicacion/sesion': {
    en: 'Signed in to an application',
    es: 'Sesión abierta en una aplicación',
  },
  'POST /papelera/<id>/restaurar': {
    en: 'Restored from the bin',
    es: 'Restaurado de la papelera',
  },
  'DELETE /papelera/<id>': {
    en: 'Deleted from the bin for good',
    es: 'Eliminado de la papelera definitivamente',
  },
  'POST /planes': { en: 'Plan created', es: 'Plan creado' },
  'PATCH /planes/<plan>': { en: 'Plan changed', es: 'Plan modificado' },
  'DELETE /planes/<plan>': { en: 'Plan deleted', es: 'Plan eliminado' },
  'POST /tokens': { en: 'API token created', es: 'Token de API creado' },
  'DELETE /tokens/<id>': { en: 'API token revoked', es: 'Token de API revocado' },
  'POST /avisos': { en: 'Webhook created', es: 'Webhook creado' },
  'PATCH /avisos/<id>': { en: 'Webhook changed', es: 'Webhook modificado' },
  'DELETE /avisos/<id>': { en: 'Webhook deleted', es: 'Webhook eliminado' },
  'POST /avisos/<id>/secreto': { en: "Webhook's secret renewed", es: 'Secreto de un webhook renovado' },
  'POST /avisos/<id>/probar': { en: 'Webhook tested', es: 'Webhook probado' },
  'POST /avisos/<id>/entregas/<entrega>/repetir': { en: 'Event sent again', es: 'Evento reenviado' },
  'aviso.apagado': { en: 'Webhook switched off by the panel', es: 'Webhook apagado por el panel' },
  'POST /personas': { en: 'Administrator invited', es: 'Administrador invitado' },
  'PATCH /personas/<id>': {
    en: 'Administrator enabled or disabled',
    es: 'Administrador activado o desactivado',
  },
  'DELETE /personas/<id>/segundo-factor': {
    en: "Administrator's second factor removed",
    es: 'Segundo factor de un administrador eliminado',
  },
  'PATCH /yo': { en: 'Own language and formats chosen', es: 'Idioma y formatos propios elegidos' },
  'PUT /yo/contrasena': { en: 'Own password changed', es: 'Contraseña propia cambiada' },
  'POST /yo/segundo-factor': { en: 'New second factor started', es: 'Segundo factor nuevo iniciado' },
  'POST /yo/segundo-factor/confirmar': {
    en: 'New second factor confirmed',
    es: 'Segundo factor nuevo confirmado',
  },
  'POST /yo/codigos-recuperacion': { en: 'Recovery codes created', es: 'Códigos de recuperación creados' },
  'POST /yo/llaves-de-acceso/reto': { en: 'New passkey begun', es: 'Llave de acceso nueva iniciada' },
  'POST /yo/llaves-de-acceso': { en: 'Passkey added', es: 'Llave de acceso añadida' },
  'DELETE /yo/llaves-de-acceso/<id>': { en: 'Passkey removed', es: 'Llave de acceso quitada' },
  'POST /llave-de-acceso/reto': {
    en: 'Sign-in by passkey begun',
    es: 'Entrada con llave de acceso iniciada',
  },
  'POST /llave-de-acceso': { en: 'Signed in by passkey', es: 'Entrada con llave de acceso' },
  'DELETE /yo/sesiones/<id>': { en: 'Own session ended', es: 'Sesión propia terminada' },
  'POST /tareas/<id>/reintentar': { en: 'Job retried', es: 'Tarea reintentada' },
  'DELETE /tareas/<id>': { en: 'Job cancelled', es: 'Tarea cancelada' },
  'DELETE /nodos/<nodo>': { en: 'Node given up', es: 'Nodo abandonado' },
  'POST /zonas': { en: 'Zone created', es: 'Zona creada' },
  'DELETE /zonas/<zona>': { en: 'Zone deleted', es: 'Zona eliminada' },
  'PUT /zonas/<zona>/registros/<nombre>/<tipo>': { en: 'Record set', es: 'Registro guardado' },
  'DELETE /zonas/<zona>/registros/<nombre>/<tipo>': { en: 'Record deleted', es: 'Registro eliminado' },
  'POST /zonas/<zona>/importar': { en: 'Zone file imported', es: 'Archivo de zona importado' },
  'POST /zonas/<zona>/dnssec': { en: 'Zone signed', es: 'Zona firmada' },
  'DELETE /zonas/<zona>/dnssec': { en: 'Signing of a zone ended', es: 'Firma de una zona retirada' },
  'POST /clientes/<cliente>/mudar': { en: 'Move requested', es: 'Mudanza pedida' },
  'POST /clientes/<cliente>/mudar/confirmar': { en: 'Move confirmed', es: 'Mudanza confirmada' },
  'DELETE /clientes/<cliente>/mudar': { en: 'Move undone', es: 'Mudanza deshecha' },
  'POST /nodos/<nodo>/vaciar': { en: 'Emptying of a node requested', es: 'Vaciado de un nodo pedido' },
  'mudanza.confirmada': {
    en: 'Move confirmed after a week',
    es: 'Mudanza confirmada tras una semana',
  },
  'mudanza.espera': {
    en: 'Move not confirmed by itself: its new node does not serve the client as it should',
    es: 'Mudanza sin confirmar: el nodo nuevo no sirve al cliente como debe',
  },
  'mudanza.deshecha': {
    en: 'Move undone: the other node did not answer',
    es: 'Mudanza deshecha: el otro nodo no respondía',
  },
  'PUT /copias/destino': { en: 'Destination of copies entered', es: 'Destino de las copias introducido' },
  'copias.retirar': {
    en: 'Copies of a deleted client removed',
    es: 'Copias de un cliente eliminado retiradas',
  },
  'DELETE /copias/destino': { en: 'Destination of copies removed', es: 'Destino de las copias retirado' },
  'POST /clientes/<cliente>/copias': { en: 'Copy requested', es: 'Copia pedida' },
  'POST /clientes/<cliente>/copias/<copia>/restaurar': {
    en: 'Restore requested',
    es: 'Restauración pedida',
  },
  'PUT /dns/proveedor': { en: 'DNS provider account entered', es: 'Cuenta del proveedor de DNS introducida' },
  'DELETE /dns/proveedor': { en: 'DNS provider account removed', es: 'Cuenta del proveedor de DNS retirada' },
  'PUT /zonas/<zona>/espejo': { en: 'Zone mirror started', es: 'Espejo de una zona iniciado' },
  'DELETE /zonas/<zona>/espejo': { en: 'Zone mirror stopped', es: 'Espejo de una zona terminado' },
  'POST /zonas/<zona>/espejo/sincronizar': {
    en: 'Mirrored zone queued',
    es: 'Zona en espejo puesta en cola',
  },
  'POST /enlace': { en: 'Link opened', es: 'Enlace abierto' },
  'POST /enlace/gastar': { en: 'Link used', es: 'Enlace usado' },
  'POST /entrar': { en: 'Sign-in started', es: 'Inicio de sesión' },
  'POST /olvido': { en: 'New link requested', es: 'Enlace nuevo pedido' },
  'POST /renovar': { en: 'Session renewed', es: 'Sesión renovada' },
  'POST /salir': { en: 'Signed out', es: 'Sesión cerrada' },
  'POST /segundo-factor': { en: 'Signed in', es: 'Sesión iniciada' },
  'POST /segundo-factor/inscribir': { en: 'Second factor enrolled', es: 'Segundo factor activado' },
  // By the panel itself and from its command line.
  'sitio.aplicar': { en: 'Site removed for lack of space', es: 'Sitio retirado por falta de espacio' },
  'cliente.liberado': { en: 'Client released with its node', es: 'Cliente liberado con su nodo' },
  'proveedor.rechazada': { en: 'Provider refused the credential', es: 'El proveedor rechazó la credencial' },
  'espejo.no_resuelve_aqui': { en: 'Zone dropped from the mirror', es: 'Zona retirada del espejo' },
  'espejo.al_dia': { en: 'Mirror brought up to date', es: 'Espejo puesto al día' },
  'espejo.error': { en: 'Mirror failed', es: 'Fallo del espejo' },
  'espejo.conflicto': { en: 'Mirror in conflict', es: 'Espejo en conflicto' },
  'espejo.perdida': { en: 'Copy gone at the provider', es: 'Copia perdida en el proveedor' },
  'espejo.sin_cuota': { en: 'No room at the provider', es: 'Sin cuota en el proveedor' },
  'espejo.retirada': { en: 'Copy removed at the provider', es: 'Copia retirada del proveedor' },
  'panel admin invitar': {
    en: 'Administrator invited on the terminal',
    es: 'Administrador invitado en el terminal',
  },
  'panel nodo renombrar': { en: 'Node renamed', es: 'Nodo renombrado' },
}

/** What a job does, in words; a kind that the interface does not know is shown as it came. */
export const jobWords = (kind: string): string => said(JOBS, kind)

/** What an entry of the audit trail tells of, in words; what was refused is not told as if it had been done. */
export function operationWords(operation: string, outcome: string): string {
  const words = said(OPERATIONS, operation)
  const refused = outcome !== 'hecho' && outcome !== 'pedido' && Object.hasOwn(OPERATIONS, operation)
  return refused ? `${t('Refused', 'Rechazado')}: ${words}` : words
}

function said(table: Record<string, Words>, name: string): string {
  const words = Object.hasOwn(table, name) ? table[name] : undefined
  return words ? t(words.en, words.es) : name
}
