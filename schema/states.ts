/** The states of resources, as they are stored, returned and shown. */

export const CLIENT_STATES = ['activo', 'suspendido', 'eliminando'] as const
export const SITE_STATES = ['preparando', 'activo', 'suspendido', 'error', 'eliminando'] as const
/** The stored states of a client's database; the other states that are shown follow from it and from its client. */
export const DATABASE_STATES = ['preparando', 'activa', 'eliminando'] as const
/** What the panel installs into a site. */
export const APPLICATIONS = ['wordpress', 'dokuwiki', 'mediawiki'] as const
export const APPLICATION_STATES = ['instalando', 'activa', 'actualizando'] as const
/** Of the certificate that a site is served with. */
export const HTTPS_STATES = ['autofirmado', 'pendiente', 'activo', 'error'] as const
/** `bloqueada`: the plan has no SFTP. */
export const SFTP_STATES = ['preparando', 'activa', 'solo_lectura', 'suspendida', 'bloqueada'] as const
export const JOB_STATES = ['pendiente', 'en_curso', 'hecha', 'fallida', 'cancelada'] as const
/** What the progress of a job is counted in. */
export const PROGRESS_UNITS = ['bytes', 'archivos', 'pasos'] as const
/** How a run of a scheduled task ended. */
export const RUN_REASONS = ['terminada', 'plazo', 'detenida', 'rechazada', 'interrumpida'] as const
export const MIRROR_STATES = [
  'comprobando',
  'en_cola',
  'sincronizando',
  'al_dia',
  'error',
  'conflicto',
  'perdida',
  'sin_cuota',
  'retirando',
  'retirada',
] as const
/** The confinement of clients on a node; listed among its services only where one is missing. */
export const PROTECTIONS = [
  'usuarios',
  'grupos_de_control',
  'limite_de_memoria',
  'limite_de_procesador',
  'limite_de_procesos',
  'procesos_terminados',
  'systemd',
] as const
/** Whether a zone leads to this server. */
export const VERDICTS = ['aqui', 'fuera', 'no_concluyente'] as const
/**
 * Where the names of a site lead. `parcial`: to this server and others; `cambiando`: resolvers disagree, since a change
 * is on its way.
 */
export const PLACES = ['aqui', 'parcial', 'fuera', 'cambiando', 'sin_registros', 'sin_respuesta'] as const
/** What an operator has to set up before customers can use the panel. */
export const SETUP_POINTS = [
  'correo',
  'direcciones',
  'servidores_dns',
  'certificado',
  'cuotas',
  'copias',
  'plan',
  'cliente',
  'token',
] as const
/** Why one of them is not done. */
export const SETUP_REASONS = ['sin_configurar', 'sin_probar', 'sin_usar', 'fallo'] as const
export const LINK_PURPOSES = ['activar', 'restablecer', 'invitar', 'primero', 'correo'] as const
export const ACTOR_KINDS = ['token', 'persona', 'sistema', 'anonimo'] as const

export type ClientState = (typeof CLIENT_STATES)[number]
export type Verdict = (typeof VERDICTS)[number]

/** Which runs of a mirror come first: people wait for the first, nobody for the last. */
export const URGENCY = { person: 0, dropped: 1, daily: 2 } as const

/** Operations on files of a site. */
export const FILE_OPERATIONS = [
  'carpeta',
  'mover',
  'copiar',
  'borrar',
  'permisos',
  'comprimir',
  'extraer',
  'papelera',
  'restaurar',
  'vaciar',
] as const

/** What can lie in the bin of a node: all of a client, a site, a database. */
export const BIN_KINDS = ['cliente', 'sitio', 'base'] as const

/** The logs of a site: who visited it, and what PHP said. */
export const LOG_KINDS = ['acceso', 'php'] as const
/** Of what PHP said; `programa`: a program did so itself, by `error_log()`. */
export const LOG_LEVELS = ['error', 'aviso', 'nota', 'obsoleto', 'programa'] as const

/** What a client is written to about the mail of its programs: a day's is used up, some was not sent. */
export const MAIL_NOTICES = ['correos_agotados', 'correos_sin_enviar'] as const

