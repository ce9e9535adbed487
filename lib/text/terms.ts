/**
 * Words of the wire that a message names (a plan's resources and functions, a disk's resources) as people read them.
 */
export const TERMS: Partial<Record<string, { en: string; es: string }>> = {
  sitios: { en: 'sites', es: 'sitios' },
  aliases: { en: 'aliases', es: 'alias' },
  zonas: { en: 'DNS zones', es: 'zonas DNS' },
  disco_bytes: { en: 'disk space', es: 'espacio en disco' },
  trafico_bytes: { en: 'traffic', es: 'tráfico' },
  php: { en: 'PHP', es: 'PHP' },
  https: { en: 'HTTPS', es: 'HTTPS' },
  espejo_dns: { en: 'the DNS mirror', es: 'el espejo DNS' },
  sftp: { en: 'SFTP', es: 'SFTP' },
  cuentas_sftp: { en: 'SFTP accounts', es: 'cuentas SFTP' },
  bases: { en: 'databases', es: 'bases de datos' },
  bases_bytes: { en: 'space for databases', es: 'espacio para bases de datos' },
  archivos: { en: 'the file manager', es: 'el gestor de archivos' },
  programadas: { en: 'scheduled tasks', es: 'tareas programadas' },
  aplicaciones: { en: 'applications', es: 'aplicaciones' },
  copias: { en: 'backups', es: 'copias de seguridad' },
  correos_dia: { en: 'mail of the day', es: 'correos del día' },
}

/** What is said instead of a code's own text where `motivo` tells more of it. */
export const MOTIVES: Partial<Record<string, { en: string; es: string }>> = {
  'prohibido carpeta_del_panel': {
    en: "The site's own folder belongs to the panel: use a folder in it, such as /public.",
    es: 'La carpeta del sitio es del panel: use una carpeta de ella, como /public.',
  },
  'ya_existe una_ruta': { en: '{ruta} already exists.', es: 'Ya existe {ruta}.' },
  'ya_existe varias_rutas': {
    en: '{existentes_total} items already exist there; the first is {ruta}.',
    es: 'Ya existen {existentes_total} elementos; el primero es {ruta}.',
  },
}
