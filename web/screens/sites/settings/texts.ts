import { inLanguage } from '../../../text/language.ts'

const en = {
  advanced: 'Advanced: browsers’ copies and .htaccess',
  phpLimits: 'PHP limits',
  noMail:
    'Programs cannot send mail here: the operator has set up no mail server. mail() fails, and the log of PHP says so.',
  upload: 'Largest upload',
  uploadHint: 'For one request, all files together: 1 MiB to 128 MiB.',
  memory: 'Memory',
  memoryHint: 'For one request: 16 MiB to 1 GiB, at most what the plan gives.',
  seconds: 'Seconds of processor time',
  secondsHint: 'For one request: 1 to 120.',
  variables: 'Fields of a form',
  variablesHint: '100 to 20,000 (max_input_vars). Large menus and forms need more.',
  showErrors: 'Show errors to visitors',
  showErrorsHint: 'Useful while you build the site. The log always has them.',
  extensions: (version: string) => `Extensions of PHP ${version}`,
  browsers: 'Files in browsers',
  keepFiles: 'Browsers keep files for 30 days',
  keepFilesHint:
    'Images, styles, scripts, fonts, audio and video. For sites that rename a file when it changes.',
  classesHint: 'A time chosen here wins over the switch. Programs decide for their own pages.',
  asAbove: 'As the switch says',
  askEachTime: 'Ask each time',
  oneHour: '1 hour',
  oneDay: '1 day',
  oneWeek: '1 week',
  oneMonth: '30 days',
  oneYear: '1 year',
  forGood: '1 year, never changes',
  otherTime: (seconds: number) => `${seconds} seconds`,
  otherForGood: (seconds: number) => `${seconds} seconds, never changes`,
  errorPages: 'Error pages',
  errorPagesHint:
    'Addresses of .html files of the site, such as /errors/404.html. Without one, visitors see the panel’s page.',
  pageFor403: 'access refused',
  pageFor404: 'not found',
  pageFor500: 'a program failed',
  pageFor503: 'programs do not answer',
}

const es: typeof en = {
  advanced: 'Avanzado: copias en los navegadores y .htaccess',
  phpLimits: 'Límites de PHP',
  noMail:
    'Los programas no pueden enviar correo aquí: el operador no ha puesto un servidor de correo. mail() falla, y el registro de PHP lo dice.',
  upload: 'Mayor subida',
  uploadHint: 'En una petición, todos los archivos juntos: de 1 MiB a 128 MiB.',
  memory: 'Memoria',
  memoryHint: 'En una petición: de 16 MiB a 1 GiB, como mucho la que da el plan.',
  seconds: 'Segundos de procesador',
  secondsHint: 'En una petición: de 1 a 120.',
  variables: 'Campos de un formulario',
  variablesHint: 'De 100 a 20.000 (max_input_vars). Los menús y formularios grandes necesitan más.',
  showErrors: 'Mostrar los errores a los visitantes',
  extensions: (version: string) => `Extensiones de PHP ${version}`,
  browsers: 'Archivos en los navegadores',
  keepFiles: 'Los navegadores guardan los archivos 30 días',
  keepFilesHint:
    'Imágenes, estilos, scripts, fuentes, sonido y vídeo, para sitios que cambian el nombre de un archivo cuando cambia.',
  classesHint:
    'Un tiempo elegido aquí vale más que el interruptor. Los programas deciden sobre sus propias páginas.',
  asAbove: 'Según el interruptor',
  askEachTime: 'Preguntar cada vez',
  oneHour: '1 hora',
  oneDay: '1 día',
  oneWeek: '1 semana',
  oneMonth: '30 días',
  oneYear: '1 año',
  forGood: '1 año, no cambia nunca',
  otherTime: (seconds: number) => `${seconds} segundos`,
  otherForGood: (seconds: number) => `${seconds} segundos, no cambia nunca`,
  errorPages: 'Páginas de error',
  errorPagesHint:
    'Direcciones de archivos .html del sitio, como /errores/404.html. Sin ninguna, los visitantes ven la del panel.',
  pageFor403: 'acceso no permitido',
  pageFor404: 'no se encuentra',
  pageFor500: 'un programa ha fallado',
  pageFor503: 'los programas no contestan',
  showErrorsHint: 'Útil mientras hace el sitio. El registro siempre los tiene.',
}

export const texts = inLanguage({ en, es })
