/** Addresses of things end in a word, since a name such as `a.json` would look like a file's. */
export const clientPath = (name: string, tab = 'resumen') =>
  `/panel/clientes/${encodeURIComponent(name)}/${tab}`

export const sitePath = (domain: string) => `/panel/sitios/${encodeURIComponent(domain)}/detalle`

/** Without a folder it leads to the one that visitors see. */
export const filesPath = (domain: string, folder?: string) =>
  `/panel/sitios/${encodeURIComponent(domain)}/archivos${folder === undefined ? '' : `?ruta=${encodeURIComponent(folder)}`}`

/** The files of a site with their bin open. */
export const filesBinPath = (domain: string) => `${filesPath(domain)}?papelera`

/** Where visitors find a site: without a certificate that browsers trust they would only meet a warning over HTTPS. */
export const siteAddress = ({ domain, https }: { domain: string; https: { estado: string } }) =>
  `${https.estado === 'activo' ? 'https' : 'http'}://${domain}/`

export const siteSettingsPath = (domain: string) => `/panel/sitios/${encodeURIComponent(domain)}/ajustes`

export const logsPath = (domain: string) => `/panel/sitios/${encodeURIComponent(domain)}/bitacora`

/** The log of a site with what its PHP said. */
export const phpLogPath = (domain: string) => `${logsPath(domain)}?tipo=php`

export const zonePath = (zone: string, tab = 'registros') => `/panel/zonas/${encodeURIComponent(zone)}/${tab}`

export const mirrorPath = (zone: string) => `/panel/espejo/${encodeURIComponent(zone)}/detalle`

export const webhooksPath = '/panel/avisos'

export const webhookPath = (id: string) => `${webhooksPath}/${encodeURIComponent(id)}`
