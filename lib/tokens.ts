import { and, eq, gte, inArray, isNull } from 'drizzle-orm'
import { persons, tokens } from '../schema/tables.ts'
import { bearerHint } from './bearer.ts'
import type { Services } from './context.ts'
import type { Tx } from './database.ts'
import { queueMail } from './mail.ts'
import { wireTime } from './page.ts'
import type { TokenView } from './shapes.ts'

export type Token = typeof tokens.$inferSelect

/** The token as it is returned: never its value or hash (contract section 2). */
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

/**
 * Revokes every token of an admin whose password or factor changed or was reset, or who was disabled
 * (specification 5.1.8), in that very transaction, and tells all active admins which.
 */
export async function revokeTokensOf(
  tx: Tx,
  services: Services,
  creatorIds: string[],
  why: string,
): Promise<void> {
  if (creatorIds.length === 0) return
  const dying = await tokensDying(tx, services, creatorIds)
  const [first] = dying
  if (!first) return
  const set = { revokedAt: services.now(), revokedWhy: why }
  tx.later(tx.update(tokens).set(set).where(liveOf(services, creatorIds)))
  const payload = { creador: first.creator, tokens: dying.map(({ name }) => name).join(', ') }
  await mailAdmins(tx, services, 'tokens_revocados', payload)
}

/** The tokens that `revokeTokensOf` would end. */
export function tokensDying(tx: Tx, services: Pick<Services, 'now'>, creatorIds: string[]) {
  const columns = { name: tokens.name, creator: tokens.creatorEmail }
  return tx.select(columns).from(tokens).where(liveOf(services, creatorIds))
}

const liveOf = (services: Pick<Services, 'now'>, creatorIds: string[]) =>
  and(inArray(tokens.creatorId, creatorIds), liveTokens(services.now()))

/** Every admin who is told of what concerns all. */
export function activeAdmins(tx: Tx) {
  return tx
    .select({ email: persons.email, language: persons.language })
    .from(persons)
    .where(and(eq(persons.role, 'admin'), eq(persons.active, true)))
}

/** Queues one mail to every active admin with an address. */
export async function mailAdmins(
  tx: Tx,
  services: Services,
  kind: Parameters<typeof queueMail>[2]['kind'],
  payload: Record<string, string>,
): Promise<void> {
  for (const { email, language } of await activeAdmins(tx)) {
    if (email) queueMail(tx, services, { kind, to: email, language, payload })
  }
  services.work.wake()
}
