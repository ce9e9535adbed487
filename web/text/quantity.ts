import { language, t } from './language.ts'

/** What a typed amount means, or what is wrong with it in words for the person who typed it. */
export type Reading = { value: number } | { problem: string }

/** Units in their order: GB is 1000³ bytes, as sizes are shown, and GiB is 1024³. */
const LETTERS = ['', 'K', 'M', 'G', 'T', 'P']

/** A whole number as people type it: `1000`, `1,000` (English), `1.000` (Spanish), `1 000`. */
export function readCount(text: string): Reading {
  const value = readNumber(text.trim(), 'whole')
  return typeof value === 'string' ? { problem: value } : within(value)
}

/** A whole number of percent, with its sign or without: `150`, `150 %`. */
export const readPercent = (text: string): Reading => readCount(text.replace(/\s*%\s*$/, ''))

/** A size with its unit: `10GB`, `10 GiB`, `1.5 TB` (English), `1,5 TB` (Spanish). */
export function readBytes(text: string): Reading {
  const [, amount = '', unit = ''] = /^(.*\d)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  if (amount === '') return { problem: unreadable(text) }
  const value = readNumber(amount)
  if (typeof value === 'string') return { problem: value }
  if (unit === '' && value !== 0) {
    return { problem: t('Add the unit: MB, GB or TB.', 'Añada la unidad: MB, GB o TB.') }
  }
  const scale = scaleOf(unit)
  if (scale === undefined) {
    return {
      problem: t(
        `“${unit}” is no unit here: use MB, GB or TB.`,
        `«${unit}» no es una unidad: use MB, GB o TB.`,
      ),
    }
  }
  return within(Math.round(value * scale))
}

/** How a stored amount is put into its field, so that it is read back as itself. */
export function countText(value: number): string {
  return String(value)
}

export function bytesText(value: number): string {
  for (const [base, ending] of [
    [1000, 'B'],
    [1024, 'iB'],
  ] as const) {
    const power = [4, 3, 2, 1].find((one) => value > 0 && value % base ** one === 0)
    if (power !== undefined) return `${value / base ** power} ${LETTERS[power]}${ending}`
  }
  return `${value} B`
}

function scaleOf(unit: string): number | undefined {
  if (/^(?:bytes?|b)?$/i.test(unit)) return 1
  const [, letter, binary] = /^([kmgtp])(i)?b?$/i.exec(unit) ?? []
  if (letter === undefined) return undefined
  return (binary ? 1024 : 1000) ** LETTERS.indexOf(letter.toUpperCase())
}

/** Blanks that group digits: space, no-break, thin and narrow no-break space, and the apostrophe. */
const BLANK_GROUPS = /^\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?=$|[.,])/

/**
 * A number, or what is wrong with it. One point or comma before three digits parts thousands in one
 * language and decimals in the other: it is taken only where the reader's own language parts thousands so.
 */
function readNumber(text: string, kind: 'whole' | 'any' = 'any'): number | string {
  if (text === '') return t('Type a number.', 'Escriba un número.')
  const joined = text.replace(BLANK_GROUPS, (digits) => digits.replace(/\D/g, ''))
  if (/^\d+$/.test(joined)) return Number(joined)
  const [group, decimal] = language.get() === 'es' ? ['.', ','] : [',', '.']
  for (const [thousands, point] of [
    [group, decimal],
    [decimal, group],
  ] as const) {
    const whole = grouped(thousands, point).exec(joined)
    if (whole) {
      const lone = whole[2] === undefined && (whole[1]?.split(thousands).length ?? 0) === 2
      if (lone && thousands !== group) return ambiguous(text, joined.split(thousands), thousands)
      if (kind === 'whole' && whole[2] !== undefined) return fractional()
      return Number(`${whole[1]?.split(thousands).join('')}.${whole[2] ?? '0'}`)
    }
  }
  const fraction = /^(\d+)[.,](\d+)$/.exec(joined)
  if (!fraction) return unreadable(text)
  if (kind === 'whole') return fractional()
  return Number(`${fraction[1]}.${fraction[2]}`)
}

const grouped = (thousands: string, point: string) =>
  new RegExp(`^([1-9]\\d{0,2}(?:\\${thousands}\\d{3})+)(?:\\${point}(\\d+))?$`)

function within(value: number): Reading {
  if (Number.isSafeInteger(value)) return { value }
  return { problem: t('The number is too large.', 'El número es demasiado grande.') }
}

const unreadable = (text: string) => t(`“${text.trim()}” is no number.`, `«${text.trim()}» no es un número.`)

const fractional = () => t('A whole number is needed.', 'Hace falta un número entero.')

function ambiguous(typed: string, parts: string[], point: string): string {
  const [whole = '', decimals = ''] = parts
  const large = whole + decimals
  const small = `${whole}${point}${decimals.replace(/0+$/, '')}`.replace(/[.,]$/, '')
  return t(
    `“${typed}” can be read in two ways: type ${large} or ${small}.`,
    `«${typed}» se puede leer de dos maneras: escriba ${large} o ${small}.`,
  )
}
