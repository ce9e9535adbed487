import { AppError } from '../endpoint/errors.ts'
import { BackupFault, type BackupFaultKind, type DestinationProblem } from '../endpoint/ports/backups.ts'
import { invalidField } from '../endpoint/validate.ts'
import { faultOf, storedFault } from '../text/stored-faults.ts'

/** 422 for a field that a destination cannot be used for. */
export const invalidEntry = ({ field, code }: DestinationProblem, language: 'es' | 'en') =>
  invalidField(FIELDS[field], code, language)

const FIELDS = { url: 'url', credential: 'credencial', fingerprint: 'huella' } as const

/** What an entered destination is refused with; its own text is never passed on. */
export function refusalOf(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const kind = cause instanceof BackupFault ? cause.kind : 'other'
  if (kind === 'password') return new AppError('destino_contrasena')
  if (kind === 'foreign') return new AppError('destino_ajeno')
  return new AppError('destino_fallo', { motivo: MOTIVES[kind] ?? 'otro' }, { cause: error })
}

const MOTIVES: Partial<Record<BackupFaultKind, string>> = {
  missing: 'ausente',
  lost: 'ausente',
  unreachable: 'inaccesible',
  refused: 'credencial',
  full: 'lleno',
  damaged: 'danado',
  stranger: 'huella',
}

/** 409 for a copy that something thrown tells is damaged. */
export const spoilt = (error: unknown) =>
  new AppError('copia_danada', { causa: faultOf(error) }, { cause: error })

/** 409 for a copy that lies where copies went before. */
export const movedAway = () => new AppError('copia_no_existe', { motivo: 'otro_destino' }, { status: 409 })

/** Whether nothing is kept in a destination under that name. */
export const isMissing = (error: unknown) => error instanceof BackupFault && error.kind === 'missing'

/** The fault of a part that lacks something, with the first names of that. */
export const partial = (names: string[]) =>
  storedFault({ codigo: 'copia_parcial', datos: names.slice(0, 5).join(', ') })

/** The fault of a repository that its destination has lost. */
export const gone = () => storedFault({ codigo: 'copia_perdida' })

/** The fault of a part that does not read back as it was. */
export const damaged = () => storedFault({ codigo: 'copia_danada' })
