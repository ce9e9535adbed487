import { eq, inArray } from 'drizzle-orm'
import { clients, persons } from '../schema/tables.ts'
import type { Client } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { linkWaitSeconds } from './link-requests.ts'
import { createLink, endLinks, type Link } from './links.ts'
import type { Person } from './logins.ts'
import { queueMail } from './mail.ts'

/** Changes the recovery address of a client and of its login at once. The old and the new address are told. */
export function changeEmail(
  ctx: WriteCtx,
  client: Pick<Client, 'id' | 'name' | 'email' | 'language'>,
  loginId: string | undefined,
  email: string,
): void {
  ctx.tx.later(
    ctx.tx.update(clients).set({ email, updatedAt: ctx.now() }).where(eq(clients.id, client.id)),
    ctx.tx.update(persons).set({ email }).where(eq(persons.clientId, client.id)),
  )
  if (loginId !== undefined) endLinks(ctx.tx, ctx, [loginId], 'anulado')
  const payload = { cliente: client.name, antes: client.email ?? '—', ahora: email }
  for (const to of new Set([client.email, email])) {
    const mail = { kind: 'correo_cambiado' as const, language: client.language, payload, client: client.name }
    if (to) queueMail(ctx.tx, ctx, { ...mail, to })
  }
  ctx.work.wake()
}

/**
 * A customer's own wish for another address: it counts once its link has been spent, so that nobody signs in under
 * an address that is somebody else's. 429 where the account was sent a link too lately.
 */
export async function askForEmail(
  ctx: WriteCtx,
  client: Client,
  login: Person,
  email: string,
): Promise<void> {
  const retryAfterSeconds = await linkWaitSeconds(ctx.tx, login.id, ctx.now(), 'address')
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
  const linkId = createLink(ctx.tx, ctx, login.id, 'correo', null, email)
  const mail = {
    language: login.language,
    payload: { cliente: client.name, ahora: email },
    client: client.name,
  }
  queueMail(ctx.tx, ctx, { ...mail, kind: 'confirmar_correo', to: email, linkId })
  if (client.email) queueMail(ctx.tx, ctx, { ...mail, kind: 'correo_pedido', to: client.email })
  ctx.work.wake()
}

/** Puts the address in force that a spent link confirmed. */
export async function confirmEmail(ctx: WriteCtx, link: Pick<Link, 'email' | 'personId'>): Promise<void> {
  const theirs = ctx.tx.select({ id: persons.clientId }).from(persons).where(eq(persons.id, link.personId))
  const client = await ctx.tx.select().from(clients).where(inArray(clients.id, theirs)).get()
  if (!client || client.state === 'eliminando' || link.email === null) throw new AppError('enlace_gastado')
  ctx.audit.client = client.name
  changeEmail(ctx, client, link.personId, link.email)
}
