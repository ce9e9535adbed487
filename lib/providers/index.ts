import { cloudflare } from './cloudflare.ts'
import { desec } from './desec.ts'
import { hetzner } from './hetzner.ts'
import { powerdns } from './powerdns.ts'
import type { ProviderDriver } from './types.ts'

/** Every provider that zones can be mirrored to. CONTRIBUTING.md tells what a further one takes. */
export const PROVIDERS: readonly ProviderDriver[] = [powerdns, cloudflare, desec, hetzner]

/** The driver of a kind, or null. */
export function providerDriver(kind: string): ProviderDriver | null {
  return PROVIDERS.find((driver) => driver.kind === kind) ?? null
}
