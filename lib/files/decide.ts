import { type Client, requireAtRest, requireOwnNode } from '../clients/decide.ts'
import { AppError, noSpace, overLimit } from '../endpoint/errors.ts'
import type { Conditions } from '../endpoint/ports/files.ts'
import { type Plan, requireFunction } from '../plans/decide.ts'
import type { Site } from '../sites/decide.ts'

/** A site whose files are requested, with everything that the decision depends on. */
export type FilesFacts = {
  site: Site
  client: Client
  plan: Plan | null
  /** As last measured. */
  used: { diskBytes: number; inodes: number } | null
}

type Asked = {
  here: string | null
  grows: boolean
  /** The resource that the node itself has run out of, if any. */
  exhausted?: 'disco' | 'inodos' | null
}

/**
 * Whether a site's files can be accessed from `here`, which is null on a host without a node; `grows` is for requests
 * that may take more room. Returns the bytes and inodes left in the plan; null if there is no limit or no measurement.
 */
export function decideFiles(
  facts: FilesFacts | undefined,
  { here, grows, exhausted = null }: Asked,
): FilesFacts & { room: number | null; inodes: number | null } {
  if (!facts || facts.site.state === 'eliminando') throw new AppError('sitio_no_existe')
  const { client, plan, used } = facts
  // A suspended client's programs do not run, and its files are read by one of them.
  if (client.state === 'suspendido') throw new AppError('cliente_suspendido')
  if (client.state === 'eliminando') throw new AppError('cliente_eliminandose')
  requireFunction(plan, 'archivos')
  requireOwnNode(client, here)
  requireAtRest(client)
  if (grows) requireGrowth({ plan, used }, exhausted)
  return {
    ...facts,
    room: left(plan?.diskBytes, used?.diskBytes),
    inodes: left(plan?.inodes, used?.inodes),
  }
}

/** How many operations of a client wait for their turn: each keeps its paths in the panel's database. */
const MOST_WAITING = 50

/** 429 for one more operation of a client who has as many waiting as there may be. */
export function requireTurn(waiting: number): void {
  if (waiting >= MOST_WAITING) throw new AppError('espera', { retryAfterSeconds: 60 })
}

/** 507 where the node, or what the plan allows a client, is used up. */
export function requireGrowth(
  { plan, used }: Pick<FilesFacts, 'plan' | 'used'>,
  exhausted: 'disco' | 'inodos' | null,
): void {
  if (exhausted !== null) throw noSpace(exhausted)
  for (const [what, limit, held] of [
    ['disco', plan?.diskBytes, used?.diskBytes],
    ['inodos', plan?.inodes, used?.inodes],
  ] as const) {
    if (limit != null && (left(limit, held) ?? 0) <= 0) throw overLimit(what, held ?? 0, limit)
  }
}

/** What is left of a limit; null where there is none. */
const left = (limit: number | null | undefined, used = 0) =>
  limit == null ? null : Math.max(limit - used, 0)

/**
 * 412 unless `If-Match` and `If-None-Match` hold (RFC 9110 section 13.2.2) for a file with this ETag; null means that
 * there is no file. A weak tag never matches in `If-Match`.
 */
export function requireConditions(etag: string | null, { ifMatch, ifNoneMatch }: Conditions): void {
  const matches = ifMatch === null || (etag !== null && named(ifMatch, etag) && !etag.startsWith('W/'))
  const differs = etag === null || !isUnchanged(etag, ifNoneMatch)
  if (!matches || !differs) throw new AppError('version_distinta')
}

/** Whether a list of tags names this one, or anything. */
const named = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim() === etag)

const bare = (etag: string) => etag.replace(/^W\//, '')

/** The requested bytes, from `from` up to, not including, `to`; null for the whole file (RFC 9110 section 14.2). */
export function decideRange(
  { range, ifRange }: { range: string | null; ifRange: string | null },
  file: { bytes: number; etag: string },
): { from: number; to: number } | null {
  const [, first = '', last = ''] = range?.match(/^bytes=(\d{0,15})-(\d{0,15})$/) ?? []
  if (first === '' && last === '') return null
  if (ifRange !== null && (ifRange !== file.etag || file.etag.startsWith('W/'))) return null
  const from = first === '' ? Math.max(file.bytes - Number(last), 0) : Number(first)
  const to = first === '' || last === '' ? file.bytes : Math.min(Number(last) + 1, file.bytes)
  if (first !== '' && last !== '' && Number(last) < from) return null
  if (from >= file.bytes || to <= from) throw new AppError('rango_invalido')
  return { from, to }
}

/** Whether a reader's copy is still good: 304 (RFC 9110 section 13.1.2). */
export const isUnchanged = (etag: string, ifNoneMatch: string | null): boolean =>
  ifNoneMatch !== null && named(ifNoneMatch.replaceAll('W/', ''), bare(etag))
