import { eq } from 'drizzle-orm'
import { clients, persons, sessions } from '../../schema/tables.ts'
import type { RunCtx, Services } from '../endpoint/context.ts'
import { cookieNamed, setCookie } from '../endpoint/cookies.ts'
import { AppError } from '../endpoint/errors.ts'
import { sameHash } from '../identity/bearer.ts'
import { decodeBase62, encodeBase62 } from '../secrets/base62.ts'
import { sha256 } from '../secrets/hash.ts'

/** The renewal cookie lives a working day, counted from the last renewal. */
export const RENEWAL_MS = 12 * 3_600_000
const COOKIE = '__Host-panel'
/**
 * For this long the previous cookie is still accepted: an answer may have been lost, or another tab may have renewed.
 */
const GRACE_MS = 60_000
const FAMILY_DIGITS = 22
const SECRET_DIGITS = 43

/**
 * A renewal cookie has a half that stays, by which the session is found, and a half that each renewal replaces. If an
 * old second half comes back, somebody has copied it; who cannot be known, so the session ends (RFC 9700 section
 * 4.14.2).
 */
type Halves = { family: Uint8Array; secret: Uint8Array }

/** A new cookie, and the columns of the session's row that belong to it. */
export function newRenewal(random: Services['random']) {
  const halves = { family: random(16), secret: random(32) }
  return {
    row: { renewalHash: sha256(halves.family), renewalSecret: sha256(halves.secret) },
    header: cookie(textOf(halves)),
  }
}

/** The session that a request's cookie belongs to and its person; 401 where there is none that is open. */
export async function sessionOfCookie(ctx: RunCtx) {
  const halves = halvesIn(ctx.request.headers.get('cookie'))
  const row =
    halves &&
    (await ctx.tx
      .select({ session: sessions, person: persons, client: clients.name })
      .from(sessions)
      .innerJoin(persons, eq(persons.id, sessions.personId))
      .leftJoin(clients, eq(clients.id, persons.clientId))
      .where(eq(sessions.renewalHash, sha256(halves.family)))
      .get())
  if (!halves || !row?.session.renewalSecret) throw new AppError('credencial_invalida')
  if (row.session.endedAt || !row.person.active) throw new AppError('sesion_terminada')
  if (ctx.now() >= row.session.expiresAt) throw new AppError('sesion_caducada')
  return { ...row, halves }
}

/**
 * The columns that a renewal changes in the session's row, and the next cookie; null if the given cookie was replaced
 * too long ago. The next half is derived from the one before, so that two tabs that renew at once get the same.
 */
export function renewed(
  { keys, now }: Pick<Services, 'keys' | 'now'>,
  session: typeof sessions.$inferSelect,
  { family, secret }: Halves,
) {
  const next = keys.mac(keys.currentId, 'renewal', encodeBase62(secret, SECRET_DIGITS))
  const header = cookie(textOf({ family, secret: next }))
  const at = now()
  const expiresAt = new Date(at.getTime() + RENEWAL_MS)
  const given = sha256(secret)
  if (isSame(session.renewalSecret, given)) {
    return {
      header,
      row: { renewalSecret: sha256(next), renewalReplaced: given, renewedAt: at, expiresAt },
    }
  }
  const age = Math.abs(at.getTime() - session.renewedAt.getTime())
  const again = age < GRACE_MS && isSame(session.renewalReplaced, given)
  return again && isSame(session.renewalSecret, sha256(next)) ? { header, row: { expiresAt } } : null
}

const isSame = (stored: Uint8Array | null, given: Uint8Array) => stored !== null && sameHash(stored, given)

const textOf = ({ family, secret }: Halves) =>
  encodeBase62(family, FAMILY_DIGITS) + encodeBase62(secret, SECRET_DIGITS)

const cookie = (value: string) => setCookie(COOKIE, value, RENEWAL_MS / 1000)
export const noCookie = setCookie(COOKIE, '', 0)

function halvesIn(header: string | null): Halves | null {
  const value = cookieNamed(COOKIE, header)
  if (!/^[0-9A-Za-z]{65}$/.test(value)) return null
  const family = decodeBase62(value.slice(0, FAMILY_DIGITS), 16)
  const secret = decodeBase62(value.slice(FAMILY_DIGITS), 32)
  return family && secret && { family, secret }
}
