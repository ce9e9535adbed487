import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { argon2Passwords } from '../../deploy/node/passwords.ts'
import { authenticate } from '../../lib/authenticate.ts'
import type { Services, WriteCtx } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { newKeyLine, parseKeyRing } from '../../lib/keys.ts'
import { findPerson } from '../../lib/logins.ts'
import { reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { persons } from '../../schema/tables.ts'
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
async function afterItsCheck(meanwhile: Partial<typeof persons.$inferInsert>) {
  // What a handler is given of a request; these two read no more of it.
  const ctx = {
    ...services,
    tx: services.db.read,
    actor: await authenticate(services, bearer, '192.0.2.1'),
  } as unknown as WriteCtx
  const identity = await reauthenticate(ctx, PASSWORD)
  expect(identity.right).toBe(true)
  await services.db.write(async (tx) => {
    await tx.update(persons).set(meanwhile).where(eq(persons.id, id))
  })
  const refusal = await services.db
    .write((tx) => wrongPassword({ ...ctx, tx }, identity))
    .catch((error) => (error instanceof AppError ? error.codigo : error))
  return { refusal, failures: (await findPerson(services.db.read, id))?.failures }
}

test('a right password is let through', async () => {
  expect(await afterItsCheck({ failures: 3 })).toEqual({ refusal: null, failures: 3 })
})

test('a right password among many guesses is refused once those beside it have locked the account', async () => {
  const lockedUntil = new Date(base.clock.now.getTime() + 30_000)
  expect(await afterItsCheck({ failures: 5, lockedUntil })).toEqual({ refusal: 'espera', failures: 5 })
})

test('a password that was changed meanwhile is no longer the right one, and is counted', async () => {
  const { refusal, failures } = await afterItsCheck({ passwordHash: 'another' })
  expect(refusal).toMatchObject({ error: { codigo: 'contrasena_incorrecta' } })
  expect(failures).toBe(1)
})
