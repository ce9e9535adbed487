import type { InputOf } from '../../api/operations.ts'
import { inLanguage } from '../../text/language.ts'

export type PageKind = keyof NonNullable<InputOf<'PUT /api/apariencia'>['body']['paginas']>

const en = {
  appearance: 'Appearance',
  lead: 'What customers and visitors see of you: on these screens, when they sign in, in the mails, and on pages of your own.',
  nameHint: 'On every page and in the mails. Empty: the panel’s own.',
  colour: 'Colour',
  colourHint:
    'Of buttons and links, as #rrggbb. White text must be readable on it; for dark screens a lighter one is made of it.',
  support: 'Help for customers',
  supportHint:
    'A page (https://…) or an address (mailto:…). It stands in the mails and is shown to who is suspended.',
  logo: 'Logo',
  icon: 'Icon of the tabs',
  imageHint: 'A PNG of at most 65 kB, 16 to 1,024 pixels on each side.',
  choose: 'Choose a file',
  chooseFor: (label: string) => `Choose a file: ${label}`,
  remove: 'Remove',
  removeFor: (label: string) => `Remove: ${label}`,
  present: (label: string) => `${label}, as it is now`,
  chosen: 'A new file is chosen.',
  willGo: 'Will be removed.',
  leave: 'Leave as it is',
  pages: 'Pages for visitors',
  pagesLead:
    'What the server shows where there is no site to show. Your words stand there with your name, colour and link for help; without any, the panel’s own page is shown.',
  title: 'Title',
  text: 'Text',
  textHint: 'Plain text. An empty line begins a new paragraph.',
  preview: 'Preview',
}

const es: typeof en = {
  appearance: 'Apariencia',
  lead: 'Lo que sus clientes y los visitantes ven de usted: en estas pantallas, al entrar, en los correos y en páginas propias.',
  nameHint: 'En todas las páginas y en los correos. Vacío: el del panel.',
  colour: 'Color',
  colourHint:
    'De botones y enlaces, con la forma #rrggbb. Debe leerse texto blanco encima; para las pantallas oscuras se hace uno más claro a partir de él.',
  support: 'Ayuda para clientes',
  supportHint:
    'Una página (https://…) o una dirección (mailto:…). Va en los correos y se muestra a quien está suspendido.',
  logo: 'Logotipo',
  icon: 'Icono de las pestañas',
  imageHint: 'Un PNG de 65 kB como máximo, de 16 a 1.024 píxeles de lado.',
  choose: 'Elegir un archivo',
  chooseFor: (label) => `Elegir un archivo: ${label}`,
  remove: 'Quitar',
  removeFor: (label) => `Quitar: ${label}`,
  present: (label) => `${label}, el de ahora`,
  chosen: 'Hay un archivo nuevo elegido.',
  willGo: 'Se quitará.',
  leave: 'Dejarlo como está',
  pages: 'Páginas para visitantes',
  pagesLead:
    'Lo que muestra el servidor donde no hay ningún sitio que mostrar. Sus palabras aparecen con su nombre, color y enlace de ayuda; si no escribe nada, se muestra la página del panel.',
  title: 'Título',
  text: 'Texto',
  textHint: 'Texto sin formato. Una línea vacía empieza un párrafo nuevo.',
  preview: 'Vista previa',
}

export const texts = inLanguage({ en, es })

/** What each of the pages is for. */
export const pageNames = inLanguage<Record<PageKind, string>>({
  en: {
    provisional: 'A new site without content',
    suspendida: 'A suspended site',
    desconocida: 'A name that no site has',
  },
  es: {
    provisional: 'Un sitio nuevo sin contenido',
    suspendida: 'Un sitio suspendido',
    desconocida: 'Un nombre que ningún sitio tiene',
  },
})

/** When each of them is seen. */
export const pageHints = inLanguage<Record<PageKind, string>>({
  en: {
    provisional: 'Until its owner puts something there.',
    suspendida: 'Until it is active again. Its owner’s visitors see it too.',
    desconocida: 'When somebody’s domain leads to this server and no site here has that name.',
  },
  es: {
    provisional: 'Hasta que su dueño ponga algo.',
    suspendida: 'Hasta que vuelva a estar activo. También la ven los visitantes de su dueño.',
    desconocida:
      'Cuando el dominio de alguien lleva a este servidor y ningún sitio de aquí tiene ese nombre.',
  },
})
