import { inLanguage } from '../../text/language.ts'

const en = {
  transfers: 'Transfers',
  uploading: 'Uploading',
  downloading: 'Downloading',
  working: 'Working',
  waiting: 'waits for its turn',
  ending: 'is being put in its place',
  stopped: 'cut off; what came is kept for a day',
  taken: 'A file of that name is there already.',
  replace: 'Replace',
  replaceAll: 'Replace all',
  skip: 'Skip',
  skipAll: 'Skip all',
  goOn: 'Go on',
  cancelIt: (name: string) => `Cancel: ${name}`,
  putAway: (name: string) => `Put away: ${name}`,
  moreWait: (count: string) => `${count} more wait.`,
  done: (name: string) => `Done: ${name}`,
  givenUp: (name: string) => `Cancelled: ${name}`,
  failed: 'It failed.',
}

const es: typeof en = {
  transfers: 'Transferencias',
  uploading: 'Subiendo',
  downloading: 'Descargando',
  working: 'En curso',
  waiting: 'espera su turno',
  ending: 'se está colocando en su sitio',
  stopped: 'cortada; lo que llegó se guarda un día',
  taken: 'Ya hay un archivo con ese nombre.',
  replace: 'Sustituir',
  replaceAll: 'Sustituir todos',
  skip: 'Omitir',
  skipAll: 'Omitir todos',
  goOn: 'Continuar',
  cancelIt: (name) => `Cancelar: ${name}`,
  putAway: (name) => `Quitar: ${name}`,
  moreWait: (count) => `Esperan ${count} más.`,
  done: (name) => `Hecho: ${name}`,
  givenUp: (name) => `Cancelado: ${name}`,
  failed: 'Falló.',
}

export const texts = inLanguage({ en, es })
