import { inLanguage } from '../../text/language.ts'

const en = {
  showHidePassword: 'Show or hide the password',
  code: 'Code',
  showAsApiCall: 'Show as API call',
  notWithAToken:
    'This operation cannot be done with an API token: it needs a person, signed in to the panel.',
  nameUnchecked: (domain: string) => `${domain} could not be checked.`,
  showNameIsYours: (domain: string) => `Show that ${domain} is yours.`,
  dnsSilent:
    'DNS did not answer in time. Nothing was changed; check again in a moment. The record to set is this:',
  addRecordAdvice:
    'Add this record where the domain’s DNS is managed now, then check again. It may take some minutes until it is seen.',
  whereCertificateIs:
    'panel.pem is the panel’s own certificate: on its node, tls/panel.pem of its data directory.',
  checkAgain: 'Check again',
  copyTheName: 'Copy the name',
  copyTheType: 'Copy the type',
  copyTheValue: 'Copy the value',
  allNamesAtOnce: 'For all names of that domain at once, set it at',
  enoughIfItLeadsHere: (domain: string) => `It is also enough if ${domain} points to this server only:`,
  nowItLeadsTo: 'It points now to',
  signedInAgain: 'You are signed in again.',
  nothingWasSent: 'Nothing was sent. What you typed is still here: send it when it is right.',
  fillThisIn: 'Fill this in.',
  typeADomain: 'Type a domain, such as example.com.',
  typeAnEMail: 'Enter a valid e-mail address, such as ana@example.com.',
  typeAClientName:
    'Use letters, digits, dots, hyphens and underscores, at most 63; the first and the last are a letter or a digit.',
  typeASuffix: 'Use 1 to 16 lower-case letters and digits.',
  typeAnHttpsAddress: 'Type an address that begins with https://.',
  typeTwelve: 'At least 12 characters.',
  notYourOwnName:
    'Your name, domain or e-mail address is the first thing that somebody would try. Choose another password.',
  notYetAPassword: 'Not a password yet',
  tooShort: 'Too short',
  weak: 'Weak',
  good: 'Good',
  strong: 'Strong',
  strength: 'Strength',
}

const es: typeof en = {
  showHidePassword: 'Mostrar u ocultar la contraseña',
  code: 'Código',
  showAsApiCall: 'Ver como llamada a la API',
  notWithAToken:
    'Esta operación no se puede hacer con un token de API: requiere una persona que haya entrado en el panel.',
  nameUnchecked: (domain: string) => `No se pudo comprobar ${domain}.`,
  showNameIsYours: (domain: string) => `Demuestre que ${domain} es suyo.`,
  dnsSilent:
    'El DNS no respondió a tiempo y no se cambió nada: compruebe de nuevo en un momento. Para demostrar que el dominio es suyo, ponga este registro donde se gestiona su DNS:',
  addRecordAdvice:
    'Añada este registro donde se gestiona ahora el DNS del dominio y compruebe de nuevo. Puede tardar unos minutos en verse.',
  whereCertificateIs:
    'panel.pem es el certificado propio del panel: en su nodo, tls/panel.pem de su directorio de datos.',
  checkAgain: 'Comprobar de nuevo',
  copyTheName: 'Copiar el nombre',
  copyTheType: 'Copiar el tipo',
  copyTheValue: 'Copiar el valor',
  allNamesAtOnce: 'Para todos los nombres de ese dominio a la vez, póngalo en',
  enoughIfItLeadsHere: (domain: string) =>
    `También basta con que ${domain} apunte únicamente a este servidor:`,
  nowItLeadsTo: 'Ahora apunta a',
  signedInAgain: 'Ha entrado de nuevo.',
  nothingWasSent: 'No se envió nada. Lo que escribió sigue aquí: envíelo cuando esté bien.',
  fillThisIn: 'Rellene este campo.',
  typeADomain: 'Escriba un dominio, como ejemplo.es.',
  typeAnEMail: 'Escriba un correo válido, como ana@ejemplo.es.',
  typeAClientName:
    'Use letras, cifras, puntos, guiones y guiones bajos, 63 como mucho; el primero y el último son una letra o una cifra.',
  typeASuffix: 'Use de 1 a 16 letras minúsculas y cifras.',
  typeAnHttpsAddress: 'Escriba una dirección que empiece por https://.',
  typeTwelve: 'Al menos 12 caracteres.',
  notYourOwnName:
    'Su nombre, su dominio o su correo es lo primero que alguien probaría. Elija otra contraseña.',
  notYetAPassword: 'Aún no es una contraseña',
  tooShort: 'Demasiado corta',
  weak: 'Débil',
  good: 'Buena',
  strong: 'Fuerte',
  strength: 'Fortaleza',
}

export const texts = inLanguage({ en, es })
