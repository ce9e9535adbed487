import { inLanguage } from '../../text/language.ts'

const en = {
  title: 'Leave this page?',
  advice: 'What you typed has not been sent, and would be lost.',
  leave: 'Leave',
  stay: 'Stay',
}

const es: typeof en = {
  title: '¿Salir de esta página?',
  advice: 'Lo que ha escrito no se ha enviado, y se perdería.',
  leave: 'Salir',
  stay: 'Seguir aquí',
}

export const texts = inLanguage({ en, es })
