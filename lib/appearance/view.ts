import { type Appearance, hashOf, type Images } from './facts.ts'
import { type AppearanceBody, bytesOf } from './shapes.ts'

/** The appearance as it is returned. */
export const appearanceView = ({ name, colour, support, logo, icon }: Appearance) => ({
  nombre: name,
  color: colour,
  soporte: support,
  logo,
  icono: icon,
})

/** What a request wants: the appearance, and the images to be written with it. */
export function wantedOf(
  body: AppearanceBody,
  before: Appearance,
): { appearance: Appearance; images: Images } {
  const { nombre, color, soporte, logo, icono } = body
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
    },
    images,
  }
}

type Image = Images['logo']

function imageIn(base64: string | null): NonNullable<Image> | null {
  const bytes = base64 === null ? null : bytesOf(base64)
  return base64 === null || bytes === null ? null : { base64, bytes }
}

const markOf = (image: Image, before: string | null): string | null =>
  image === undefined ? before : image === null ? null : hashOf(image.bytes)
