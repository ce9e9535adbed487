const MOST = 200
/** An encoding is told within this much of a page (HTML, 13.2.3.2). */
const HEAD_BYTES = 1024
const NAMED: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', middot: '·', euro: '€', hellip: '…' },
  ...{ iexcl: '¡', iquest: '¿', laquo: '«', raquo: '»', ndash: '–', mdash: '—', copy: '©', reg: '®' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', trade: '™', szlig: 'ß', ccedil: 'ç' },
}
const ACCENTS: Record<string, string> = {
  ...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', uml: '\u0308' },
}

/** The title of a page of HTML as a reader sees it; null where it has none. */
export function titleOf(page: Uint8Array, contentType: string | null): string | null {
  if (contentType !== null && !/html/i.test(contentType)) return null
  const text = decoderOf(page, contentType).decode(page)
  const raw = /<title(?:\s[^>]*)?>([^<]*)<\/title/i.exec(text)?.[1]
  const title = raw === undefined ? '' : referencesRead(raw).replace(/\s+/g, ' ').trim()
  return title === '' ? null : [...title].slice(0, MOST).join('')
}

function decoderOf(page: Uint8Array, contentType: string | null): TextDecoder {
  const told = /charset=["']?([\w-]+)/i
  const head = new TextDecoder('latin1').decode(page.subarray(0, HEAD_BYTES))
  const label = told.exec(contentType ?? '')?.[1] ?? told.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

const referencesRead = (text: string): string =>
  text.replace(/&(?:#(x[\da-f]{1,6}|\d{1,7})|([a-z]{2,8}));/gi, (written, code?: string, name = '') => {
    if (code !== undefined) return ofCode(Number(code.startsWith('x') ? `0${code}` : code)) ?? written
    return NAMED[name] ?? accented(name) ?? written
  })

const ofCode = (code: number): string | null =>
  code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : null

/** `eacute` is an e with an acute accent. */
function accented(name: string): string | null {
  const accent = ACCENTS[name.slice(1)]
  return accent === undefined ? null : `${name.charAt(0)}${accent}`.normalize('NFC')
}
