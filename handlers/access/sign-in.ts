import { and, asc, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { ReadCtx, Services } from '../../lib/context.ts'
import { knownDevice } from '../../lib/devices.ts'
import { emailKey } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, contrasena, correo } from '../../lib/fields.ts'
import { guess, requireNoLock, signInCounts } from '../../lib/guesses.ts'
import { handler, ok, open, refused } from '../../lib/handler.ts'
import { findPerson, type Person } from '../../lib/logins.ts'
import { checkPassword } from '../../lib/passwords.ts'
import { nextStep } from '../../lib/sessions.ts'
import { stepShape } from '../../lib/shapes.ts'
import { clients, persons } from '../../schema/tables.ts'

/** Customers' logins under one address whose passwords are tried, at most. */
const MAX_LOGINS = 10
/** With the admin's. */
const MAX_CANDIDATES = 1 + MAX_LOGINS
/** No refusal is held back for longer, in milliseconds. */
const MAX_EVEN_MS = 2000

type Candidate = { person: Person; client: string | null }

export default handler({
  method: 'POST',
  path: '/entrar',
  access: open(),
  summary: 'Sign in with address and password',
  description: 'One answer and one cost for unknown, disabled, password-less and wrong.',
  body: v.strictObject({ correo, contrasena, cliente: v.optional(cliente) }),
  output: stepShape,
  secret: true,
  errors: ['credenciales_incorrectas'],
  async prepare(services, { body }, ctx) {
    const candidates = await candidatesFor(ctx, body.correo, body.cliente)
    const ids = candidates.map(({ person }) => person.id)
    const { address, headers } = ctx.request
    const device = knownDevice(services, headers.get('cookie'), ids)
    const counts = signInCounts(body.correo, { address, device })
    let fitting: Candidate[] = []
    await guess(services, counts, async () => {
      fitting = await fittingOf(services, candidates, body.contrasena)
      return fitting.length > 0
    })
    return { fitting, counts }
  },
  async run(ctx, _input, { fitting, counts }) {
    if (fitting.length === 0) return refused(new AppError('credenciales_incorrectas'))
    // The list can name clients only, so an admin's own login is taken before them; they are reached by name.
    const only =
      fitting.find(({ client }) => client === null) ?? (fitting.length === 1 ? fitting[0] : undefined)
    const [person] = await Promise.all([
      findPerson(ctx.tx, only?.person.id ?? ''),
      requireNoLock(ctx, counts, ctx.tx),
    ])
    if (!only) return ok({ paso: 'elegir' as const, clientes: fitting.map(({ client }) => client ?? '') })
    if (person?.passwordHash !== only.person.passwordHash) throw new AppError('credenciales_incorrectas')
    ctx.audit.target = person.id
    return ok(await nextStep(ctx, person))
  },
})

/** An admin's login first, so that no number of customers under its address hides it. */
async function candidatesFor(ctx: ReadCtx, email: string, client: string | undefined): Promise<Candidate[]> {
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
 * The candidates that the password fits. Where it fits none, the answer comes once as many could have been checked as
 * there ever are: the time that the first took tells how long, so it tells on a busy machine too how many there were
 * as little as whether there was one.
 */
async function fittingOf(
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
