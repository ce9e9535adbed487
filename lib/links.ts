import { and, desc, eq, inArray, isNull, ne, type SQLWrapper } from 'drizzle-orm'
import { links, mails, persons } from '../schema/tables.ts'
import { decodeBase62, encodeBase62 } from './base62.ts'
import type { Services } from './context.ts'
import type { Db, Tx } from './database.ts'
import { AppError } from './errors.ts'
import { sha256 } from './hash.ts'
import { ulid } from './ids.ts'
import { type Reading, reading } from './reading.ts'
import { Secret } from './secret.ts'

export type Link = typeof links.$inferSelect
export type LinkPurpose = Link['purpose']

/** A link works for one hour from the first hand-over of its mail (specification 5.3). */
export const LINK_MS = 3_600_000

type LinkServices = Pick<Services, 'now' | 'random' | 'keys' | 'config'>

/**
 * Makes a link for a person and ends the older ones: of any purpose, since each would set the same
 * password. `expiresAt` is null for a mailed link, whose hour begins when the mail is handed over. A link
 * of purpose `correo` confirms the address `email` and sets no password: it ends only its like.
 */
export function createLink(
  tx: Tx,
  services: LinkServices,
  personId: string,
  purpose: LinkPurpose,
  expiresAt: Date | null,
  email: string | null = null,
): string {
  const id = `enl_${ulid(services.now(), services.random)}`
  const keyId = services.keys.currentId
  endLinks(tx, services, [personId], 'sustituido', purpose === 'correo' ? 'correo' : undefined)
  tx.later(
    tx.insert(links).values({
      id,
      purpose,
      personId,
      hash: sha256(linkBytes(services, { id, keyId })),
      keyId,
      email,
      createdAt: services.now(),
      expiresAt,
    }),
  )
  return id
}

/** The address that spends a link; its secret is in the fragment, which reaches no server and no log. */
export function linkUrl(
  services: Pick<Services, 'keys' | 'config'>,
  link: { id: string; keyId: string },
): Secret {
  return new Secret(`${services.config.origin}/enlace#${encodeBase62(linkBytes(services, link), 43)}`)
}

/** The same for a link that was made in this very transaction. */
export function newLinkUrl(services: Pick<Services, 'keys' | 'config'>, id: string): Secret {
  return linkUrl(services, { id, keyId: services.keys.currentId })
}

/** Ends every live link of these persons, or those of one purpose, and the mails that still wait to carry one. */
export function endLinks(
  tx: Tx,
  services: Pick<Services, 'now'>,
  personIds: string[],
  why: 'sustituido' | 'anulado',
  purpose?: LinkPurpose,
): void {
  if (personIds.length === 0) return
  const wanted = and(
    inArray(links.personId, personIds),
    purpose === undefined ? undefined : eq(links.purpose, purpose),
  )
  const live = and(wanted, isNull(links.spentAt), isNull(links.endedAt))
  const theirs = tx.select({ id: links.id }).from(links).where(wanted)
  tx.later(
    tx.update(links).set({ endedAt: services.now(), endedWhy: why }).where(live),
    tx
      .update(mails)
      .set({ state: 'anulado' })
      .where(and(inArray(mails.linkId, theirs), inArray(mails.state, ['en_cola', 'fallido']))),
  )
}

/**
 * A link by its secret: unknown is 404, used or replaced 410 `enlace_gastado`, too old 410
 * `enlace_caducado`, for good: a clock set back does not revive it. Consumes nothing; to be called
 * outside a transaction.
 */
export async function findLink(services: Pick<Services, 'now' | 'db'>, secret: string) {
  const bytes = /^[0-9A-Za-z]{43}$/.test(secret) ? decodeBase62(secret, 32) : null
  const row =
    bytes &&
    (await services.db.read
      .select({ link: links, person: persons })
      .from(links)
      .innerJoin(persons, eq(persons.id, links.personId))
      .where(eq(links.hash, sha256(bytes)))
      .get())
  if (!row) throw new AppError('enlace_no_existe')
  const { link, person } = row
  if (link.endedWhy === 'caducado') throw new AppError('enlace_caducado')
  if (link.spentAt || link.endedAt || !person.active) throw new AppError('enlace_gastado')
  if (hasExpired(link, services.now())) {
    await services.db.write(async (tx) => expireLink(tx, services, link))
    throw new AppError('enlace_caducado')
  }
  return row
}

/** Whether the hour of a link is over. */
export function hasExpired(link: Pick<Link, 'expiresAt'>, now: Date): boolean {
  return link.expiresAt !== null && now >= link.expiresAt
}

/** Marks a link as too old for good, so that a clock set back does not revive it. */
export function expireLink(tx: Tx, services: Pick<Services, 'now'>, link: Pick<Link, 'id'>): void {
  tx.later(
    tx
      .update(links)
      .set({ endedAt: services.now(), endedWhy: 'caducado' })
      .where(and(eq(links.id, link.id), isNull(links.spentAt), isNull(links.endedAt))),
  )
}

/** Spends a link in one conditional update: of several at once, one wins. */
export async function spendLink(tx: Tx, services: Pick<Services, 'now'>, link: Link): Promise<void> {
  const rows = await tx
    .update(links)
    .set({ spentAt: services.now() })
    .where(and(eq(links.id, link.id), isNull(links.spentAt), isNull(links.endedAt)))
    .returning({ id: links.id })
  if (rows.length === 0) throw new AppError('enlace_gastado')
}

/** A link with the state of the mail that carries it. */
export type Latest = { link: Link; mail: { state: (typeof mails.$inferSelect)['state'] } | null }

/** The newest link by which a client's login is reached, with its mail, for the state that an operator sees. */
export function latestLink(db: Db, clientIds: SQLWrapper): Reading<Latest | null> {
  const query = db
    .select({ link: links, mail: { state: mails.state } })
    .from(links)
    .innerJoin(persons, eq(persons.id, links.personId))
    .leftJoin(mails, eq(mails.linkId, links.id))
    .where(and(inArray(persons.clientId, clientIds), ne(links.purpose, 'correo')))
    .orderBy(desc(links.createdAt), desc(links.id))
    .limit(1)
  return reading(query, ([row]) => row ?? null)
}

/** The secret is an HMAC of the row's id under the key ring, so that no queued mail holds one. */
function linkBytes(services: Pick<Services, 'keys'>, link: { id: string; keyId: string }): Uint8Array {
  return services.keys.mac(link.keyId, 'link', link.id)
}
