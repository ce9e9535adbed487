import { and, eq } from 'drizzle-orm'
import { idempotency } from '../../schema/tables.ts'
import { sha256 } from '../secrets/hash.ts'
import type { KeyRing } from '../secrets/keys.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Answer } from './handler.ts'

/** How many hours a key gets the same answer (contract section 1, "Repeating"). */
export const IDEMPOTENCY_HOURS = 24

export type IdempotentRequest = { owner: string; key: string; route: string; bodyHash: Uint8Array }

/**
 * Identifies a request by its `Idempotency-Key`: null without the header, an error unless it has 1 to 64 visible
 * characters. The body is hashed under a key, since it may hold the caller's password, which could be guessed from a
 * bare hash. After the key ring was rotated, a repeat is refused rather than done twice.
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
 * The first answer to this key, if there is one, read in the transaction of the change. Transactions are serialised,
 * so of two equal requests at once the second finds what the first committed.
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

/** Stores the answer: in the transaction of the change, and again once its jobs have ended. */
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
