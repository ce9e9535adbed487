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
  'copia_no_existe otro_destino': {
    en: 'Copies go to another destination by now, and this copy is at the former one: restore another copy, or have the former destination entered again.',
    es: 'Las copias van ahora a otro destino y esta quedó en el anterior: restaure otra, o haga que se vuelva a indicar aquel.',
  },
  'destino_fallo ausente': {
    en: 'Nothing was found at the destination of copies: check its path or bucket, and whether its disk is mounted.',
    es: 'No se encontró nada en el destino de las copias: revise su ruta o su bucket, y si su disco está montado.',
  },
  'destino_fallo inaccesible': {
    en: 'The destination of copies does not answer: check its address, and whether its server runs.',
    es: 'El destino de las copias no responde: revise su dirección y si su servidor funciona.',
  },
  'destino_fallo credencial': {
    en: 'The destination of copies refuses the credential: check it, and what it may do there.',
    es: 'El destino de las copias rechaza la credencial: revísela y compruebe qué permisos tiene allí.',
  },
  'destino_fallo lleno': {
    en: 'There is no space left at the destination of copies: make room there, or enter another one.',
    es: 'No queda espacio en el destino de las copias: haga sitio allí o indique otro.',
  },
  'destino_fallo danado': {
    en: 'The destination has lost or changed a part of this copy: choose another copy.',
    es: 'El destino ha perdido o cambiado una parte de esta copia: elija otra.',
  },
  'destino_fallo huella': {
    en: 'The server of the destination of copies shows another key than that of the fingerprint: compare both.',
    es: 'El servidor del destino de las copias muestra una llave que no es la de la huella: compárelas.',
  },
}
