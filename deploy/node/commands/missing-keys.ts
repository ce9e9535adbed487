import { type KeyRing, parseKeyRing } from '../../../lib/secrets/keys.ts'
import { missingKeys } from '../../../lib/secrets/sealed.ts'
import type { Db } from '../../../lib/store/database.ts'
import type { NodeConfig } from '../../config.ts'
import { readIfThere } from '../host/files.ts'

/** What to do about keys that the stored secrets need, in one line. */
export const keysAdvice = (ids: string[], { keys, keyFile }: NodeConfig): string =>
  `the key ring lacks ${ids.join(', ')}: second factors, recovery codes and DNS credentials sealed under it cannot be read. ${
    keys
      ? 'Add these lines of the original to PANEL_KEYS'
      : `Stop the panel, copy the key ring of the original (its data/keys) to ${keyFile}`
  }, and start the panel`

/** Keys that the key file lacks; reading it makes none. */
export async function keysMissingFrom(config: NodeConfig, db: Db): Promise<string[]> {
  const text = config.keys?.reveal() ?? (await readIfThere(config.keyFile))
  return missingKeys(db, text === null ? null : ringOf(text))
}

/** A ring that is damaged opens nothing; the start says what is wrong with it. */
function ringOf(text: string): KeyRing | null {
  try {
    return parseKeyRing(text)
  } catch {
    return null
  }
}
