import { inLanguage } from '../../../../text/language.ts'

/** The words of the editor itself, by which it asks for them. */
const en = {
  Find: 'Find',
  Replace: 'Replace',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'match case',
  'by word': 'by word',
  regexp: 'regexp',
  replace: 'replace',
  'replace all': 'replace all',
  close: 'close',
  'current match': 'current match',
  'replaced $ matches': 'replaced $ matches',
  'replaced match on line $': 'replaced match on line $',
  'on line': 'on line',
  'Go to line': 'Go to line',
  go: 'go',
}

const es: typeof en = {
  Find: 'Buscar',
  Replace: 'Reemplazar',
  next: 'siguiente',
  previous: 'anterior',
  all: 'todo',
  'match case': 'mayúsculas',
  'by word': 'palabra entera',
  regexp: 'expresión regular',
  replace: 'reemplazar',
  'replace all': 'reemplazar todo',
  close: 'cerrar',
  'current match': 'resultado actual',
  'replaced $ matches': '$ reemplazados',
  'replaced match on line $': 'reemplazado en la línea $',
  'on line': 'en la línea',
  'Go to line': 'Ir a la línea',
  go: 'ir',
}

export const texts = inLanguage({ en, es })
