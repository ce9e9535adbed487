import { and, desc, eq, inArray, isNull, ne, type SQLWrapper } from 'drizzle-orm'
import { links, mails, persons } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { decodeBase62 } from '../secrets/base62.ts'
import { sha256 } from '../secrets/hash.ts'
import { linkBytes } from '../secrets/links.ts'
import type { Db, Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import { type Reading, reading } from '../store/reading.ts'
import { hasExpired, type Link } from './decide.ts'

export type LinkPurpose = Link['purpose']

type LinkServices = Pick<Services, 'now' | 'random' | 'keys' | 'config'>

export type NewLink = {
  personId: string
  purpose: LinkPurpose
  /** Left out for a mailed link, whose hour begins when the mail is handed over. */
  expiresAt?: Date
  /** The address that a link of purpose `correo` confirms. */
  email?: string
  /** Anybody can ask for this link, without signing in. */
  anyone?: boolean
}

/**
 * Creates a link for a person and ends the older ones of any purpose, since each would set the same password. A link
 * of purpose `correo` sets none, and ends only others of that purpose. Returns its id.
 */
export function enqueueLink(
  tx: Tx,
  services: LinkServices,
  { personId, purpose, expiresAt, email, anyone = false }: NewLink,
): string {
  const id = `enl_${ulid(services.now(), services.random)}`
  const keyId = services.keys.currentId
  endLinks(tx, services, { personId, why: 'sustituido', purpose: purpose === 'correo' ? purpose : undefined })
  tx.later(
    tx.insert(links).values({
      id,
      purpose,
      personId,
      hash: sha256(linkBytes(services, { id, keyId })),
      keyId,
      email: email ?? null,
      anyone,
      createdAt: services.now(),
      expiresAt: expiresAt ?? null,
    }),
  )
  return id
}

/** Ends all open links of a person, or those of one purpose, and the queued mails that would carry them. */
export function endLinks(
  tx: Tx,
  services: Pick<Services, 'now'>,
  {
    personId,
    why,
    purpose,
  }: { personId: string; why: 'sustituido' | 'anulado'; purpose?: LinkPurpose | undefined },
): void {
  const wanted = and(
    eq(links.personId, personId),
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
 * A link by its secret: 404 if unknown, 410 `enlace_gastado` if used or replaced, 410 `enlace_caducado` if too old.
 * That is final: a clock that is set back does not revive it. Does not use the link up; called outside a transaction.
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

/** Marks a link as expired for good, so that a clock that is set back does not revive it. */
export function expireLink(tx: Tx, services: Pick<Services, 'now'>, link: Pick<Link, 'id'>): void {
  tx.later(
    tx
      .update(links)
      .set({ endedAt: services.now(), endedWhy: 'caducado' })
      .where(and(eq(links.id, link.id), isNull(links.spentAt), isNull(links.endedAt))),
  )
}

/** A link by its id, as it is now. */
export const linkById = (db: Db, id: string): Promise<Link | undefined> =>
  db.select().from(links).where(eq(links.id, id)).get()

/** Uses up a link that was found open in this transaction: of several requests at once, only one finds it open. */
export function spendLink(tx: Tx, services: Pick<Services, 'now'>, link: Pick<Link, 'id'>): void {
  tx.later(tx.update(links).set({ spentAt: services.now() }).where(eq(links.id, link.id)))
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
