import { eq, isNotNull, or } from 'drizzle-orm'
import type { Services } from '../../../lib/endpoint/context.ts'
import { resealCredentials } from '../../../lib/mirror/account.ts'
import { resealDestinations, resealRepositories } from '../../../lib/secrets/copies.ts'
import type { KeyRing } from '../../../lib/secrets/keys.ts'
import { missingKeys } from '../../../lib/secrets/sealed.ts'
import { recoveryPlace } from '../../../lib/sign-in/recovery-codes.ts'
import { totpPlace } from '../../../lib/sign-in/sessions.ts'
import type { Tx } from '../../../lib/store/database.ts'
import { counted } from '../../../lib/text/words.ts'
import { resealWebhooks } from '../../../lib/webhooks/secret.ts'
import { persons } from '../../../schema/tables.ts'
import { keepNewestKey, withNewKey, writeKeyRing } from '../keyring.ts'
import { createRuntime } from '../runtime.ts'
import { keysAdvice, keysMissingFrom } from './missing-keys.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/**
 * `panel claves rotar`: a new key seals everything that the older ones did; they are forgotten after the
 * last link that they signed is over, at the next rotation. A running panel goes on with the new one at once.
 */
export async function keys(given: Given, output: Output): Promise<void> {
  const runtime = await createRuntime(process.env)
  const { services, config } = runtime
  if (config.keys) throw new UsageError('the key ring is in PANEL_KEYS: put a new key first there')
  const { id, sealed } = await services.db.write(async (tx) => {
    const missing = await keysMissingFrom(config, tx)
    if (missing.length > 0) throw new UsageError(keysAdvice(missing, config))
    return rotate(tx, services, config.keyFile)
  })
  if (given.has('--olvidar')) await keepNewestKey(config.keyFile)
  await runtime.close()
  output.line({ clave: id, sellados: sealed }, [`New key ${id}; ${counted(sealed, 'secret')} sealed anew.`])
}

/**
 * The file is read and written under the database's write lock, so that two rotations cannot drop each other's key;
 * and written last, so that one which fails leaves it as it was. From then on a running panel may seal under the new
 * key: only a commit that fails leaves that key in the ring, where it does no harm.
 */
async function rotate(tx: Tx, services: Services, file: string): Promise<{ id: string; sealed: number }> {
  const { ring, text } = await withNewKey(file)
  const sealed = await reseal(tx, services, ring)
  const id = ring.currentId
  const others = await missingKeys(tx, { has: (key) => key === id })
  if (others.length > 0) throw new Error(`something is still sealed under ${others.join(', ')}`)
  writeKeyRing(file, text)
  return { id, sealed }
}

async function reseal(tx: Tx, { keys: old, random }: Services, ring: KeyRing): Promise<number> {
  const { totpSecret, totpPending, recoveryKey } = persons
  const rows = await tx
    .select()
    .from(persons)
    .where(or(isNotNull(totpSecret), isNotNull(totpPending), isNotNull(recoveryKey)))
  for (const { id, totpSecret, totpPending, recoveryKey } of rows) {
    const again = async (place: string, sealed: string | null) =>
      sealed && ring.seal(place, await old.open(place, sealed), random)
    const set = {
      totpSecret: await again(totpPlace(id), totpSecret),
      totpPending: await again(totpPlace(id), totpPending),
      recoveryKey: await again(recoveryPlace(id), recoveryKey),
    }
    tx.later(tx.update(persons).set(set).where(eq(persons.id, id)))
  }
  const others = [
    await resealCredentials(tx, old, ring, random),
    await resealDestinations(tx, { old, ring, random }),
    await resealRepositories(tx, { old, ring, random }),
    await resealWebhooks(tx, { old, ring, random }),
  ]
  return others.reduce((sum, one) => sum + one, rows.length)
}
