import { eq } from 'drizzle-orm'
import { clients, persons } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { enqueueMail } from '../mail/queue.ts'
import type { Person } from './decide.ts'
import { endLinks, enqueueLink } from './links.ts'

/** A client whose address changes, and its login's id, if it has one. */
type Holder = { client: Pick<Client, 'id' | 'name' | 'email' | 'language'>; loginId: string | undefined }

/** Changes the recovery address of a client and of its login at once, and mails both addresses. */
export function enqueueEmail(ctx: WriteCtx, { client, loginId }: Holder, email: string): void {
  ctx.tx.later(
    ctx.tx.update(clients).set({ email, updatedAt: ctx.now() }).where(eq(clients.id, client.id)),
    ctx.tx.update(persons).set({ email }).where(eq(persons.clientId, client.id)),
  )
  if (loginId !== undefined) endLinks(ctx.tx, ctx, { personId: loginId, why: 'anulado' })
  const payload = { cliente: client.name, antes: client.email ?? '—', ahora: email }
  for (const to of new Set([client.email, email])) {
    const mail = { kind: 'correo_cambiado' as const, language: client.language, payload, client: client.name }
    if (to) enqueueMail(ctx.tx, ctx, { ...mail, to })
  }
  ctx.work.wake()
}

/**
 * A customer's request for a new address. It takes effect once the link mailed to that address has been used, so that
 * nobody signs in under somebody else's address.
 */
export function enqueueEmailWish(
  ctx: WriteCtx,
  { client, login }: { client: Client; login: Person },
  email: string,
): void {
  ctx.audit.outcome = 'pedido'
  const linkId = enqueueLink(ctx.tx, ctx, { personId: login.id, purpose: 'correo', email })
  const mail = {
    language: login.language,
    payload: { cliente: client.name, ahora: email },
    client: client.name,
  }
  enqueueMail(ctx.tx, ctx, { ...mail, kind: 'confirmar_correo', to: email, linkId })
  if (client.email) enqueueMail(ctx.tx, ctx, { ...mail, kind: 'correo_pedido', to: client.email })
  ctx.work.wake()
}
