import { YEAR_SECONDS } from '../sites/cache-shapes.ts'
import { endings } from './patterns.ts'
import type { Directive, FilesScope } from './read.ts'
import { type FileClass, HOLDS, left, type Verdict, type Wish, wishes } from './reasons.ts'

const UNITS: Record<string, number> = {
  ...{ second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, year: YEAR_SECONDS },
}

/** The class of a media type, as the web server sends it; null where it is of none. */
function classOfType(type: string): FileClass | null {
  if (/^image\//.test(type)) return 'image'
  if (/^(?:font\/|application\/(?:x-)?font|application\/vnd\.ms-fontobject)/.test(type)) return 'font'
  if (/^(?:text\/css|(?:text|application)\/(?:x-)?javascript|application\/wasm)/.test(type)) return 'style'
  if (/^(?:audio|video)\//.test(type)) return 'media'
  if (/^(?:text\/html|application\/xhtml)/.test(type)) return 'html'
  return /^(?:application\/(?:pdf|rtf|epub|msword|vnd\.(?:ms-|openxml|oasis))|text\/(?:plain|csv))/.test(type)
    ? 'document'
    : null
}

const ENDINGS: Record<FileClass, RegExp> = {
  image: /^(?:gif|jpe?g|png|webp|avif|svgz?|ico|bmp|tiff?)$/,
  font: /^(?:woff2?|ttf|otf|eot)$/,
  style: /^(?:css|m?js|wasm)$/,
  media: /^(?:mp[34]|m4[av]|og[agv]|opus|wav|flac|mpe?g|mov|webm|avi)$/,
  document: /^(?:pdf|rtf|epub|docx?|xlsx?|pptx?|od[ts]|txt|csv|md)$/,
  html: /^(?:s?html?|xhtml)$/,
}
const CLASSES = Object.keys(ENDINGS) as FileClass[]

const keep = (of: FileClass, seconds: number, immutable = false): Wish => ({
  setting: 'cache',
  value: { of, seconds: Math.min(seconds, YEAR_SECONDS), immutable },
})

/** `ExpiresByType` and `ExpiresDefault` (mod_expires). */
export function judgeExpires(directive: Directive, all: Directive[]): Verdict {
  const { name, args, files } = directive
  if (name === 'expiresactive') return HOLDS
  const isOn =
    all.findLast((one) => one.name === 'expiresactive' && isAbout(one, files))?.args[0]?.toLowerCase() ===
    'on'
  const [type = ''] = args
  const seconds = secondsOf(args.slice(name === 'expiresbytype' ? 1 : 0).join(' '))
  if (!isOn) return left('apagada')
  if (seconds === null) return left('tiempo')
  if (name === 'expiresdefault' && files !== null) return keptBy(files, seconds, false)
  if (name === 'expiresdefault') {
    const named = new Set(
      all.filter((one) => one.name === 'expiresbytype').map(({ args: [one = ''] }) => classOfType(one)),
    )
    return wishes('por_clases', ...CLASSES.filter((one) => !named.has(one)).map((one) => keep(one, seconds)))
  }
  const of = classOfType(type.toLowerCase())
  return of === null ? left('sin_clase') : wishes(null, keep(of, seconds))
}

/** Whether a directive is about all files, or just these. */
const isAbout = (one: Directive, files: FilesScope | null) => one.files === null || isSame(one.files, files)
const isSame = (one: FilesScope, other: FilesScope | null) =>
  one.pattern === other?.pattern && one.value === other.value

/** Seconds after a visit; null for what counts from elsewhere or is no time. */
function secondsOf(text: string): number | null {
  const [, plain] = /^A([0-9]{1,10})$/i.exec(text.trim()) ?? []
  if (plain !== undefined) return Number(plain)
  const [, list] = /^(?:access|now)(?:\s+plus)?\s+(.+)$/is.exec(text.trim()) ?? []
  const parts = list?.toLowerCase().match(/[0-9]{1,9}\s+[a-z]+/g) ?? []
  if (list === undefined || parts.join(' ') !== list.toLowerCase().replace(/\s+/g, ' ').trim()) return null
  const each = parts.map((part) => {
    const [count = '', unit = ''] = part.split(/\s+/)
    return Number(count) * (UNITS[unit.replace(/s$/, '')] ?? Number.NaN)
  })
  const sum = each.reduce((total, one) => total + one, 0)
  return Number.isFinite(sum) ? sum : null
}

/** `Header set Cache-Control` for files by their endings. */
export function judgeHeader({ args, files }: Directive): Verdict {
  const [action = '', name = '', value = '', condition] =
    args[0]?.toLowerCase() === 'always' ? args.slice(1) : args
  if (name.toLowerCase() !== 'cache-control' || condition !== undefined) return left('cabecera')
  if (!/^(?:set|append|merge)$/i.test(action) || files === null) return left('cabecera')
  const words = value
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== '')
  const seconds = /^max-age=([0-9]{1,10})$/.exec(words.find((one) => one.startsWith('max-age=')) ?? '')?.[1]
  const isPlain = words.every((one) =>
    /^(?:max-age=[0-9]+|public|immutable|must-revalidate|no-transform)$/.test(one),
  )
  if (seconds === undefined || !isPlain) return left('cabecera')
  return keptBy(files, Number(seconds), words.includes('immutable'))
}

/** Files by their endings, of which a site's setting knows the classes alone. */
function keptBy({ pattern, value }: FilesScope, seconds: number, immutable: boolean): Verdict {
  const ends = endings(pattern ? value : `\\${value.replace(/^\*/, '')}$`)
  if (ends === null) return left('archivos_por_nombre')
  const classes = CLASSES.filter((of) => ends.some((one) => ENDINGS[of].test(one)))
  if (classes.length === 0) return left('sin_clase')
  return wishes('por_clases', ...classes.map((of) => keep(of, seconds, immutable)))
}
