import { and, eq, gte, isNull } from 'drizzle-orm'
import { persons, tokens } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import { enqueueMails, type Recipient } from '../mail/queue.ts'
import type { Db } from '../store/database.ts'
import { bearerHint } from './bearer.ts'
import type { TokenView } from './shapes.ts'

export type Token = typeof tokens.$inferSelect

/** The token as it is returned: never its value or hash. */
export function tokenView(row: Token, now: Date): TokenView {
  const today = now.toISOString().slice(0, 10)
  return {
    id: row.id,
    nombre: row.name,
    pista: bearerHint(row.publicId),
    estado: row.revokedAt ? 'revocado' : today > row.expiresOn ? 'caducado' : 'valido',
    caduca: row.expiresOn,
    creador: row.creatorEmail,
    creado: wireTime(row.createdAt),
    ultimo_uso: row.lastUsedAt ? { cuando: wireTime(row.lastUsedAt), desde: row.lastUsedFrom ?? '' } : null,
    revocado: wireTime(row.revokedAt),
  }
}

/** A token that would still be accepted today. */
export const liveTokens = (now: Date) =>
  and(isNull(tokens.revokedAt), gte(tokens.expiresOn, now.toISOString().slice(0, 10)))

/** The facts for revoking all tokens of an admin: the tokens, and whom to tell. */
export type RevocationFacts = { dying: { name: string; creator: string }[]; admins: Recipient[] }

export async function revocationFacts(db: Db, creatorId: string, now: Date): Promise<RevocationFacts> {
  const columns = { name: tokens.name, creator: tokens.creatorEmail }
  const [dying, admins] = await Promise.all([
    db
      .select(columns)
      .from(tokens)
      .where(and(eq(tokens.creatorId, creatorId), liveTokens(now))),
    activeAdmins(db),
  ])
  return { dying, admins }
}

/**
 * Revokes, in the same transaction, every token of an admin whose password or factor was changed or reset, or who was
 * disabled (specification 5.1.8), and tells all active admins which.
 */
export function enqueueRevocation(
  ctx: WriteCtx,
  creatorId: string,
  { dying, admins, why }: RevocationFacts & { why: string },
): void {
  const [first] = dying
  if (!first) return
  const { tx } = ctx
  tx.later(
    tx
      .update(tokens)
      .set({ revokedAt: ctx.now(), revokedWhy: why })
      .where(and(eq(tokens.creatorId, creatorId), liveTokens(ctx.now()))),
  )
  const payload = { creador: first.creator, tokens: dying.map(({ name }) => name).join(', ') }
  enqueueMails(tx, ctx, { kind: 'tokens_revocados', payload, to: admins })
  ctx.work.wake()
}

/** The admins to whom mails that concern all of them go. */
export function activeAdmins(db: Db) {
  return db
    .select({ email: persons.email, language: persons.language, country: persons.country })
    .from(persons)
    .where(and(eq(persons.role, 'admin'), eq(persons.active, true)))
}
