import { inLanguage } from '../../../text/language.ts'

const en = {
  phpLimits: 'PHP limits',
  noMail:
    'Programs cannot send mail here: the operator has set up no mail server. mail() fails, and the log of PHP says so.',
  upload: 'Largest upload',
  uploadHint: 'Of one request, with all of its files: 1 MiB to 128 MiB.',
  memory: 'Memory',
  memoryHint: 'Of one request: 16 MiB to 1 GiB, and at most what the plan gives.',
  seconds: 'Seconds of processor time',
  secondsHint: 'Of one request: 1 to 120.',
  variables: 'Fields of a form',
  variablesHint: '100 to 20,000 (max_input_vars). Large menus and forms need more.',
  showErrors: 'Show errors to visitors',
  showErrorsHint: 'While a site is being made. The log has them in any case.',
  extensions: (version: string) => `Extensions of PHP ${version}`,
  errorPages: 'Error pages',
  errorPagesHint:
    'Addresses of .html files of the site, such as /errors/404.html. Where there is none, visitors see the panel’s page.',
  pageFor403: 'not shown to visitors',
  pageFor404: 'not found',
  pageFor500: 'a program failed',
  pageFor503: 'programs do not answer',
}

const es: typeof en = {
  phpLimits: 'Límites de PHP',
  noMail:
    'Los programas no pueden enviar correo aquí: el operador no ha puesto un servidor de correo. mail() falla, y el registro de PHP lo dice.',
  upload: 'Mayor subida',
  uploadHint: 'De una petición, con todos sus archivos: de 1 MiB a 128 MiB.',
  memory: 'Memoria',
  memoryHint: 'De una petición: de 16 MiB a 1 GiB, y como mucho la que da el plan.',
  seconds: 'Segundos de procesador',
  secondsHint: 'De una petición: de 1 a 120.',
  variables: 'Campos de un formulario',
  variablesHint: 'De 100 a 20.000 (max_input_vars). Los menús y formularios grandes necesitan más.',
  showErrors: 'Mostrar los errores a los visitantes',
  extensions: (version: string) => `Extensiones de PHP ${version}`,
  errorPages: 'Páginas de error',
  errorPagesHint:
    'Direcciones de archivos .html del sitio, como /errores/404.html. Donde no hay ninguna, se ve la página del panel.',
  pageFor403: 'no se muestra a visitantes',
  pageFor404: 'no se encuentra',
  pageFor500: 'un programa ha fallado',
  pageFor503: 'los programas no contestan',
  showErrorsHint: 'Mientras se hace un sitio. El registro los tiene en todo caso.',
}

export const texts = inLanguage({ en, es })
