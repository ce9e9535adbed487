import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
import signIn from '../../handlers/access/sign-in.ts'
import type { ReadCtx, Services } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { authenticate } from '../../lib/sign-in/authenticate.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { sessionCounts } from '../../lib/sign-in/guesses.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'
import { clients, persons } from '../../schema/tables.ts'
import { partly } from '../support/partly.ts'
import { seedAdmin } from '../support/seed.ts'
import { testServices } from '../usage/store.ts'

const PASSWORD = 'una frase larga y rara 7'

let base: Awaited<ReturnType<typeof testServices>>
let services: Services
let id: string
let bearer: string

beforeEach(async () => {
  base = await testServices()
  const keys = parseKeyRing(newKeyLine(base.services.random))
  services = { ...base.services, keys, passwords: argon2Passwords() }
  ;({ id, bearer } = await seedAdmin(services.db, keys, await services.passwords.hash(PASSWORD)))
})
afterEach(() => base.close())

/** Gives the right password, and lets something happen between its check and the change that it allows. */
async function afterItsCheck(meanwhile: () => Promise<void>, hash?: string) {
  // What a handler is given of a request; these two read no more of it.
  const ctx = partly<ReadCtx>({
    ...services,
    passwords: {
      ...services.passwords,
      async verify(...given: [string | null, string]) {
        const right = await services.passwords.verify(...given)
        await meanwhile()
        return right
      },
    },
    tx: services.db.read,
    actor: await authenticate(services, bearer, '192.0.2.1'),
  })
  try {
    const identity = await reauthenticate(ctx, PASSWORD)
    expect(identity.right).toBe(true)
    await services.db.write(async (tx) => {
      if (hash) await tx.update(persons).set({ passwordHash: hash }).where(eq(persons.id, id))
    })
    const facts = await services.db.write((tx) => callerFacts({ ...ctx, tx }))
    const refusal = wrongPassword(identity, facts)
    return refusal?.error?.codigo ?? null
  } catch (error) {
    return error instanceof AppError ? error.codigo : error
  }
}

const nothing = async () => {}

test('a right password is let through', async () => {
  expect(await afterItsCheck(nothing)).toBe(null)
})

test('a right password among many guesses is refused once those beside it were counted', async () => {
  const actor = await authenticate(services, bearer, '192.0.2.1')
  const counts = sessionCounts(actor.kind === 'session' ? actor.id : '')
  const guesses = async () => {
    for (let i = 0; i < 6; i++) await services.limits.strike(counts, services.now())
  }
  expect(await afterItsCheck(guesses)).toBe('espera')
})

test('a password that was changed meanwhile is no longer the right one', async () => {
  expect(await afterItsCheck(nothing, 'another')).toBe('contrasena_incorrecta')
})

test('a wrong password takes as long for an address that ten customers and an admin share as for an unknown one', async () => {
  await services.db.write(async (tx) => {
    for (let i = 1; i <= 10; i++) {
      const client = { name: `c${i}`, node: 'nodo1', state: 'activo' as const, createdBy: 'token' as const }
      const times = { createdAt: base.clock.now, updatedAt: base.clock.now }
      await tx.insert(clients).values({ id: i, ...client, ...times, language: 'es' })
      await tx.insert(persons).values({
        id: `per_${i}`,
        role: 'client',
        email: 'admin@host.net',
        language: 'es',
        clientId: i,
        active: true,
        passwordHash: 'another',
        createdAt: base.clock.now,
      })
    }
  })
  const asked = { hashes: 0 }
  const slow = partly<ReadCtx>({
    ...services,
    passwords: {
      ...services.passwords,
      async verify() {
        asked.hashes++
        await Bun.sleep(100)
        return false
      },
    },
    tx: services.db.read,
    request: { address: '192.0.2.1', headers: new Headers() },
  })
  const took = async (correo: string) => {
    asked.hashes = 0
    const beganMs = performance.now()
    await signIn.prepare?.(slow, { params: {}, query: {}, body: { correo, contrasena: 'x' } }, slow)
    return { ms: performance.now() - beganMs, hashes: asked.hashes }
  }
  const [shared, unknown] = [await took('admin@host.net'), await took('nadie@host.net')]
  expect([shared.hashes, unknown.hashes]).toEqual([11, 1])
  expect(shared.ms / unknown.ms).toBeWithin(0.6, 1.6)
})
