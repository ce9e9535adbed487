import { AppError } from '../endpoint/errors.ts'
import { BackupFault, type DestinationProblem } from '../endpoint/ports/backups.ts'
import { invalidField } from '../endpoint/validate.ts'
import { storedFault } from '../text/stored-faults.ts'

/** 422 for a field that a destination cannot be used for. */
export const invalidEntry = ({ field, code }: DestinationProblem, language: 'es' | 'en') =>
  invalidField(field === 'url' ? 'url' : 'credencial', code, language)

/** What an entered destination is refused with; its own text is never passed on. */
export function refusalOf(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const kind = cause instanceof BackupFault ? cause.kind : 'other'
  if (kind === 'password') return new AppError('destino_contrasena')
  const motivo = kind === 'unreachable' ? 'inaccesible' : kind === 'full' ? 'lleno' : 'otro'
  return new AppError('destino_fallo', { motivo }, { cause: error })
}

/** The fault of a part that lacks something. */
export const partial = () => storedFault({ codigo: 'copia_parcial' })

/** The fault of a part that does not read back as it was. */
export const damaged = () => storedFault({ codigo: 'copia_danada' })
