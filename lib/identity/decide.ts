import type { links, persons } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import { emailKey } from '../text/email-address.ts'

export type Person = typeof persons.$inferSelect
export type Link = typeof links.$inferSelect

const LINKS_PER_HOUR = 5
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Whether a login has been activated: a password was chosen and a factor enrolled. */
export const isActivated = (person: Pick<Person, 'passwordHash' | 'totpSecret'>) =>
  person.passwordHash !== null && person.totpSecret !== null

/** The purpose of a fresh link: to activate a login that is not activated yet, to reset any other. */
export const purposeFor = (person: Pick<Person, 'passwordHash' | 'totpSecret'>) =>
  isActivated(person) ? ('restablecer' as const) : ('activar' as const)

/**
 * Seconds until an account may be sent another link (one a minute, five an hour), given the times of the last hour's
 * links.
 */
export function linkWaitSeconds(recent: Date[], now: Date): number {
  const times = recent.map((at) => at.getTime()).toSorted((a, b) => a - b)
  const last = times.at(-1)
  const oldest = times.at(-LINKS_PER_HOUR)
  const free = Math.max(
    last === undefined ? 0 : last + MINUTE_MS,
    oldest === undefined ? 0 : oldest + HOUR_MS,
  )
  return Math.max(0, Math.ceil((free - now.getTime()) / 1000))
}

/** 429 `espera` if the account was sent a link too recently. */
export function requireLinkTurn(recent: Date[], now: Date): void {
  const retryAfterSeconds = linkWaitSeconds(recent, now)
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
}

/** 409 `sin_acceso` for a client without a login. */
export function requireLogin(login: Person | null): Person {
  if (!login) throw new AppError('sin_acceso')
  return login
}

/** The login that an operator sends a link to, and its address. */
export function decideReset(login: Person | null, recent: Date[], now: Date): Person & { email: string } {
  const person = requireLogin(login)
  if (person.email === null) throw new AppError('sin_correo')
  requireLinkTurn(recent, now)
  return { ...person, email: person.email }
}

/** The first of these admins who has the address, however it is spelt. */
export const adminAt = (admins: Person[], email: string): Person | undefined =>
  admins.find((admin) => admin.email !== null && emailKey(admin.email) === emailKey(email))

/** An admin; 404 for a customer's login, which is managed through its client. */
export function requireAdmin(person: Person | undefined): Person {
  if (person?.role !== 'admin') throw new AppError('persona_no_existe')
  return person
}

/** Refuses to disable the last admin who can sign in. */
export function requireAnotherAdmin(admins: Person[], id: string): void {
  const other = admins.some((admin) => admin.id !== id && admin.active && isActivated(admin))
  if (!other) throw new AppError('ultimo_administrador')
}

/** Whether the hour of a link is over. */
export const hasExpired = (link: Pick<Link, 'expiresAt'>, now: Date): boolean =>
  link.expiresAt !== null && now >= link.expiresAt

/** Judges a link that is about to be used: true if it is too old, 410 `enlace_gastado` if it was used or replaced. */
export function decideExpired(link: Link | undefined, now: Date): boolean {
  if (!link || hasExpired(link, now)) return true
  if (link.spentAt || link.endedAt) throw new AppError('enlace_gastado')
  return false
}

/** The person whose password a link sets, and the address from then on; the first admin has none before. */
export function decidePassword(
  person: Person | undefined,
  admins: Person[],
  wanted: string | undefined,
): { person: Person; email: string | null } {
  if (!person?.active) throw new AppError('enlace_gastado')
  const email = person.email ?? wanted ?? null
  if (person.email === null && email !== null && adminAt(admins, email)) throw new AppError('ya_existe')
  return { person, email }
}

/** The client whose new address a link confirms. */
export function decideConfirmed<C extends { state: string }>(
  client: C | null | undefined,
  link: Pick<Link, 'email'>,
): { client: C; email: string } {
  if (!client || client.state === 'eliminando' || link.email === null) throw new AppError('enlace_gastado')
  return { client, email: link.email }
}
