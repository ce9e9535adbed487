import type { DesiredPage } from '../../../../lib/endpoint/ports/pages.ts'
import { emailAddress } from '../../../../lib/text/email-address.ts'
import { HEAD } from './own.ts'

const COLOUR = /^#[0-9a-f]{6}$/
const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A page of the operator's: plain text in the panel's template, without a program or anything from elsewhere. Throws a
 * TypeError for a colour or an address that is none.
 */
export function operatorPage({ title, text, name, colour, support }: DesiredPage): string {
  if (colour !== null && !COLOUR.test(colour)) throw new TypeError('not a colour')
  const accent =
    colour === null ? '' : `<style>body{border-top:4px solid ${colour}}a{color:${colour}}</style>`
  const body = [
    ...(name === null ? [] : [`<p><strong>${escaped(name)}</strong></p>`]),
    `<h1>${escaped(title)}</h1>`,
    ...paragraphs(text),
    ...(support === null ? [] : [`<p>${helpLink(support)}</p>`]),
  ]
  // The language that the operator writes in is not known (HTML, 3.2.6.2).
  return `<!doctype html><html lang="">${HEAD}<title>${escaped(title)}</title>${accent}${body.join('')}</html>\n`
}

const paragraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escaped(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)

function helpLink(support: string): string {
  const isMail = support.startsWith('mailto:')
  const isAddress = isMail ? emailAddress(support.slice('mailto:'.length)) !== null : isSecure(support)
  if (!isAddress) throw new TypeError('not an address for help')
  return `<a href="${escaped(support)}" rel="noreferrer"><span lang="es">Ayuda</span> · <span lang="en">Help</span></a>`
}

const isSecure = (address: string) => URL.canParse(address) && new URL(address).protocol === 'https:'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? '')
