import type { Appearance } from '../../api/appearance.ts'
import { imagePath } from '../../api/appearance.ts'

type Rgb = [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** The ground of cards by night, as in tokens.css. */
const NIGHT: Rgb = [22, 26, 29]
/** What text needs on its ground (WCAG 2.2, 1.4.3), and a little more. */
const LEAST = 4.6

const rgbOf = (colour: string): Rgb => {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const mix = (one: Rgb, other: Rgb, share: number): Rgb => {
  const part = (at: 0 | 1 | 2) => one[at] * (1 - share) + other[at] * share
  return [part(0), part(1), part(2)]
}

function luminance(rgb: Rgb): number {
  const part = (at: 0 | 1 | 2) => {
    const value = rgb[at] / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
}

function contrast(one: Rgb, other: Rgb): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

/** Goes towards an end until it can be read on the ground that is made of it. */
function readable(colour: Rgb, towards: Rgb, groundOf: (colour: Rgb) => Rgb): Rgb {
  let found = colour
  for (let step = 0; step < 50 && contrast(found, groundOf(colour)) < LEAST; step++)
    found = mix(found, towards, 0.08)
  return found
}

/** The accent of both schemes from one colour: by itself, under a pointer, and as a ground for text. */
function accentsOf(colour: string): Record<string, string> {
  const chosen = rgbOf(colour)
  const softDay = (of: Rgb) => mix(of, WHITE, 0.88)
  const softNight = (of: Rgb) => mix(of, NIGHT, 0.78)
  const day = readable(chosen, BLACK, softDay)
  const night = readable(mix(chosen, WHITE, 0.45), WHITE, softNight)
  return {
    '--brand': hexOf(day),
    '--brand-hover': hexOf(mix(day, BLACK, 0.18)),
    '--brand-soft': hexOf(softDay(chosen)),
    '--brand-night': hexOf(night),
    '--brand-night-hover': hexOf(mix(night, WHITE, 0.3)),
    '--brand-night-soft': hexOf(softNight(chosen)),
    '--brand-night-ink': hexOf(mix(chosen, BLACK, 0.82)),
  }
}

/** Sets the colours and the icon of the page through its objects: the policy forbids style elements. */
export function dress({ color, icono }: Appearance): void {
  const { style } = document.documentElement
  for (const name of Object.keys(accentsOf('#000000'))) style.removeProperty(name)
  if (color !== null)
    for (const [name, value] of Object.entries(accentsOf(color))) style.setProperty(name, value)
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  link.type = icono === null ? 'image/svg+xml' : 'image/png'
  link.href = icono === null ? '/icon.svg' : imagePath('icono', icono)
}
