import { inLanguage } from '../../text/language.ts'

const en = {
  application: 'Application',
  withDatabase: 'It gets a database of its own.',
  withoutDatabase: 'It needs no database.',
  emailHint: (name: string) => `${name} e-mails the sign-in details there.`,
  titleOfSite: 'Title',
  email: 'E-mail of its administrator',
  language: 'Language',
  install: (what: string) => `Install ${what}`,
  installed: (name: string) => `${name} is installed.`,
  emptyFolder: 'Empty the folder',
  emptyingDoes:
    'All that is in it goes to the bin of this site, from where it can be restored for some days. Visitors find nothing until something new is there.',
  emptied: 'The folder is empty.',
  noDatabaseLeft: 'Your plan has no database left',
  noDatabaseAdvice:
    'This application needs one. Delete a database that is not used any more, or ask for a larger plan.',
  toDatabases: 'To the databases',
  installing: 'It is being installed. That takes less than a minute.',
  giveUp: 'Give up',
  noPackage: 'This server has no application to install.',
  needsPhp: 'Applications need a site with PHP.',
  folderNotEmpty:
    'The folder of the site must be empty before an application is installed, and this one has files.',
  waysOut: (sub: string) =>
    `Delete its files, which go to the bin, or install the application in another site, such as ${sub}.`,
  goToFiles: 'Open the folder',
  createSite: (sub: string) => `Create the site ${sub}`,
  changing: 'It is being changed. Visitors are told to come back in a moment.',
  update: (version: string) => `Update to ${version}`,
  updateHint:
    'Themes, plug-ins and uploads stay. If it does not answer afterwards, everything is put back as it was.',
  clone: 'Clone for trying things out',
  cloneHint:
    'A copy with its own files and database in a new site. It sends no mail, and search engines leave it alone.',
  cloneName: 'Name of the copy',
  cloneOf: (domain: string) =>
    `A copy of ${domain} for trying things out. What is published replaces what is there, and can be taken back there.`,
  publish: (domain: string) => `Publish to ${domain}`,
  files: 'Files: themes, plug-ins and WordPress itself',
  tables: 'Tables',
  tablesHint:
    'Their whole content is replaced, and with it orders, comments or users that came in meanwhile. None if left empty.',
  undo: 'Take back the publication',
  undoHint: 'Files and published tables are as they were before the last publication.',
  done: 'Done.',
  failed: 'It was not done',
  version: 'Version',
  newer: 'Newer version',
  upToDate: 'up to date',
  signIn: 'Sign in to WordPress',
  signInHint: 'You are signed in as its first administrator, without a password.',
}

const es: typeof en = {
  application: 'Aplicación',
  withDatabase: 'Tendrá su propia base de datos.',
  withoutDatabase: 'No necesita base de datos.',
  emailHint: (name) => `${name} envía allí cómo entrar. Nadie más conoce ninguna contraseña.`,
  titleOfSite: 'Título',
  email: 'Correo de quien lo administra',
  language: 'Idioma',
  install: (what) => `Instalar ${what}`,
  installed: (name) => `${name} está instalado.`,
  emptyFolder: 'Vaciar la carpeta',
  emptyingDoes:
    'Todo lo que contiene va a la papelera de este sitio, desde donde se puede restaurar durante unos días. Las visitas no encontrarán nada hasta que haya algo nuevo.',
  emptied: 'La carpeta está vacía.',
  noDatabaseLeft: 'A su plan no le queda ninguna base de datos',
  noDatabaseAdvice:
    'Esta aplicación necesita una. Elimine una base de datos que ya no use o pida un plan mayor.',
  toDatabases: 'Ir a las bases de datos',
  installing: 'Se está instalando. Tarda menos de un minuto.',
  giveUp: 'Cancelar',
  noPackage: 'Este servidor no tiene ninguna aplicación que instalar.',
  needsPhp: 'Las aplicaciones necesitan un sitio con PHP.',
  folderNotEmpty:
    'Para instalar una aplicación la carpeta del sitio debe estar vacía, y esta tiene archivos.',
  waysOut: (sub) =>
    `Elimine sus archivos, que van a la papelera, o instale la aplicación en otro sitio, como ${sub}.`,
  goToFiles: 'Abrir la carpeta',
  createSite: (sub) => `Crear el sitio ${sub}`,
  changing: 'Se está cambiando. A las visitas se les pide que vuelvan en un momento.',
  update: (version) => `Actualizar a ${version}`,
  updateHint:
    'Temas, extensiones y archivos subidos se quedan. Si después no responde, todo vuelve a estar como estaba.',
  clone: 'Clonar para hacer pruebas',
  cloneHint:
    'Una copia con sus propios archivos y su base de datos en un sitio nuevo. No envía correo y los buscadores no la recogen.',
  cloneName: 'Nombre de la copia',
  cloneOf: (domain) =>
    `Una copia de ${domain} para hacer pruebas. Lo que se publica sustituye a lo que hay allí, y allí se puede deshacer.`,
  publish: (domain) => `Publicar en ${domain}`,
  files: 'Archivos: temas, extensiones y el propio WordPress',
  tables: 'Tablas',
  tablesHint:
    'Se sustituye todo su contenido, también los pedidos, comentarios o usuarios que hayan llegado entretanto. Vacío: ninguna.',
  undo: 'Deshacer la publicación',
  undoHint: 'Los archivos y las tablas publicadas vuelven a estar como antes de la última publicación.',
  done: 'Hecho.',
  failed: 'No se hizo',
  version: 'Versión',
  newer: 'Versión más nueva',
  upToDate: 'está al día',
  signIn: 'Entrar en WordPress',
  signInHint: 'Se entra como su primer administrador, sin contraseña.',
}

export const texts = inLanguage({ en, es })
