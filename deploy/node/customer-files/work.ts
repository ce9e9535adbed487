import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FileOperation, FilePlace } from '../../../lib/endpoint/ports/files.ts'
import { noRoom, told } from './faults.ts'
import { found } from './places.ts'
import type { RunProgram } from './programs.ts'
import { STATUS } from './protocol/packets.ts'
import { SftpError, type SftpSession } from './protocol/sftp.ts'

/** What an operation works with. */
export type Work = {
  session: SftpSession
  at: FilePlace
  operation: FileOperation
  /** A folder for incomplete files; it does not exist before and after the operation. */
  staging: string
  run: RunProgram
  /** The same, but also runs for a cancelled operation, to clear away. */
  clearing: RunProgram
}

/** Moves something to its destination, where nothing may exist yet. */
export async function settle(session: SftpSession, from: string, to: string): Promise<void> {
  try {
    await told(session.rename(from, to), { missing: 409 })
  } catch (error) {
    if (!(error instanceof SftpError) || error.code !== STATUS.failure) throw error
    throw (await found(session.lstat(to))) ? new AppError('ya_existe') : noRoom()
  }
}
