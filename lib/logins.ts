import { and, eq, inArray, sql } from 'drizzle-orm'
import { clients, persons, sessions } from '../schema/tables.ts'
import { type Client, clientToChange } from './clients.ts'
import type { Actor, Ctx, Services, WriteCtx } from './context.ts'
import type { Db, Tx } from './database.ts'
import { emailKey } from './email.ts'
import { AppError } from './errors.ts'
import { ulid } from './ids.ts'
import { createLink, endLinks, hasExpired, type Latest, latestLink } from './links.ts'
import { queueMail } from './mail.ts'
import { wireTime } from './page.ts'
import { both, mapped, type Reading, reading } from './reading.ts'
import type { LoginView } from './shapes.ts'

export type Person = typeof persons.$inferSelect

/**
 * Creates the client's login, without a password, and queues the activation mail (specification 5.3).
 * A token may do so only for an account that a token created. The address becomes the recovery address.
 */
export async function createLogin(
  ctx: WriteCtx,
  client: Client,
  login: { correo: string; idioma?: 'es' | 'en' | undefined },
): Promise<void> {
  if (ctx.actor.kind === 'token' && client.createdBy !== 'token') throw new AppError('solo_cuentas_de_token')
  if (await loginOf(ctx.tx, client)) throw new AppError('acceso_ya_existe')
  if (client.email !== null && emailKey(client.email) !== emailKey(login.correo)) {
    throw new AppError('correo_distinto')
  }
  const language = login.idioma ?? client.language
  const id = `per_${ulid(ctx.now(), ctx.random)}`
  ctx.tx.later(
    ctx.tx.insert(persons).values({
      id,
      role: 'client',
      email: login.correo,
      language,
      clientId: client.id,
      active: true,
      createdAt: ctx.now(),
    }),
    ctx.tx
      .update(clients)
      .set({ email: login.correo, updatedAt: ctx.now() })
      .where(eq(clients.id, client.id)),
  )
  sendLink(ctx.tx, ctx, { id, email: login.correo, language }, 'activar', client.name)
}

/** Queues a fresh link for a customer: to activate a login without factor, to reset any other. */
export function sendLink(
  tx: Tx,
  services: Services,
  person: { id: string; email: string; language: 'es' | 'en' },
  purpose: 'activar' | 'restablecer',
  clientName: string,
): void {
  const linkId = createLink(tx, services, person.id, purpose, null)
  const kind = purpose === 'activar' ? 'activacion' : 'restablecer'
  const payload = { cliente: clientName }
  queueMail(tx, services, {
    kind,
    to: person.email,
    language: person.language,
    payload,
    linkId,
    client: clientName,
  })
  services.work.wake()
}

/** The login of a client, if it has one. */
export async function loginOf(db: Db, client: { id: number }): Promise<Person | undefined> {
  return db.select().from(persons).where(eq(persons.clientId, client.id)).get()
}

/** Asks at once for the client that the path names, for its login, and for what is read beside them. */
export function askForLogin(
  ctx: WriteCtx,
  name: string,
  ...beside: (() => Promise<unknown>)[]
): Promise<void> {
  const id = ctx.tx.foresee<number>(
    ctx.tx.select({ id: clients.id }).from(clients).where(eq(clients.name, name)),
  )
  return ctx.tx.ahead(
    () => clientToChange(ctx, name),
    () => loginOf(ctx.tx, { id }),
    ...beside,
  )
}

/** Whether a login has been activated: a password was chosen and a factor enrolled. */
export const isActivated = (person: Person) => person.passwordHash !== null && person.totpSecret !== null

/** The login of a client as it is returned (contract section 2); null where it has none. */
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

/** Ends every session of these persons, those that admins opened on their accounts included. */
export function endSessions(
  tx: Tx,
  services: Pick<Services, 'now'>,
  personIds: string[],
  except?: string,
): void {
  if (personIds.length === 0) return
  const theirs = sql`(${inArray(sessions.personId, personIds)} or ${inArray(sessions.impersonatorId, personIds)})`
  const others = except ? sql`${sessions.id} <> ${except}` : sql`1`
  tx.later(
    tx
      .update(sessions)
      .set({ endedAt: services.now() })
      .where(and(theirs, others, sql`${sessions.endedAt} is null`)),
  )
}

/** Ends links and sessions of a client's login: it was suspended or is being deleted. */
export async function shutOutLogin(
  ctx: WriteCtx,
  client: Client,
  also: { sessions: boolean },
): Promise<void> {
  const person = await loginOf(ctx.tx, client)
  if (!person) return
  endLinks(ctx.tx, ctx, [person.id], 'anulado')
  if (also.sessions) endSessions(ctx.tx, ctx, [person.id])
}

/** The person behind a session; tokens and schedulers have none. */
export async function personOf(ctx: Ctx): Promise<Person> {
  const person = ctx.actor.kind === 'session' && (await findPerson(ctx.tx, ctx.actor.personId))
  if (!person) throw new AppError('prohibido')
  return person
}

/** A person by id. */
export async function findPerson(db: Db, id: string): Promise<Person | undefined> {
  return db.select().from(persons).where(eq(persons.id, id)).get()
}

/** The session id of an actor that has one. */
export const sessionIdOf = (actor: Actor) => (actor.kind === 'session' ? actor.id : null)

/** The same where there must be one. */
export function requiredLogin(db: Db, name: string, now: Date): Reading<LoginView> {
  return mapped(loginReading(db, name, now), (view) => {
    if (!view) throw new AppError('acceso_no_existe')
    return view
  })
}
