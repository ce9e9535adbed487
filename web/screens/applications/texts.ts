import { inLanguage } from '../../text/language.ts'

const en = {
  whatItIs:
    'WordPress into the empty site, with a database of its own. It mails a link by which the password is chosen.',
  titleOfSite: 'Title',
  email: 'E-mail of its administrator',
  language: 'Language',
  english: 'English',
  spanish: 'Spanish',
  install: (version: string) => `Install WordPress ${version}`,
  asked: 'WordPress is being installed.',
  installing: 'It is being installed. That takes less than a minute.',
  giveUp: 'Give up',
  noPackage: 'This server has no package of WordPress.',
  needsPhp: 'The site needs PHP for it.',
  changing: 'It is being changed. Visitors are told to come back in a moment.',
  update: (version: string) => `Update to ${version}`,
  updateHint:
    'Themes, plug-ins and uploads stay. If it does not answer afterwards, everything is put back as it was.',
  done: 'Done.',
  failed: 'It was not done',
  version: 'Version',
  newer: 'Newer version',
  upToDate: 'none here',
  signIn: 'Sign in to WordPress',
  signInHint: 'As its first administrator, without a password.',
}

const es: typeof en = {
  whatItIs:
    'WordPress en el sitio vacío, con una base de datos propia. Él mismo envía un enlace para elegir la contraseña.',
  titleOfSite: 'Título',
  email: 'Correo de quien lo administra',
  language: 'Idioma',
  english: 'Inglés',
  spanish: 'Español',
  install: (version) => `Instalar WordPress ${version}`,
  asked: 'WordPress se está instalando.',
  installing: 'Se está instalando. Tarda menos de un minuto.',
  giveUp: 'Cancelar',
  noPackage: 'Este servidor no tiene ningún paquete de WordPress.',
  needsPhp: 'El sitio necesita PHP para ello.',
  changing: 'Se está cambiando. A las visitas se les pide que vuelvan en un momento.',
  update: (version) => `Actualizar a ${version}`,
  updateHint:
    'Temas, extensiones y archivos subidos se quedan. Si después no responde, todo vuelve a estar como estaba.',
  done: 'Hecho.',
  failed: 'No se hizo',
  version: 'Versión',
  newer: 'Versión más nueva',
  upToDate: 'ninguna aquí',
  signIn: 'Entrar en WordPress',
  signInHint: 'Como su primer administrador, sin contraseña.',
}

export const texts = inLanguage({ en, es })
