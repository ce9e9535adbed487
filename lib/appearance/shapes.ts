import * as v from 'valibot'
import { lines, named, text, told } from '../endpoint/fields.ts'
import { emailAddress } from '../text/email-address.ts'
import { isReadable } from './contrast.ts'
import { pngSize } from './png.ts'

const MOST_BYTES = 65_536
const MOST_BASE64 = Math.ceil(MOST_BYTES / 3) * 4
/** Of an image's sides, in pixels. */
const LEAST_SIDE = 16
const MOST_SIDE = 1024

/** The bytes of base64 text (RFC 4648, section 4); null for anything else. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Whether it is a PNG that may be shown: other kinds, SVG above all, can hold programs or be read in several ways. */
function isImage(base64: string): boolean {
  const size = pngSize(bytesOf(base64) ?? new Uint8Array())
  if (size === null) return false
  return [size.width, size.height].every((side) => side >= LEAST_SIDE && side <= MOST_SIDE)
}

function isSupport(address: string): boolean {
  if (address.startsWith('mailto:')) return emailAddress(address.slice('mailto:'.length)) !== null
  return /^https:\/\/[^\s/]/.test(address) && URL.canParse(address) && new URL(address).username === ''
}

const name = told(
  v.nullable(text(60)),
  "The operator's name, on screens and in mails; null for the panel's own.",
  'Ejemplo Hosting',
)
const colour = told(
  v.nullable(
    v.pipe(
      v.string(),
      v.regex(/^#[0-9a-f]{6}$/i, 'color_invalido'),
      v.check(isReadable, 'color_sin_contraste'),
    ),
  ),
  'The colour of buttons and links as `#rrggbb`, which white text can be read on; null for the panel’s own.',
  '#7a1f5c',
)
const support = told(
  v.nullable(v.pipe(v.string(), v.maxLength(200, 'demasiado_largo'), v.check(isSupport, 'soporte_invalido'))),
  'Where customers ask for help, also while they are suspended: an `https:` or a `mailto:` address.',
  'https://ayuda.ejemplo.net',
)

const image = (description: string) =>
  v.optional(
    told(
      v.nullable(
        v.pipe(v.string(), v.maxLength(MOST_BASE64, 'imagen_invalida'), v.check(isImage, 'imagen_invalida')),
      ),
      `${description}: a PNG in base64, at most 64 KiB and 16 to 1024 pixels on each side. null takes it away; left out, it stays.`,
    ),
  )

const TITLE_MOST = 120
const TEXT_MOST = 2000
const page = v.strictObject({
  titulo: told(text(TITLE_MOST), "The page's title.", 'Sitio en preparación'),
  texto: told(
    lines(TEXT_MOST),
    'Its text, without any markup: a line break is one, and an empty line ends a paragraph.',
    'Muy pronto aquí.',
  ),
})
const PAGES: Record<'provisional' | 'suspendida' | 'desconocida', string> = {
  provisional: 'Of a site without content yet.',
  suspendida: 'Of a suspended site, answered with 503.',
  desconocida: 'Of a name that no site has, answered with 404.',
}
const PAGES_TOLD =
  "Pages that the web server answers by itself, in the operator's words, with its name, colour and help; null: the panel's own."
const pageOf = (kind: keyof typeof PAGES) => told(v.nullable(page), PAGES[kind])

export const appearanceBody = v.strictObject({
  nombre: name,
  color: colour,
  soporte: support,
  logo: image('What stands before the name'),
  icono: image("What browsers show on a page's tab"),
  paginas: v.optional(
    told(
      v.strictObject({
        provisional: v.optional(pageOf('provisional')),
        suspendida: v.optional(pageOf('suspendida')),
        desconocida: v.optional(pageOf('desconocida')),
      }),
      `${PAGES_TOLD} Those that are left out stay.`,
    ),
  ),
})

const imageMark = (which: string) =>
  told(
    v.nullable(v.string()),
    `What tells the present ${which} from an earlier one; null without one.`,
    '3f9aK2mQx81LzT0b',
  )

const shown = {
  nombre: name,
  color: colour,
  soporte: support,
  logo: imageMark('logo'),
  icono: imageMark('icon'),
}

/** What anyone is told. */
export const appearanceShape = named('Apariencia', 'How the operator shows the panel.', v.strictObject(shown))

/** What an admin is told. */
export const wholeAppearanceShape = named(
  'AparienciaCompleta',
  'How the operator shows the panel, and what visitors see where no site is served.',
  v.strictObject({
    ...shown,
    paginas: told(
      v.strictObject({
        provisional: pageOf('provisional'),
        suspendida: pageOf('suspendida'),
        desconocida: pageOf('desconocida'),
      }),
      PAGES_TOLD,
    ),
  }),
)

export type AppearanceBody = v.InferOutput<typeof appearanceBody>
