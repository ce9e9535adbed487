import type { PanelConfig } from '../endpoint/context.ts'
import { isNewer, type Known, type Release } from './decide.ts'

/** A version that is newer than this one; null where none is known. */
export const releaseView = (known: Known | null, { version: current }: Pick<PanelConfig, 'version'>) =>
  known === null || !isNewer(known.version, current)
    ? null
    : { version: known.version, actual: current, url: known.url, comprobado: known.checkedAt }

/** What the mail about it tells. */
export const releasePayload = ({ version }: Release, { version: current, host }: PanelConfig) => ({
  version,
  actual: current,
  host,
})
