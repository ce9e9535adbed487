import { AppError, noSpace } from '../../../../lib/endpoint/errors.ts'
import type { CagedEnd } from '../../../../lib/endpoint/node-port.ts'
import { foreignDump, refusedDump } from '../../../../lib/loads/errors.ts'
import { isOutOfSpace, rootMessage } from '../../../../lib/text/root-message.ts'
import { isRefusal } from '../connection.ts'

/** Without a number where it is its client that refuses. */
const SAID = /^ERROR (?:(\d+) \(\w+\) )?at line (\d+).*/m
/** The server ended, or is being ended (CR_SERVER_GONE_ERROR, CR_SERVER_LOST, ER_SERVER_SHUTDOWN). */
const GONE = [2006, 2013, 1053]
/** A full table, disk or file, as the server tells it (ER_RECORD_FILE_FULL, ER_DISK_FULL, ER_ERROR_ON_WRITE, EE_DISK_FULL). */
const FULL = [1114, 1021, 1026, 20]
/** The same as the reason of another error: ENOSPC, HA_ERR_RECORD_FILE_FULL, HA_ERR_DISK_FULL. */
const FULL_REASON = /\b(?:errno|errcode|error):? (?:28|135|189)\b/i
/** Another database, or what a client has no right to (ER_DBACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR, …). */
const FOREIGN = [1044, 1045, 1142, 1143, 1227, 1370]

/**
 * What the client of MariaDB ended with, which has failed: its words quote the dump, so that their numbers alone are
 * told.
 */
export function faultSaid({ code, stderr }: Pick<CagedEnd, 'code' | 'stderr'>): Error {
  const [said, number = 0, line] = SAID.exec(stderr) ?? []
  const told = Number(number)
  if (said === undefined || GONE.includes(told)) {
    return new Error(`mariadb failed: ${stderr.slice(-300)} (${code})`)
  }
  if (FULL.includes(told) || FULL_REASON.test(said)) return noSpace('disco')
  if (FOREIGN.includes(told)) return foreignDump(Number(line))
  return refusedDump(Number(line), told)
}

/**
 * What ended a load, as 507 `sin_espacio` where that is a full disk: the server then refuses the panel's own statements
 * too, or ends itself, and no further attempt goes better.
 */
export function loadFault(error: unknown, exhausted: 'disco' | 'inodos' | null): unknown {
  if (error instanceof AppError) return error
  const isFull = isRefusal(error, ...FULL) || isOutOfSpace(error) || FULL_REASON.test(rootMessage(error))
  const scarce = exhausted ?? (isFull ? 'disco' : null)
  if (scarce === null) return error
  return new AppError('sin_espacio', { ...noSpace(scarce).extra }, { cause: error })
}
