import { and, count, eq, sql } from 'drizzle-orm'
import { idempotency } from '../../schema/tables.ts'
import { sha256 } from '../secrets/hash.ts'
import type { KeyRing } from '../secrets/keys.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { isCustomer } from './access.ts'
import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Answer } from './handler.ts'

/** How many hours a key gets the same answer (docs/api.md, "Repeating a request"). */
export const IDEMPOTENCY_HOURS = 24

/** Longer answers are kept as far as an owner's newest are no more than this together. */
const SHORT_BYTES = 4096
const KEPT_BYTES = 2 * 1024 * 1024
/** How many keys an owner has in these hours. */
const MOST_KEYS = { customer: 5_000, other: 50_000 }
const FULL_SECONDS = 3600
/** Stands for a long answer that gave way to newer ones: what was asked for is known to be done. */
const FORGOTTEN = ''

type Known = { owner: string; key: string; route: string; bodyHash: Uint8Array }
export type IdempotentRequest = Known & { mostKeys: number }

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
  const bodyHash = keys.mac(keys.currentId, 'idempotency', sha256(body).join())
  const mostKeys = isCustomer(actor) ? MOST_KEYS.customer : MOST_KEYS.other
  return { owner, key: header, route: shortened(route), bodyHash, mostKeys }
}

/** A route may be as long as an address; a long one is only compared. */
const shortened = (route: string) => (route.length <= 300 ? route : `sha256:${sha256(route).join()}`)

/**
 * The first answer to this key, if there is one, read in the transaction of the change. Transactions are serialised,
 * so of two equal requests at once the second finds what the first committed. 429 for a new key of an owner who has as
 * many as are kept: forgetting one could do twice what it stands for.
 */
export async function replay(tx: Db, request: IdempotentRequest, now: Date): Promise<Answer | null> {
  // One query: outside of a transaction each is a round trip.
  const held = tx
    .select({ keys: count().as('keys') })
    .from(idempotency)
    .where(eq(idempotency.owner, request.owner))
    .as('held')
  const found = await tx
    .select({ keys: held.keys, row: idempotency })
    .from(held)
    .leftJoin(idempotency, keyOf(request))
    .get()
  const row = found?.row ?? null
  if (row === null) {
    if ((found?.keys ?? 0) < request.mostKeys) return null
    throw new AppError('espera', { retryAfterSeconds: FULL_SECONDS })
  }
  if (now.getTime() - row.createdAt.getTime() > IDEMPOTENCY_HOURS * 3_600_000) return null
  const same = row.route === request.route && equal(row.bodyHash, request.bodyHash)
  if (!same) throw new AppError('clave_de_idempotencia_en_uso')
  if (row.body === FORGOTTEN) throw new AppError('respuesta_olvidada')
  const headers = { ...row.headers, 'idempotency-replayed': 'true' }
  return { status: row.status, body: JSON.parse(row.body), headers }
}

/** Stores the answer: in the transaction of the change, and again once its jobs have ended. */
export function keep(tx: Tx, { mostKeys: _, ...known }: IdempotentRequest, answer: Answer, now: Date): void {
  const { status, headers } = answer
  const values = { ...known, status, headers, body: JSON.stringify(answer.body), createdAt: now }
  tx.later(
    tx
      .insert(idempotency)
      .values(values)
      .onConflictDoUpdate({ target: [idempotency.owner, idempotency.key], set: values }),
  )
  if (new TextEncoder().encode(values.body).length > SHORT_BYTES) tx.later(forgetOldest(tx, known.owner))
}

/** Forgets the owner's long answers that are older than its newest that are kept. */
function forgetOldest(tx: Tx, owner: string): Query {
  const beyond = sql`(select key from (
    select key, sum(octet_length(body)) over (order by created_at desc, key) as together
    from idempotency where owner = ${owner} and octet_length(body) > ${SHORT_BYTES}
  ) where together > ${KEPT_BYTES})`
  return tx
    .update(idempotency)
    .set({ body: FORGOTTEN })
    .where(and(eq(idempotency.owner, owner), sql`${idempotency.key} in ${beyond}`))
}

const keyOf = (request: IdempotentRequest) =>
  and(eq(idempotency.owner, request.owner), eq(idempotency.key, request.key))

const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i])
