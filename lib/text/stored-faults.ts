import { FAULTS } from './faults.ts'
import { isOutOfSpace } from './root-message.ts'
import type { Words } from './words.ts'

export type FaultCode = keyof typeof FAULTS
/** A fault as one of the panel's own codes, with the plain values that its text names. */
export type Fault = { codigo: FaultCode } & Partial<Record<FaultValue, string>>
type FaultValue = 'autoridad' | 'datos' | 'detalle' | 'id' | 'nombres'

type Language = 'es' | 'en'
const VALUE_LENGTH = 200
// Controls, and the marks that reorder text on a screen (Unicode TR36, "Bidirectional Text Spoofing").
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** One line without control, format or reordering characters, of at most 300 characters by default. */
export function sanitise(text: string, length = 300): string {
  const line = text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** A fault as it is stored in a column of the database. */
export const storedFault = (fault: Fault): string => JSON.stringify(cleaned(fault))

/** The stored fault of a job whose worker died at each attempt; `id` is the job's. */
export const deadlyFault = (id: string): string => storedFault({ codigo: DEADLY, id })
export const DEADLY: FaultCode = 'trabajo_mortal'

/** Reads a stored fault. An earlier version of the panel stored a library's text, which is no longer shown. */
export function faultStored(stored: string): Fault {
  try {
    const read: unknown = JSON.parse(stored)
    return isFault(read) ? read : { codigo: 'anterior' }
  } catch {
    return { codigo: 'anterior' }
  }
}

/** The text of a stored fault in the reader's language; null if there is none. */
export const storedFaultText = (stored: string | null, language: Language): string | null =>
  stored === null ? null : faultText(faultStored(stored), language)

/** Whether a stored fault is one of the destination of copies. */
export const isOfDestination = (stored: string): boolean => faultStored(stored).codigo.startsWith('copias_')

/** The text of a fault in one language. */
export function faultText(fault: Fault, language: Language): string {
  const values = cleaned(fault)
  const sentence = filled(FAULTS[fault.codigo][language], values, language)
  if (values.detalle === undefined) return sentence
  return `${sentence} ${filled(FAULTS.autoridad_dice[language], values, language)}`
}

/** The text of a fault in both languages. */
export const faultWords = (fault: Fault): Words => ({
  es: faultText(fault, 'es'),
  en: faultText(fault, 'en'),
})

/** The fault for anything thrown; `id` is the job or request under which the log has the details. */
export const faultOf = (thrown: unknown, id?: string): Fault => ({
  codigo: codeOf(thrown),
  ...(id === undefined ? {} : { id }),
})

const KINDS: [FaultCode, RegExp][] = [
  ['sin_nombre', /^(ENOTFOUND|EAI_\w+|EDNS\w*|DNS\w*)$/],
  ['sin_respuesta', /^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED|ETIMEOUT|TimeoutError|AbortError)$/],
  [
    'sin_conexion',
    /^(ECONN\w+|ConnectionRefused|ConnectionClosed|FailedToOpenSocket|E(HOST|NET)(UNREACH|DOWN)|EPIPE)$/,
  ],
  ['tls', /CERT|^ERR_(SSL|TLS)|^EPROTO$|SIGNATURE|^(UNABLE_TO|CRL_|INVALID_CA|HOSTNAME_MISMATCH)/],
  ['sin_permiso', /^(EACCES|EPERM|EROFS)$/],
  ['programa_ausente', /^ENO(ENT|TDIR|EXEC)$/],
  ['copias_contrasena', /^BACKUP_PASSWORD$/],
  ['copias_lleno', /^BACKUP_FULL$/],
  ['copias_credencial', /^BACKUP_REFUSED$/],
  ['copias_servidor', /^BACKUP_STRANGER$/],
  ['copias_ajenas', /^BACKUP_FOREIGN$/],
  ['copias_ausente', /^BACKUP_MISSING$/],
  ['copia_perdida', /^BACKUP_LOST$/],
  ['copia_danada', /^BACKUP_DAMAGED$/],
  ['copias_inaccesible', /^BACKUP_/],
  ['base_de_datos', /^(SQLITE|SQL_|LIBSQL|HRANA|DatabaseAway)/],
]

/**
 * The code of an error, by its system code or class. A library's message is never parsed, except to recognise a full
 * disk.
 */
function codeOf(thrown: unknown): FaultCode {
  // The disk of a destination is none of the server's.
  const isOwnDisk = !(thrown instanceof Error && thrown.name === 'BackupFault')
  if (isOwnDisk && isOutOfSpace(thrown)) return 'sin_espacio'
  for (let at: unknown = thrown; at instanceof Error; at = at.cause) {
    const names = ['code' in at && typeof at.code === 'string' ? at.code : '', at.name]
    const known = KINDS.find(([, pattern]) => names.some((name) => pattern.test(name)))
    if (known) return known[0]
  }
  return 'desconocido'
}

function isFault(value: unknown): value is Fault {
  if (value === null || typeof value !== 'object' || !('codigo' in value)) return false
  const { codigo, ...values } = value
  return (
    typeof codigo === 'string' &&
    Object.hasOwn(FAULTS, codigo) &&
    Object.values(values).every((one) => typeof one === 'string')
  )
}

function cleaned({ codigo, ...values }: Fault): Fault {
  const pairs = Object.entries(values).map(([name, value]) => [name, sanitise(value, VALUE_LENGTH)])
  return { codigo, ...Object.fromEntries(pairs) }
}

const AROUND: Partial<Record<string, (value: string, language: Language) => string>> = {
  autoridad: (value) => ` ${value}`,
  datos: (value) => ` (${value})`,
  id: (value, language) => (language === 'es' ? `, bajo ${value}` : ` under ${value}`),
}

function filled(sentence: string, values: Partial<Record<string, string>>, language: Language): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return value ? (AROUND[name]?.(value, language) ?? value) : ''
  })
}
