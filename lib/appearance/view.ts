import { type Appearance, hashOf, type Images, type OwnPage, type Pages } from './facts.ts'
import { type AppearanceBody, bytesOf } from './shapes.ts'

/** The appearance as anyone is told. */
export const appearanceView = ({ name, colour, support, logo, icon }: Appearance) => ({
  nombre: name,
  color: colour,
  soporte: support,
  logo,
  icono: icon,
})

/** The same with the pages, as admins are told. */
export const wholeAppearanceView = (appearance: Appearance) => {
  const { placeholder, suspended, missing } = appearance.pages
  return {
    ...appearanceView(appearance),
    paginas: {
      provisional: pageView(placeholder),
      suspendida: pageView(suspended),
      desconocida: pageView(missing),
    },
  }
}

const pageView = (page: OwnPage | null) => page && { titulo: page.title, texto: page.text }

/** What a request wants: the appearance, and the images to be written with it. */
export function wantedOf(
  body: AppearanceBody,
  before: Appearance,
): { appearance: Appearance; images: Images } {
  const { nombre, color, soporte, logo, icono, paginas = {} } = body
  const images: Images = {
    ...(logo === undefined ? {} : { logo: imageIn(logo) }),
    ...(icono === undefined ? {} : { icon: imageIn(icono) }),
  }
  return {
    appearance: {
      name: nombre,
      colour: color?.toLowerCase() ?? null,
      support: soporte,
      logo: markOf(images.logo, before.logo),
      icon: markOf(images.icon, before.icon),
      pages: pagesOf(paginas, before.pages),
    },
    images,
  }
}

function pagesOf(wanted: NonNullable<AppearanceBody['paginas']>, before: Pages): Pages {
  const pageOf = (page: { titulo: string; texto: string } | null | undefined, old: OwnPage | null) =>
    page === undefined ? old : page && { title: page.titulo, text: page.texto }
  return {
    placeholder: pageOf(wanted.provisional, before.placeholder),
    suspended: pageOf(wanted.suspendida, before.suspended),
    missing: pageOf(wanted.desconocida, before.missing),
  }
}

type Image = Images['logo']

function imageIn(base64: string | null): NonNullable<Image> | null {
  const bytes = base64 === null ? null : bytesOf(base64)
  return base64 === null || bytes === null ? null : { base64, bytes }
}

const markOf = (image: Image, before: string | null): string | null =>
  image === undefined ? before : image === null ? null : hashOf(image.bytes)
