import { and, eq, isNull, ne, or } from 'drizzle-orm'
import { clients, persons, sessions } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { Actor, RunCtx, Services, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import { enqueueMail } from '../mail/queue.ts'
import type { Db, Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import { both, mapped, type Reading, reading } from '../store/reading.ts'
import { hasExpired, isActivated, type Person } from './decide.ts'
import { enqueueLink, type Latest, latestLink } from './links.ts'
import type { LoginView } from './shapes.ts'

/** Writes a login, without a password, and its activation mail. The address becomes the recovery address. */
export function enqueueLogin(
  ctx: WriteCtx,
  client: Client,
  { email, language = client.language }: { email: string; language: 'es' | 'en' | undefined },
): void {
  const { tx } = ctx
  const now = ctx.now()
  const id = `per_${ulid(now, ctx.random)}`
  const row = { id, role: 'client' as const, email, language, clientId: client.id, active: true }
  tx.later(
    tx.insert(persons).values({ ...row, createdAt: now }),
    tx.update(clients).set({ email, updatedAt: now }).where(eq(clients.id, client.id)),
  )
  sendLink(tx, ctx, { person: { id, email, language }, purpose: 'activar', client: client.name })
}

/** `anyone`: a person can ask for this link without being signed in. */
type LinkMail = {
  person: { id: string; email: string; language: 'es' | 'en' }
  purpose: 'activar' | 'restablecer'
  client: string
  anyone?: boolean
}

/** Queues a new link for a customer: to activate a login without a factor, or to reset any other. */
export function sendLink(
  tx: Tx,
  services: Pick<Services, 'now' | 'random' | 'keys' | 'config' | 'work'>,
  { person, purpose, client, anyone = false }: LinkMail,
): void {
  const linkId = enqueueLink(tx, services, { personId: person.id, purpose, anyone })
  const kind = purpose === 'activar' ? 'activacion' : 'restablecer'
  const payload = { cliente: client }
  enqueueMail(tx, services, {
    kind,
    to: person.email,
    language: person.language,
    payload,
    linkId,
    client,
  })
  services.work.wake()
}

/** A client that may be changed here, and its login; both by one query. */
export async function clientWithLogin(
  ctx: WriteCtx,
  name: string,
): Promise<{ client: Client; login: Person | null } | undefined> {
  return ctx.tx
    .select({ client: clients, login: persons })
    .from(clients)
    .leftJoin(persons, eq(persons.clientId, clients.id))
    .where(and(eq(clients.name, name), visibleTo(ctx.actor)))
    .get()
}

/** The ids of a client's logins, for queries that run in the same round trip as the one for the client. */
export const loginIdsOf = (db: Db, name: string) =>
  db
    .select({ id: persons.id })
    .from(persons)
    .innerJoin(clients, eq(clients.id, persons.clientId))
    .where(eq(clients.name, name))

/** The login of a client as it is returned; null where it has none. */
export function loginReading(db: Db, name: string, now: Date): Reading<LoginView | null> {
  const login = db
    .select({ person: persons, client: clients.name })
    .from(persons)
    .innerJoin(clients, eq(clients.id, persons.clientId))
    .where(eq(clients.name, name))
  const ids = db.select({ id: clients.id }).from(clients).where(eq(clients.name, name))
  return mapped(
    both(
      reading(login, ([row]) => row),
      latestLink(db, ids),
    ),
    ([row, latest]) => (row ? loginView(row.person, row.client, latest, now) : null),
  )
}

function loginView(person: Person, client: string, latest: Latest | null, now: Date): LoginView {
  return {
    cliente: client,
    correo: person.email ?? '',
    rol: 'client',
    estado: isActivated(person) ? 'activo' : 'pendiente',
    segundo_factor: person.totpSecret !== null,
    enlace: latest ? { estado: linkState(latest, now), caduca: wireTime(latest.link.expiresAt) } : null,
    ultimo_acceso: wireTime(person.lastLoginAt),
  }
}

function linkState({ link, mail }: Latest, now: Date) {
  if (link.spentAt || link.endedWhy === 'sustituido' || link.endedWhy === 'anulado') return 'gastado' as const
  if (link.endedWhy === 'caducado' || hasExpired(link, now)) return 'caducado' as const
  if (mail?.state === 'enviado') return 'enviado' as const
  return mail?.state === 'fallido' ? ('fallido' as const) : ('en_cola' as const)
}

/** Ends every session of a person, those that it opened on others' accounts as an admin included. */
export function endSessions(
  tx: Tx,
  services: Pick<Services, 'now'>,
  { personId, except }: { personId: string; except?: string | null },
): void {
  const theirs = or(eq(sessions.personId, personId), eq(sessions.impersonatorId, personId))
  const others = except ? ne(sessions.id, except) : undefined
  tx.later(
    tx
      .update(sessions)
      .set({ endedAt: services.now() })
      .where(and(theirs, others, isNull(sessions.endedAt))),
  )
}

/** The person behind a session; tokens and schedulers have none. */
export async function personOf(ctx: RunCtx): Promise<Person> {
  const person = ctx.actor.kind === 'session' && (await findPerson(ctx.tx, ctx.actor.personId))
  if (!person) throw new AppError('prohibido')
  return person
}

/** The id of the person behind a session. */
export function personIdOf(actor: Actor): string {
  if (actor.kind !== 'session') throw new AppError('prohibido')
  return actor.personId
}

/** A person by id. */
export async function findPerson(db: Db, id: string): Promise<Person | undefined> {
  return db.select().from(persons).where(eq(persons.id, id)).get()
}

/** The session id of an actor that has one. */
export const sessionIdOf = (actor: Actor) => (actor.kind === 'session' ? actor.id : null)

/** The login of a client as it is returned; 404 `acceso_no_existe` where it has none. */
export function requiredLogin(db: Db, name: string, now: Date): Reading<LoginView> {
  return mapped(loginReading(db, name, now), (view) => {
    if (!view) throw new AppError('acceso_no_existe')
    return view
  })
}
