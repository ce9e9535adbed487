import { and, eq } from 'drizzle-orm'
import { idempotency } from '../../schema/tables.ts'
import { sha256 } from '../secrets/hash.ts'
import type { KeyRing } from '../secrets/keys.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Answer } from './handler.ts'

/** Hours for which a key answers again (contract section 1, "Repeating"). */
export const IDEMPOTENCY_HOURS = 24

export type IdempotentRequest = { owner: string; key: string; route: string; bodyHash: Uint8Array }

/**
 * The header as a request's identity; null when absent, an error when it is not 1 to 64 visible characters.
 * A body may hold the caller's password, and a bare hash of it could be guessed at: it is keyed. A rotation
 * of the key ring so turns a repeat into a refusal, never into a second effect.
 */
export function idempotentRequest(
  header: string | null,
  keys: KeyRing,
  actor: Actor,
  route: string,
  body: Uint8Array,
): IdempotentRequest | null {
  if (header === null) return null
  if (!/^[\x21-\x7e]{1,64}$/.test(header)) throw new AppError('clave_no_admitida')
  const owner = actor.kind === 'token' ? actor.id : actor.kind === 'session' ? actor.personId : 'anonymous'
  return { owner, key: header, route, bodyHash: keys.mac(keys.currentId, 'idempotency', sha256(body).join()) }
}

/**
 * Inside the effect's own transaction: the first answer, when this key has one. Transactions are
 * serialised, so of two equal requests at once the second finds what the first committed.
 */
export async function replay(tx: Db, request: IdempotentRequest, now: Date): Promise<Answer | null> {
  const row = await tx.select().from(idempotency).where(keyOf(request)).get()
  if (!row) return null
  if (now.getTime() - row.createdAt.getTime() > IDEMPOTENCY_HOURS * 3_600_000) return null
  const same = row.route === request.route && equal(row.bodyHash, request.bodyHash)
  if (!same) throw new AppError('clave_de_idempotencia_en_uso')
  const headers = { ...row.headers, 'idempotency-replayed': 'true' }
  return { status: row.status, body: JSON.parse(row.body), headers }
}

/** Keeps the answer; called in the effect's transaction and again once the work has settled. */
export function keep(tx: Tx, request: IdempotentRequest, answer: Answer, now: Date): void {
  const { status, headers } = answer
  const values = { ...request, status, headers, body: JSON.stringify(answer.body), createdAt: now }
  tx.later(
    tx
      .insert(idempotency)
      .values(values)
      .onConflictDoUpdate({ target: [idempotency.owner, idempotency.key], set: values }),
  )
}

const keyOf = (request: IdempotentRequest) =>
  and(eq(idempotency.owner, request.owner), eq(idempotency.key, request.key))

const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i])
