import type { LOG_KINDS, LOG_LEVELS } from '../../../schema/states.ts'

export type LogKind = (typeof LOG_KINDS)[number]

/** A request that was answered. */
export type Visit = {
  kind: 'acceso'
  at: Date
  address: string
  method: string
  /** With its query, as it was asked for. */
  path: string
  status: number
  bytes: number
  ms: number
  agent: string
}
/** What PHP, or a program by `error_log()`, said. */
export type PhpMessage = { kind: 'php'; at: Date; level: (typeof LOG_LEVELS)[number]; text: string }
export type LogRow = Visit | PhpMessage

/** `place`: where in the log it stands, to go on from. */
export type PlacedRow = { row: LogRow; place: string }

export type LogFilter = {
  from: Date | null
  /** Rows of that moment belong to it. */
  to: Date | null
  /** Part of a row's texts, whatever the case. */
  text: string | null
  /** The lowest and the highest status of a visit. */
  status: { lowest: number; highest: number } | null
}

/** A site's log as files hold it: `clientId` is whose programs write to that of PHP. */
export type LogPlace = { clientId: number; siteId: number; kind: LogKind }

/** What came in an hour, and how much of it failed at the server. */
export type HourCount = { at: Date; visits: number; bytes: number; errors: number }

export type LogPage = { rows: PlacedRow[]; next: string | null }

/** The logs of this node's sites. */
export type SiteLogs = {
  /**
   * Rows before a place, the newest first, at most `limit`. A look ends after so many bytes: there may be fewer rows
   * than asked for, or none, and more behind `next`. Null for a place that no log has.
   */
  page(
    at: LogPlace,
    wanted: { filter: LogFilter; before: string | null; limit: number },
  ): Promise<LogPage | null>
  /** The last hours up to one, the oldest first. */
  hours(at: LogPlace, wanted: { until: Date; many: number }): Promise<HourCount[]>
  /**
   * Rows as they come, from `after` on or from now; those that came at once together, and an empty list every half
   * second in which none came. 429 `espera` where too many follow already.
   */
  follow(at: LogPlace, wanted: { filter: LogFilter; after: string | null }): AsyncGenerator<PlacedRow[]>
}
