import { parseArgs } from 'node:util'
import { type Output, typed, UsageError } from './output.ts'

/** What was typed for each name of a form, as the form has it: `FILE` and `--sitio` with their values, `purgar` with ''. */
export type Given = ReadonlyMap<string, string>

/** One way to call a command. Names in capitals are values; `optional` is given whole or not at all. */
export type Form = {
  words: string[]
  optional?: string[]
  options?: Option[]
  help: string
  run(given: Given, output: Output): Promise<void>
}
type Option = { name: string; value?: string; required?: boolean }

/** What the arguments ask for: help, or a command with all that was given to it. */
export type Wanted = { help: string } | { form: Form; given: Given; json: boolean }

/** Reads the arguments; whatever no form declares is refused before anything is done. */
export function readWords(forms: Form[], args: string[]): Wanted {
  const valued = forms.flatMap(({ options = [] }) => options.filter(({ value }) => value !== undefined))
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: Object.fromEntries(valued.map(({ name }) => [name, { type: 'string' as const }])),
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const options = tokens.filter((token) => token.kind === 'option')
  const [command = ''] = words
  const own = forms.filter((form) => form.words[0] === command)
  const shown = own.length > 0 ? own : forms
  const isHelp = options.some(({ rawName }) => rawName === '--help' || rawName === '-h')
  if (command === 'help' || (isHelp && (own.length > 0 || command === ''))) return { help: usage(shown) }
  if (own.length === 0) throw mistake(command && `there is no command '${command}'`, shown)
  const form = closest(own, words)
  const flags = readOptions(form, options, shown)
  const given = new Map([...readPositions(form, words, shown), ...flags])
  const missing = form.options?.find(({ name, required }) => required && !given.has(`--${name}`))
  if (missing) throw mistake(`${words.join(' ')}: --${missing.name} ${missing.value} is missing`, shown)
  return { form, given, json: given.has('--json') }
}

/** A form as it is typed. */
function synopsis({ words, optional, options = [] }: Form): string {
  const flags = options.map(({ name, value, required }) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`
    return required ? flag : `[${flag}]`
  })
  return [...words, ...(optional ? [`[${optional.join(' ')}]`] : []), ...flags].join(' ')
}

function usage(forms: Form[]): string {
  const width = Math.max(...forms.map((form) => synopsis(form).length))
  const lines = forms.map((form) => `  ${synopsis(form).padEnd(width)}  ${form.help}`)
  return [`usage: ${typed('COMMAND [--json]')}`, ...lines].join('\n')
}

const mistake = (what: string, forms: Form[]) =>
  new UsageError(what === '' ? usage(forms) : `${what}\n${usage(forms)}`)

const fits = (declared: string | undefined, word: string) =>
  declared !== undefined && (isValue(declared) ? word !== '' : declared === word)
const isValue = (declared: string) => /^[A-Z]+$/.test(declared)

/** How many of the words are a form's own, from the first on. */
function fitting({ words, optional = [] }: Form, given: string[]): number {
  const declared = [...words, ...optional]
  const other = given.findIndex((word, at) => !fits(declared[at], word))
  return other < 0 ? given.length : other
}

/** The form that most of the words fit; among equals one that they complete, else the first. */
function closest(forms: Form[], words: string[]): Form {
  const rank = (form: Form) => fitting(form, words) + (form.words.length <= words.length ? 0.5 : 0)
  return forms.reduce((best, form) => (rank(form) > rank(best) ? form : best))
}

function readPositions(form: Form, words: string[], shown: Form[]): [string, string][] {
  const declared = [...form.words, ...(form.optional ?? [])]
  const known = fitting(form, words)
  if (known < words.length)
    throw mistake(`${words.slice(0, known).join(' ')}: what is '${words[known]}'?`, shown)
  const missing = known === form.words.length ? undefined : declared[known]
  if (missing !== undefined) throw mistake(`${words.join(' ')}: ${missing} is missing`, shown)
  return words.map((word, at) => [declared[at] ?? '', isValue(declared[at] ?? '') ? word : ''])
}

type OptionToken = { rawName: string; value?: string | undefined }

function readOptions(form: Form, tokens: OptionToken[], shown: Form[]): [string, string][] {
  const declared: Option[] = [...(form.options ?? []), { name: 'json' }]
  const named = form.words.join(' ')
  const given = new Map<string, string>()
  for (const { rawName, value } of tokens) {
    const option = declared.find(({ name }) => `--${name}` === rawName)
    if (!option) throw mistake(`${named}: what is '${rawName}'?`, shown)
    if (given.has(rawName)) throw mistake(`${named}: ${rawName} is given twice`, shown)
    if (option.value === undefined && value !== undefined)
      throw mistake(`${named}: ${rawName} takes no value, and '${value}' was given`, shown)
    // A word that begins like an option is the next option: the value was forgotten.
    if (option.value !== undefined && (!value || value.startsWith('-')))
      throw mistake(`${named}: ${rawName} needs ${option.value}`, shown)
    given.set(rawName, value ?? '')
  }
  return [...given]
}
