import { and, desc, eq } from 'drizzle-orm'
import { jobs } from '../../schema/tables.ts'
import { AppError, errorText, isErrorCode } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import type { Job, NewJob } from './jobs.ts'
import type { JobView, WorkView } from './shapes.ts'

/** The job as it is returned, never with its payload. */
export function jobView(row: Job, language: 'es' | 'en'): JobView {
  const refusal = refusalOf(row)
  return {
    id: row.id,
    operacion: row.kind,
    tipo: row.kind,
    nodo: row.node,
    cliente: row.clientName,
    objeto: row.target === '' ? null : row.target,
    estado: row.state,
    progreso: progressView(row),
    cancelable: row.cancellable,
    resultado: row.result,
    intentos: row.attempts,
    paso: row.step,
    error: refusal ? refusalWords(refusal, language) : storedFaultText(row.error, language),
    proxima: row.state === 'pendiente' ? wireTime(row.nextAt) : null,
    creada: wireTime(row.createdAt),
    terminada: wireTime(row.finishedAt),
  }
}

/** What a refusal says, and the fault that led to it where it tells one. */
function refusalWords({ codigo, extra }: AppError, language: 'es' | 'en'): string {
  const said = errorText(codigo, language, extra)
  const { causa } = extra
  return causa === undefined ? said : `${said} ${storedFaultText(JSON.stringify(causa), language)}`
}

/** Whether nothing more will become of it by itself. */
export const isOver = ({ estado }: JobView): boolean => estado !== 'pendiente' && estado !== 'en_curso'

/** The job that was just queued, or an identical one that was waiting already, for the answer 202. */
export function workReading(db: Db, job: Pick<NewJob, 'kind' | 'subject' | 'target'>): Reading<WorkView> {
  const newest = db
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, job.kind), eq(jobs.subject, job.subject), eq(jobs.target, job.target ?? '')))
    .orderBy(desc(jobs.id))
    .limit(1)
  return reading(newest, ([row]) => {
    if (!row) throw new AppError('tarea_no_existe')
    return {
      tarea: { id: row.id, operacion: row.kind, estado: row.state, progreso: progressView(row) },
    }
  })
}

/** Work that is queued with this answer under an id of its own: nothing has to be read for it. */
export const begunView = ({ id, kind }: { id: string; kind: string }): WorkView => ({
  tarea: { id, operacion: kind, estado: 'pendiente', progreso: null },
})

/** The same work once its answer has waited for it; throws what it was refused for. */
export async function workNow(db: Db, { tarea }: WorkView): Promise<WorkView> {
  const row = await db.select().from(jobs).where(eq(jobs.id, tarea.id)).get()
  if (!row) throw new AppError('tarea_no_existe')
  const refusal = refusalOf(row)
  if (refusal) throw refusal
  return { tarea: { ...tarea, estado: row.state } }
}

const progressView = ({ progress }: Job) =>
  progress && { hecho: progress.done, total: progress.total, unidad: progress.unit }

/** The refusal that ended a job, as its worker stored it. */
export function refusalOf({ state, result }: Pick<Job, 'state' | 'result'>): AppError | null {
  if (state !== 'fallida' || result === null) return null
  const { codigo, status, ...extra } = result
  if (typeof codigo !== 'string' || !isErrorCode(codigo)) return null
  return new AppError(codigo, extra, typeof status === 'number' ? { status } : {})
}

/** The part of a refusal that is stored with its job; null if the next attempt may end otherwise. */
export function keptRefusal(thrown: unknown): Record<string, unknown> | null {
  if (!(thrown instanceof AppError) || thrown.codigo === 'no_disponible') return null
  return { ...thrown.extra, codigo: thrown.codigo, status: thrown.status }
}
