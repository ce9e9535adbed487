import { and, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { ReadCtx, Services } from '../../lib/context.ts'
import { emailKey } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { countFailure, lockedSeconds } from '../../lib/factors.ts'
import { cliente, contrasena, correo } from '../../lib/fields.ts'
import { handler, ok, open, refused } from '../../lib/handler.ts'
import { findPerson, type Person } from '../../lib/logins.ts'
import { checkPassword } from '../../lib/passwords.ts'
import { nextStep } from '../../lib/sessions.ts'
import { stepShape } from '../../lib/shapes.ts'
import { clients, persons } from '../../schema/tables.ts'

/** Logins under one address whose passwords are tried, at most. */
const MAX_LOGINS = 10
/** Wrong passwords a minute for an address, known or not, before guesses at it have to wait. */
const GUESSES = 6

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
  async prepare(services, { body }, ctx) {
    const retryAfterSeconds = await services.limits.lockedSeconds(
      guessesOf(body.correo),
      GUESSES,
      services.now(),
    )
    if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
    const candidates = await candidatesFor(ctx, body.correo, body.cliente)
    const fitting = await fittingOf(services, candidates, body.contrasena)
    if (fitting.length === 0) await services.limits.strike(guessesOf(body.correo), GUESSES, services.now())
    return { candidates, fitting }
  },
  async run(ctx, _input, { candidates, fitting }) {
    if (fitting.length === 0) {
      for (const { person } of candidates) {
        if (lockedSeconds(person, ctx.now()) === 0) countFailure(ctx.tx, person, ctx.now())
      }
      return refused(new AppError('credenciales_incorrectas'))
    }
    // The list can name clients only, so an admin's own login is taken before them; they are reached by name.
    const only =
      fitting.find(({ client }) => client === null) ?? (fitting.length === 1 ? fitting[0] : undefined)
    if (!only) return ok({ paso: 'elegir' as const, clientes: fitting.map(({ client }) => client ?? '') })
    const person = await findPerson(ctx.tx, only.person.id)
    // Guesses beside this one may have locked it meanwhile.
    const known = person && person.passwordHash === only.person.passwordHash
    if (!known || lockedSeconds(person, ctx.now()) > 0) throw new AppError('credenciales_incorrectas')
    ctx.audit.target = person.id
    return ok(await nextStep(ctx, person))
  },
})

const guessesOf = (email: string) => `entrar:${emailKey(email)}`

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
    .orderBy(persons.id)
    .limit(MAX_LOGINS)
  return rows
}

/**
 * Every candidate is checked, and one that does not exist where there is none: the cost tells nothing.
 * An account that is locked in the database answers as for a wrong password: 429 would tell that it exists.
 */
async function fittingOf(
  services: Services,
  candidates: Candidate[],
  password: string,
): Promise<Candidate[]> {
  const fitting: Candidate[] = []
  if (candidates.length === 0) await checkPassword(services, null, password)
  for (const candidate of candidates) {
    const right = await checkPassword(services, candidate.person.passwordHash, password)
    if (right && lockedSeconds(candidate.person, services.now()) === 0) fitting.push(candidate)
  }
  return fitting
}
