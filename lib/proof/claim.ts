import { isCustomer } from '../endpoint/access.ts'
import type { Actor, ReadCtx, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { readNow } from '../store/reading.ts'
import { speaksFor } from '../text/host-names.ts'
import { type Answers, askResolvers } from './ask.ts'
import { decideClaim, topmost } from './decide.ts'
import { type Proof, unasked } from './decide-proven.ts'
import { heldAbove } from './held.ts'

/** How many unproven names of one request are asked about; each takes several queries to other people's servers. */
const MOST_ASKED = 20
/** How many requests of one client per minute may ask about names that may already be proven. */
const ASKS_PER_MINUTE = 100

type Asked = { names: readonly string[]; site?: string }

/**
 * Asks the resolvers about the names that a customer adds, even those that it may have already; `decideProven` judges
 * the answers in the transaction. `site` is the site that the names are added to.
 */
export async function askProof(services: Services, ctx: ReadCtx, asked: Asked): Promise<Proof> {
  return { ...unasked(ctx.keys, isCustomer(ctx.actor)), told: await answersFor(services, ctx.actor, asked) }
}

async function answersFor(services: Services, actor: Actor, { names, site }: Asked): Promise<Answers> {
  if (!isCustomer(actor)) return new Map()
  const clientId = actor.client?.id ?? -1
  const above = topmost(names).filter((name) => site === undefined || !speaksFor(site, name))
  if (above.length === 0) return new Map()
  const { limits, now } = services
  const asks = { name: `prueba:${clientId}`, limit: ASKS_PER_MINUTE, windowSeconds: 60 }
  const { allowed, resetSeconds } = limits.charge(asks, now())
  if (allowed && above.length <= MOST_ASKED) return askResolvers(services.resolvers, above)
  // Here one more query to the database saves questions to the resolvers.
  const open = await notHeld(services, clientId, above)
  if (!allowed && open.length > 0) throw new AppError('espera', { retryAfterSeconds: resetSeconds })
  return askResolvers(services.resolvers, open.slice(0, MOST_ASKED))
}

async function notHeld({ db }: Services, clientId: number, names: string[]): Promise<string[]> {
  const held = await readNow(db.read, heldAbove(db.read, clientId, names))
  return decideClaim({ names, held, shown: [] }).open
}
