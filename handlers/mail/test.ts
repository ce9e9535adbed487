import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Actor } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { named, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { enqueueMail } from '../../lib/mail/queue.ts'
import { callerOf } from '../../lib/store/charge.ts'
import { chargeOne, usedOf, waitFor } from '../../lib/store/counters.ts'
import type { Db } from '../../lib/store/database.ts'
import { tokens } from '../../schema/tables.ts'

const TESTS_PER_HOUR = 10

export default handler({
  method: 'POST',
  path: '/correo/prueba',
  access: allow('token', 'admin'),
  summary: "Send a test mail to the caller's own address",
  description:
    "To nobody else: a token's is the address of the admin who made it. `GET /resumen` tells whether the mail server took it. At most ten an hour by each caller.",
  output: named(
    'CorreoDePrueba',
    'A test mail that is on its way.',
    v.strictObject({ enviado_a: told(v.string(), 'The address.', 'ana@ejemplo.es') }),
  ),
  statuses: [202],
  async run(ctx) {
    const { tx, actor, request } = ctx
    const now = ctx.now()
    const tests = { name: `correo-prueba:${callerOf(actor)}`, limit: TESTS_PER_HOUR, windowSeconds: 3600 }
    const [to, used] = await Promise.all([addressOf(tx, actor), usedOf(tx, tests, now)])
    if (to === null) throw new AppError('prohibido')
    const retryAfterSeconds = waitFor(tests, used, now)
    if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
    tx.later(chargeOne(tx, tests, now))
    enqueueMail(tx, ctx, { kind: 'prueba', to, language: request.language })
    ctx.work.wake()
    return accepted({ enviado_a: to })
  },
})

/** A token's mail goes to who made it. */
async function addressOf(db: Db, actor: Actor): Promise<string | null> {
  if (actor.kind === 'session') return actor.email
  if (actor.kind !== 'token') return null
  const row = await db
    .select({ email: tokens.creatorEmail })
    .from(tokens)
    .where(eq(tokens.id, actor.id))
    .get()
  return row?.email ?? null
}
