import { inLanguage } from '../../text/language.ts'

const en = {
  appearance: 'Appearance',
  lead: 'What customers see of you: on these screens, when they sign in, and in the mails.',
  nameHint: 'On every page and in the mails. Empty: the panel’s own.',
  colour: 'Colour',
  colourHint:
    'Of buttons and links, as #rrggbb. White text must be readable on it; for dark screens a lighter one is made of it.',
  support: 'Help for customers',
  supportHint:
    'A page (https://…) or an address (mailto:…). It stands in the mails and is shown to who is suspended.',
  logo: 'Logo',
  icon: 'Icon of the tabs',
  imageHint: 'A PNG of at most 64 KiB, 16 to 1,024 pixels on each side.',
  choose: 'Choose a file',
  chooseFor: (label: string) => `Choose a file: ${label}`,
  remove: 'Remove',
  removeFor: (label: string) => `Remove: ${label}`,
  present: (label: string) => `${label}, as it is now`,
  chosen: 'A new file is chosen.',
  willGo: 'Will be removed.',
  leave: 'Leave as it is',
}

const es: typeof en = {
  appearance: 'Apariencia',
  lead: 'Lo que sus clientes ven de usted: en estas pantallas, al entrar y en los correos.',
  nameHint: 'En todas las páginas y en los correos. Vacío: el del panel.',
  colour: 'Color',
  colourHint:
    'De botones y enlaces, con la forma #rrggbb. Debe leerse texto blanco encima; para las pantallas oscuras se hace uno más claro a partir de él.',
  support: 'Ayuda para clientes',
  supportHint:
    'Una página (https://…) o una dirección (mailto:…). Va en los correos y se muestra a quien está suspendido.',
  logo: 'Logotipo',
  icon: 'Icono de las pestañas',
  imageHint: 'Un PNG de 64 KiB como máximo, de 16 a 1.024 píxeles de lado.',
  choose: 'Elegir un archivo',
  chooseFor: (label) => `Elegir un archivo: ${label}`,
  remove: 'Quitar',
  removeFor: (label) => `Quitar: ${label}`,
  present: (label) => `${label}, el de ahora`,
  chosen: 'Hay un archivo nuevo elegido.',
  willGo: 'Se quitará.',
  leave: 'Dejarlo como está',
}

export const texts = inLanguage({ en, es })
