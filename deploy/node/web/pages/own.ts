/** What all pages of the panel begin with. */
export const HEAD = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
  '<style>body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}</style>',
].join('')

/** Pages that the web server answers by itself: no file of a customer's is touched for them. */
export const SUSPENDED_PAGE = page(
  'Sitio suspendido',
  'Este sitio no está disponible por el momento.',
  'This site is not available at the moment.',
)
export const MISSING_PAGE = page(
  'No encontrado',
  'Aquí no hay nada con esta dirección.',
  'There is nothing at this address.',
)
export const UNAVAILABLE_PAGE = page(
  'Servicio no disponible',
  'El sitio no puede responder ahora. Inténtelo de nuevo en unos segundos.',
  'The site cannot answer right now. Please try again in a few seconds.',
)
export const FAILED_PAGE = page(
  'Esta página tiene un error',
  'El sitio no ha podido mostrarla.',
  'This page has an error, and the site could not show it.',
)
export const TOO_LARGE_PAGE = page(
  'Demasiado grande',
  'Lo que se ha enviado supera el tamaño que este servidor admite.',
  'What was sent is larger than this server accepts.',
)
export const TOO_MANY_PAGE = page(
  'Demasiadas conexiones',
  'El sitio tiene ahora demasiadas conexiones. Inténtelo de nuevo en unos segundos.',
  'The site has too many connections right now. Please try again in a few seconds.',
)
export const REFUSED_PAGE = page(
  'Petición no atendida',
  'El servidor no puede atender esta petición.',
  'The server cannot answer this request.',
)
export const UNAUTHORISED_PAGE = page(
  'Acceso protegido',
  'Esta parte del sitio pide un usuario y una contraseña.',
  'This part of the site asks for a user name and a password.',
)
export const PLACEHOLDER_PAGE = page(
  'Sitio en preparación',
  'Este sitio todavía no tiene contenido.',
  'This site has no content yet.',
)

function page(title: string, spanish: string, english: string): string {
  return [
    `<!doctype html><html lang="es">${HEAD}<title>${title}</title>`,
    `<h1>${title}</h1><p>${spanish}</p><p lang="en">${english}</p></html>`,
    '',
  ].join('')
}
