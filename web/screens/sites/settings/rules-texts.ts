import { inLanguage } from '../../../text/language.ts'

const en = {
  addresses: 'Addresses',
  webRoot: 'Document root',
  webRootHint: 'The folder that is served, below the site’s: public, or public/web of a framework.',
  index: 'Index files',
  indexHint: 'What answers for a folder, the first that is there. Left empty, it is the usual list.',
  singlePage: 'One page for all addresses',
  singlePageHint: 'For applications of a single page: what is no file is answered by index.html.',
  redirects: 'Redirects',
  redirectsHint:
    'One per line: the address, where it leads, and 301, 302, 307 or 308. With /* at its end an address stands for all below it; at the end of the destination it takes the rest along.',
  protectedParts: 'Protected parts',
  protectedHint:
    'One per line: an address and the user who gets in. Nobody gets in before the password is created.',
  noneProtected: 'Everything is open to all.',
  part: 'Part',
  user: 'User',
  password: 'Password',
  made: 'made',
  notMade: 'none yet',
  makePassword: 'Create the password',
  makeAnother: 'Create another password',
  change: 'Change',
  whatMakingDoes: 'The panel creates it and shows it once. The previous one stops working.',
  copyPassword: 'Copy the password',
  whenLost: 'If it is lost, create another one.',
}

const es: typeof en = {
  addresses: 'Direcciones',
  webRoot: 'Carpeta que se publica',
  webRootHint: 'Dentro de la del sitio: public, o public/web de un framework. Nada por encima se sirve.',
  index: 'Archivos de índice',
  indexHint: 'Lo que contesta por una carpeta: el primero que haya. Si se deja vacío, la lista habitual.',
  singlePage: 'Una página para todas las direcciones',
  singlePageHint: 'Para aplicaciones de una sola página: lo que no es un archivo lo contesta index.html.',
  redirects: 'Redirecciones',
  redirectsHint:
    'Una por línea: la dirección, adónde lleva, y 301, 302, 307 o 308. Con /* al final, una dirección vale para todo lo que hay debajo; al final del destino, lleva consigo el resto.',
  protectedParts: 'Rutas protegidas',
  protectedHint:
    'Una por línea: una dirección y el usuario que entra. Nadie entra hasta que se cree la contraseña.',
  noneProtected: 'Todo está abierto a cualquiera.',
  part: 'Ruta',
  user: 'Usuario',
  password: 'Contraseña',
  made: 'creada',
  notMade: 'aún no hay',
  makePassword: 'Crear la contraseña',
  makeAnother: 'Crear otra contraseña',
  change: 'Cambiar',
  whatMakingDoes: 'La crea el panel y se muestra una vez. La anterior deja de abrir.',
  copyPassword: 'Copiar la contraseña',
  whenLost: 'Si se pierde, cree otra.',
}

export const texts = inLanguage({ en, es })
