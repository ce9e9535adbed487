import { and, asc, eq, sql } from 'drizzle-orm'
import { clients, persons } from '../../schema/tables.ts'
import type { ReadCtx, Services } from '../endpoint/context.ts'
import type { Person } from '../identity/decide.ts'
import { emailKey } from '../text/email-address.ts'
import { signInCounts } from './guesses.ts'
import { checkPassword } from './passwords.ts'

/** How many customers' logins of one e-mail address are tried with a password. */
const MAX_LOGINS = 10
/** One more, for the admin's. */
const MAX_CANDIDATES = 1 + MAX_LOGINS
/** The longest time that a refusal is held back, in milliseconds. */
const MAX_EVEN_MS = 2000

/** A login under an address, and the client that it belongs to; null for an admin's. */
export type Candidate = { person: Person; client: string | null }

/** While strangers have to wait, a known browser lets in only the persons who have signed in there. */
export async function candidatesAt(
  { limits, now }: Services,
  { personId, email, address }: { personId: string; email: string; address: string },
  all: Candidate[],
): Promise<Candidate[]> {
  const names = signInCounts(email, { address, device: null }).map(({ name }) => name)
  const locked = (await limits.lockedSeconds(names, now())) > 0
  return locked ? all.filter(({ person }) => person.id === personId) : all
}

/** An admin's login first, so that no number of customers under its address hides it. */
export async function candidatesFor(
  ctx: ReadCtx,
  email: string,
  client: string | undefined,
): Promise<Candidate[]> {
  const rows = await ctx.tx
    .select({ person: persons, client: clients.name })
    .from(persons)
    .leftJoin(clients, eq(clients.id, persons.clientId))
    .where(
      and(
        eq(sql`lower(${persons.email})`, emailKey(email)),
        eq(persons.active, true),
        sql`${persons.passwordHash} is not null`,
        client === undefined ? undefined : eq(clients.name, client),
      ),
    )
    .orderBy(asc(persons.role), persons.id)
    .limit(MAX_CANDIDATES)
  return rows
}

/**
 * The candidates that the password fits. Where it fits none, the answer comes once as many checks could have been
 * made as there can be candidates, by the time that the first one took: so the time tells, on a busy machine too,
 * neither whether there was a candidate nor how many.
 */
export async function fittingOf(
  services: Services,
  candidates: Candidate[],
  password: string,
): Promise<Candidate[]> {
  const beganMs = performance.now()
  const [first, ...others] = candidates
  const fitting: Candidate[] = []
  const check = async (candidate: Candidate | undefined) => {
    const right = await checkPassword(services, candidate?.person.passwordHash ?? null, password)
    if (right && candidate) fitting.push(candidate)
  }
  await check(first)
  const evenMs = Math.min(MAX_EVEN_MS, MAX_CANDIDATES * (performance.now() - beganMs))
  for (const candidate of others) await check(candidate)
  if (fitting.length === 0) await wait(beganMs + evenMs - performance.now())
  return fitting
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
