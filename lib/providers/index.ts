import { cloudflare } from './cloudflare.ts'
import { desec } from './desec.ts'
import { hetzner } from './hetzner.ts'
import { powerdns } from './powerdns.ts'
import type { ProviderKind } from './types.ts'

/** Every provider that zones can be mirrored to. CONTRIBUTING.md tells what a further one takes. */
export const PROVIDERS: readonly ProviderKind[] = [powerdns, cloudflare, desec, hetzner]

/** The driver of a kind, or null. */
export function providerKind(kind: string): ProviderKind | null {
  return PROVIDERS.find((driver) => driver.kind === kind) ?? null
}
