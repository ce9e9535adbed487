import type { scheduleRuns, schedules } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import { requireFunction, requireRoom } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { nextOf } from './pattern.ts'

export type Schedule = typeof schedules.$inferSelect
export type Run = typeof scheduleRuns.$inferSelect

/** How many runs of each are kept. */
export const KEPT_RUNS = 30

/** How much of what a client's tasks said is kept, of all their runs together. */
export const KEPT_OUTPUT_BYTES = 4 * 1024 * 1024

/** When a schedule runs next, as columns of its row. */
export function nextTurn(pattern: string, now: Date): Pick<Schedule, 'nextAt' | 'waitMs'> {
  const nextAt = nextOf(pattern, now)
  if (nextAt === null) throw new TypeError('a pattern that was taken never comes')
  return { nextAt, waitMs: nextAt.getTime() - now.getTime() }
}

/** A schedule that the client's plan includes and has room for. */
export function decideSchedule({ plan, consumed }: Room, wanted: Pick<Schedule, 'pattern'>, now: Date) {
  requireFunction(plan, 'programadas')
  requireRoom(plan, consumed, 'programadas', 1)
  return nextTurn(wanted.pattern, now)
}

type Change = { pattern?: string | undefined; argv?: string[] | undefined; active?: boolean | undefined }

/** The columns that a change sets. A schedule that is switched on again does not make up for missed times. */
export function decideChange(before: Schedule, change: Change, now: Date): Partial<Schedule> {
  const pattern = change.pattern ?? before.pattern
  const anew = change.pattern !== undefined || (change.active === true && !before.active)
  return {
    pattern,
    argv: change.argv ?? before.argv,
    active: change.active ?? before.active,
    ...(anew ? nextTurn(pattern, now) : {}),
  }
}

/** 409 if it is already running, or its client may run nothing. */
export function requireIdle(client: Pick<Client, 'state'>, running: boolean): void {
  if (client.state !== 'activo') throw new AppError('cliente_suspendido')
  if (running) throw new AppError('ya_en_curso')
}

type Due = { client: Pick<Client, 'state' | 'moving'>; functions: string[] | null; running: boolean }

/** Whether a due schedule is started: never while it is still running, and not for a client that may run nothing. */
export const isBegun = ({ client, functions, running }: Due): boolean =>
  client.state === 'activo' &&
  !client.moving &&
  !running &&
  (functions === null || functions.includes('programadas'))
