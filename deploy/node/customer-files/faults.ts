import { AppError, isRefusal, noSpace } from '../../../lib/endpoint/errors.ts'
import { ownFolder } from '../../../lib/files/errors.ts'
import { folderOf } from '../../../lib/files/paths.ts'
import { CageRefused } from '../cage/cage.ts'
import { STATUS } from './protocol/packets.ts'
import { HelperLost, SftpError } from './protocol/sftp.ts'

/**
 * Turns a refusal of the file system into an `AppError`. `missing` is 409 where something else than the requested
 * file itself is missing.
 */
export async function told<T>(work: Promise<T>, { missing = 404 }: { missing?: 404 | 409 } = {}): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof HelperLost || error instanceof CageRefused)
      throw new AppError('no_disponible', { retryAfterSeconds: 5 }, { cause: error })
    if (!(error instanceof SftpError)) throw error
    if (error.code === STATUS.missing) throw new AppError('archivo_no_existe', {}, { status: missing })
    if (error.code === STATUS.denied) throw new AppError('prohibido')
    throw error
  }
}

/** The same for work that can otherwise only fail for lack of room, by quota or on the disk. */
export async function roomFor<T>(work: Promise<T>): Promise<T> {
  try {
    return await told(work)
  } catch (error) {
    if (error instanceof SftpError && error.code === STATUS.failure) throw noRoom()
    throw error
  }
}

export const noRoom = () => noSpace('disco')

export const isMissing = (error: unknown) => error instanceof SftpError && error.code === STATUS.missing

/** The reason of a refusal at one of these paths: what is beside the documents of a site is the panel's. */
export function ofOwnFolder(error: unknown, paths: string[]): unknown {
  if (!isRefusal(error, 'prohibido') || !paths.some((path) => folderOf(path) === '/')) return error
  return ownFolder(error)
}
