import { eq, isNotNull, or } from 'drizzle-orm'
import type { Services } from '../../../lib/context.ts'
import type { KeyRing } from '../../../lib/keys.ts'
import { resealCredentials } from '../../../lib/mirror/account.ts'
import { recoveryPlace } from '../../../lib/recovery-codes.ts'
import { totpPlace } from '../../../lib/sessions.ts'
import { persons } from '../../../schema/tables.ts'
import { addKey, keepNewestKey } from '../files.ts'
import { createRuntime } from '../runtime.ts'
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
  const ring = await addKey(config.keyFile)
  const sealed = await reseal(services, services.keys, ring)
  if (given.has('--olvidar')) await keepNewestKey(config.keyFile)
  await runtime.close()
  output.line({ clave: ring.currentId, sellados: sealed }, [
    `New key ${ring.currentId}; ${sealed} secrets sealed anew.`,
  ])
}

async function reseal(services: Services, old: KeyRing, ring: KeyRing): Promise<number> {
  return services.db.write(async (tx) => {
    const rows = await tx
      .select()
      .from(persons)
      .where(
        or(
          ...[persons.totpSecret, persons.totpPending, persons.recoveryKey].map((column) =>
            isNotNull(column),
          ),
        ),
      )
    for (const { id, totpSecret, totpPending, recoveryKey } of rows) {
      const again = async (place: string, sealed: string | null) =>
        sealed && ring.seal(place, await old.open(place, sealed), services.random)
      const set = {
        totpSecret: await again(totpPlace(id), totpSecret),
        totpPending: await again(totpPlace(id), totpPending),
        recoveryKey: await again(recoveryPlace(id), recoveryKey),
      }
      await tx.update(persons).set(set).where(eq(persons.id, id))
    }
    return rows.length + (await resealCredentials(tx, old, ring, services.random))
  })
}
