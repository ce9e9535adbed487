import { type Client, elsewhere, requireOwnNode } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import type { LogFilter, LogKind, SiteLogs } from '../endpoint/ports/logs.ts'
import { invalidField } from '../endpoint/validate.ts'
import type { Site } from '../sites/decide.ts'

/** A site whose logs are asked for. */
export type LogsFacts = { site: Site; client: Client }

/** `driver` null: a host without a node. */
type Host = { here: string | null; driver: { siteLogs: SiteLogs | null } | null; isCustomer: boolean }

/** The logs of a site, where they can be read here. A suspended client's are the operator's to read. */
export function decideLogs(facts: LogsFacts | undefined, host: Host): LogsFacts & { logs: SiteLogs } {
  if (!facts || facts.site.state === 'eliminando') throw new AppError('sitio_no_existe')
  const { client } = facts
  if (host.isCustomer && client.state !== 'activo') throw new AppError('cliente_suspendido')
  requireOwnNode(client, host.here)
  if (host.driver === null) throw elsewhere(client)
  if (host.driver.siteLogs === null) throw new AppError('no_disponible', { retryAfterSeconds: 60 })
  return { ...facts, logs: host.driver.siteLogs }
}

/** As it was sent: `since` is a time or a place, `status` one or a class of them. */
export type Asked = {
  kind: LogKind
  since: string | undefined
  until: string | undefined
  text: string | undefined
  status: string | undefined
}

const DAY_MS = 86_400_000
/** `siguiente` of a page: a place in the log and, in milliseconds, where the rows asked for begin. */
const CURSOR = /^(\d{8}\.\d{1,6}\.\d{1,15})(?:~(\d{1,15}))?$/
const MOMENT = /^\d{4}-\d\d-\d\d(?:T|$)/

/** What is asked for; `before` is the place that a page goes on from. */
export function decideFilter(
  { kind, since, until, text, status }: Asked,
  language: 'es' | 'en',
): { filter: LogFilter; before: string | null } {
  if (status !== undefined && kind === 'php') throw invalidField('estado', 'valor_no_admitido', language)
  const [, before, begin] = CURSOR.exec(since ?? '') ?? []
  const isTime = since !== undefined && MOMENT.test(since)
  if (since !== undefined && !isTime && before === undefined) throw new AppError('cursor_invalido')
  const from = isTime ? new Date(since) : begin === undefined ? null : new Date(Number(begin))
  if (from !== null && Number.isNaN(from.getTime())) throw invalidField('desde', 'fecha_invalida', language)
  const filter = { from, to: until === undefined ? null : endOf(until), text: text ?? null }
  return { filter: { ...filter, status: statusOf(status) }, before: before ?? null }
}

/** The cursor of the next page. */
export const cursorOf = (place: string, from: Date | null): string =>
  from === null ? place : `${place}~${Math.max(from.getTime(), 0)}`

/** A day is meant to its end. */
const endOf = (text: string): Date =>
  new Date(new Date(text).getTime() + (text.includes('T') ? 0 : DAY_MS - 1))

function statusOf(text: string | undefined): LogFilter['status'] {
  if (text === undefined) return null
  if (!text.endsWith('xx')) return { lowest: Number(text), highest: Number(text) }
  const lowest = Number(text.charAt(0)) * 100
  return { lowest, highest: lowest + 99 }
}
