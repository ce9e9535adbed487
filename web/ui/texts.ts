import { inLanguage } from '../text/language.ts'

const en = {
  copied: 'Copied',
  copyRefused: 'The browser refused to copy; select the text instead.',
  qrCodeAuthenticator: 'QR code for the app',
  getTheApp:
    'Install a code app on your phone: Google Authenticator, 2FAS and Aegis are free, in the phone’s app store. One that you have already will do.',
  scanTheCode:
    'Scan this QR code with it. If you are reading this on the phone itself, open the app from here, or copy the key into it:',
  openInTheApp: 'Open in the app',
  typeTheCode: 'Type here the six digits that it shows.',
  copyTheSecret: 'Copy the key',
  codesAdvice:
    'If you lose your phone, sign in with one of these codes. Each works once. They will not be shown again.',
  iHaveSavedThem: 'I have saved them',
  shownOnlyNow: 'It is shown only now',
  iHaveCopiedIt: 'I have copied it',
  tryAgain: 'Try again',
  errorCode: 'Error code:',
  answerInOtherLanguage: 'The panel answered in Spanish.',
  sendAgainToRead: 'Send it again to read the answer in English.',
  closeWhatWasTyped: 'Close? What you typed would be lost.',
  planUsed: (limit: string, used: string, files: boolean) =>
    files
      ? `The plan has ${limit} files, and there are ${used}.`
      : `The plan has ${limit}, and ${used} is used.`,
  binCounts: 'What is in the bin counts too, until it is emptied or deleted for good.',
  emptyTheBin: 'Empty the bin',
  processesUsed: (limit: string, used: string) =>
    `The plan allows ${limit} processes, and there are ${used}. It goes on once some of them end.`,
  tryAgainIn: 'Try again in',
  seen: 'Seen',
  expected: 'Expected',
  apiOperation: 'API operation',
  loading: 'Loading…',
  close: 'Close',
  oneShown: 'shown',
  manyShown: 'shown',
  thatIsAll: 'that is all',
  notMeasured: 'Not measured',
  nearItsLimit: 'Near its limit',
  atItsLimit: 'At its limit',
  overItsLimit: 'Over its limit',
  closeWhatIsShownOnce: 'Close? It cannot be shown again.',
  closeAnyway: 'Close anyway',
  stay: 'Stay',
}

const es: typeof en = {
  copied: 'Copiado',
  copyRefused: 'El navegador no dejó copiar; seleccione el texto.',
  qrCodeAuthenticator: 'Código QR para la aplicación',
  getTheApp:
    'Instale en el móvil una aplicación de códigos: Google Authenticator, 2FAS y Aegis son gratuitas y están en la tienda de aplicaciones. Si ya tiene una, sirve.',
  scanTheCode:
    'Escanee con ella este código QR. Si lee esto en el propio móvil, abra la aplicación desde aquí o copie en ella esta clave:',
  openInTheApp: 'Abrir en la aplicación',
  typeTheCode: 'Escriba aquí las seis cifras que muestra.',
  copyTheSecret: 'Copiar la clave',
  codesAdvice:
    'Si pierde el teléfono, entre con uno de estos códigos. Cada uno sirve una sola vez. No se volverán a mostrar.',
  iHaveSavedThem: 'Los he guardado',
  shownOnlyNow: 'Solo se muestra ahora',
  iHaveCopiedIt: 'Ya la he copiado',
  tryAgain: 'Reintentar',
  errorCode: 'Código del error:',
  answerInOtherLanguage: 'El panel respondió en inglés.',
  sendAgainToRead: 'Envíelo otra vez para leer la respuesta en español.',
  closeWhatWasTyped: '¿Cerrar? Se perdería lo escrito.',
  planUsed: (limit, used, files) =>
    files ? `El plan da ${limit} archivos, y hay ${used}.` : `El plan da ${limit}, y se usan ${used}.`,
  binCounts: 'Lo que hay en la papelera también cuenta hasta que se vacía o se elimina del todo.',
  emptyTheBin: 'Vaciar la papelera',
  processesUsed: (limit, used) =>
    `El plan permite ${limit} procesos, y hay ${used}. Seguirá cuando acabe alguno.`,
  tryAgainIn: 'Reintente en',
  seen: 'Visto',
  expected: 'Esperado',
  apiOperation: 'Operación de la API',
  loading: 'Cargando…',
  close: 'Cerrar',
  oneShown: 'mostrado',
  manyShown: 'mostrados',
  thatIsAll: 'no hay más',
  notMeasured: 'Sin medir',
  nearItsLimit: 'Cerca del límite',
  atItsLimit: 'En su límite',
  overItsLimit: 'Límite superado',
  closeWhatIsShownOnce: '¿Cerrar? No se podrá mostrar otra vez.',
  closeAnyway: 'Cerrar de todos modos',
  stay: 'Seguir aquí',
}

export const texts = inLanguage({ en, es })
