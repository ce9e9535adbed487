import type { CopyPart } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import { faultStored, sanitise, storedFault } from '../text/stored-faults.ts'

/** 409: what the other node lacks. */
export const inTheWay = (impide: string[]) => new AppError('mudanza_impedida', { impide })

/** 409: a move that was done waits to be confirmed or taken back. */
export const unconfirmed = (nodo: string) => new AppError('mudanza_sin_confirmar', { nodo })

/** How many are named of what would stay behind, and how much of each name. */
const [MOST_NAMED, NAME_LENGTH] = [20, 200]

/** 409: files that the client itself may not read, or `others` that could not be copied at all. */
export function leftBehind(files: string[], others: { kind: string; name: string }[]): AppError {
  const named = [...others.map(({ name }) => name), ...files]
  const objetos = named.slice(0, MOST_NAMED).map((name) => sanitise(name, NAME_LENGTH))
  if (others.length === 0) return new AppError('mudanza_ilegible', { impide: ['archivos'], objetos })
  const impide = [...new Set(others.map(({ kind }) => (kind === 'base' ? 'bases' : 'archivos')))]
  return new AppError('mudanza_incompleta', { impide, objetos })
}

/** What a part of a copy lacks, by its name and what its fault names; nothing where it is whole. */
export function lackOf({ name, fault }: Pick<CopyPart, 'name' | 'fault'>): string[] {
  if (fault === null) return []
  const { datos } = faultStored(fault)
  return [datos === undefined ? name : `${name}: ${datos}`]
}

/** The fault of a move whose other node did nothing while the client was closed. */
export const alone = () => storedFault({ codigo: 'mudanza_sola' })

/** The code of a refusal; anything else is thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.codigo
  throw error
}

/** The code that a move ended with. */
export const failureOf = (result: Record<string, unknown> | null): string =>
  String(result?.codigo ?? 'mudanza_fallida')
