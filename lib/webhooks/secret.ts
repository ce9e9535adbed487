import { eq } from 'drizzle-orm'
import { webhooks } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { webhookPlace } from '../secrets/sealed.ts'
import { Secret } from '../secrets/secret.ts'
import type { Tx } from '../store/database.ts'
import { waitsUntil } from '../work/clock.ts'
import type { Webhook } from './rows.ts'
import { newSecret } from './sign.ts'

/** How long a replaced secret still signs beside the new one. */
export const OVERLAP_MS = 24 * 3_600_000

/** A secret to be shown once, and its sealed form to be stored. */
export type SealedSecret = { secret: Secret; sealed: string }

export async function sealedSecret({ keys, random }: Services, id: string): Promise<SealedSecret> {
  const secret = newSecret(random)
  return { secret, sealed: await keys.seal(webhookPlace(id), secret.reveal(), random) }
}

/** The end of the time in which the replaced secret signs too; null if there is none any more. */
export const overlapEnd = ({ replacedUntil }: Pick<Webhook, 'replacedUntil'>, now: Date): Date | null =>
  waitsUntil(replacedUntil, now, OVERLAP_MS)

/** The secrets that sign now, the newest first. */
export async function openSecrets({ keys }: Services, webhook: Webhook, now: Date): Promise<Secret[]> {
  const replaced = overlapEnd(webhook, now) === null ? null : webhook.replacedSecret
  const open = async (text: string) => new Secret(await keys.open(webhookPlace(webhook.id), text))
  const [secret, before] = await Promise.all([
    open(webhook.secret),
    // A secret whose key is lost must not keep the new one from signing.
    replaced === null ? null : open(replaced).catch(() => null),
  ])
  return before === null ? [secret] : [secret, before]
}

/** Seals all webhooks' secrets anew, under the ring's current key; answers how many. */
export async function resealWebhooks(
  tx: Tx,
  { old, ring, random }: { old: KeyRing; ring: KeyRing; random: Services['random'] },
): Promise<number> {
  const rows = await tx.select().from(webhooks)
  for (const { id, secret, replacedSecret } of rows) {
    const place = webhookPlace(id)
    const again = async (text: string) => ring.seal(place, await old.open(place, text), random)
    const set = {
      secret: await again(secret),
      replacedSecret: replacedSecret && (await again(replacedSecret)),
    }
    tx.later(tx.update(webhooks).set(set).where(eq(webhooks.id, id)))
  }
  return rows.length
}