/**
 * Of a move to another node: copied while it is served, restored there, closed, applied there, opened there; `mudada`
 * waits to be confirmed, and `volviendo` is taken back.
 */
export const MOVE_PHASES = [
  'copiando',
  'preparando',
  'cerrando',
  'cerrada',
  'abriendo',
  'mudada',
  'volviendo',
] as const

/** Why a move is not confirmed by itself yet: the new node is away, a service of it is down, it holds the client otherwise. */
export const MOVE_WAITS = ['nodo_ausente', 'nodo_con_fallos', 'con_diferencias'] as const

/** Where copies can be kept. */
export const DESTINATION_KINDS = ['carpeta', 'sftp', 's3', 'rest'] as const
/** What a copy is of; `ajustes` are tasks and settings. */
export const COPY_PARTS = ['sitio', 'base', 'ajustes'] as const
/** What of a site a copy is asked for. */
export const RESTORED_PARTS = ['todo', 'archivos', 'ajustes'] as const
/** Whether what is deleted is copied first, where that is asked; `limite`: not any more today. */
export const COPIES_BEFORE = ['pedida', 'limite'] as const
/** `en_curso` is a copy that is being made, and not shown. */
export const COPY_STATES = ['en_curso', 'completa', 'incompleta', 'danada'] as const
/** Of those that have ended. `danada`: the destination has lost or changed some of it since. */
export const ENDED_COPY_STATES = ['completa', 'incompleta', 'danada'] as const

/** The panels whose customers' archives can be imported. */
export const IMPORT_ORIGINS = ['hestia', 'cpanel'] as const
/** What an import makes, in this order. */
export const IMPORT_KINDS = ['base', 'sitio', 'zona', 'programada'] as const
export const IMPORT_STATES = ['pendiente', 'hecho', 'fallido'] as const

/** `abandonada`: it failed for good, or the webhook was switched off while it waited. */
export const DELIVERY_STATES = ['en_cola', 'enviando', 'entregada', 'abandonada'] as const
/** Why an attempt to deliver failed; `rechazada`: the reply was not of the 200s. */
export const DELIVERY_FAULTS = [
  'sin_direccion',
  'direccion_no_admitida',
  'sin_conexion',
  'certificado_rechazado',
  'sin_respuesta',
  'rechazada',
] as const
/**
 * Why a webhook is switched off: by somebody, by its reply 410, after days of failures, by all that waited for it, or
 * because this panel is a restored copy.
 */
export const WEBHOOK_STOPS = ['a_mano', 'ya_no_existe', 'sin_entregas', 'demasiadas', 'restaurado'] as const

/** What the feed of events tells of; each is written by a trigger of the database. */
export const EVENT_TYPES = [
  'cliente.creado',
  'cliente.suspendido',
  'cliente.activado',
  'cliente.plan',
  'cliente.eliminado',
  'acceso.creado',
  'acceso.activo',
  'sitio.creado',
  'sitio.activo',
  'sitio.error',
  'sitio.eliminado',
  'certificado.emitido',
  'certificado.renovado',
  'certificado.error',
  'aplicacion.instalada',
  'aplicacion.actualizada',
  'base.creada',
  'base.eliminada',
  'zona.creada',
  'zona.error',
  'zona.eliminada',
  'copia.hecha',
  'copia.incompleta',
  'uso.aviso',
  'espejo.al_dia',
  'espejo.error',
  'espejo.conflicto',
  'espejo.perdida',
  'espejo.sin_cuota',
  'espejo.no_resuelve_aqui',
  'espejo.retirada',
  'proveedor.rechazada',
  'token.creado',
  'token.revocado',
  'llave.creada',
  'llave.eliminada',
  'tarea.hecha',
  'tarea.fallida',
  'tarea.cancelada',
] as const

/** Classes of files, by which browsers are told how long to keep them. */
export const FILE_CLASSES = ['image', 'font', 'style', 'media', 'document', 'html'] as const

/** Statuses for which a site may have a page of its own. */
export const PAGE_STATUSES = ['403', '404', '500', '503'] as const
/** Whether the parent of a zone has the DS records of its keys. */
export const DS_STATES = [
  'correcto',
  'ausente',
  'de_mas',
  'distinto',
  'sin_firmar',
  'sobra',
  'sin_respuesta',
] as const
