import { remember, remembered } from '../text/language.ts'
import { call } from './client.ts'
import type { OutputOf } from './operations.ts'
import { createStore } from './store.ts'

export type Appearance = OutputOf<'GET /acceso/apariencia'>

const KEY = 'panel.apariencia'
/** Visitors ask so often at most: until then the screens are as they were, from the first moment on. */
const FRESH_MS = 600_000
const PLAIN: Appearance = { nombre: null, color: null, soporte: null, logo: null, icono: null }

type Kept = { at: number; appearance: Appearance }

/** How the operator shows the panel, as it was last told. */
export const appearance = createStore<Appearance>(kept()?.appearance ?? PLAIN)

/** The name that stands on every page. */
export const nameOf = ({ nombre }: Appearance): string => nombre ?? 'Panel'

export const imagePath = (image: 'logo' | 'icono', version: string): string =>
  `/acceso/apariencia/${image}?version=${encodeURIComponent(version)}`

export function keepAppearance(told: Appearance): void {
  remember(KEY, JSON.stringify({ at: Date.now(), appearance: told } satisfies Kept))
  appearance.set(told)
}

/** Asks how the panel is shown, unless that was told lately. Without an answer it stays as it was. */
export async function renewAppearance(): Promise<void> {
  const before = kept()
  if (before && Date.now() - before.at < FRESH_MS) return
  await call('GET /acceso/apariencia', {}).then(keepAppearance, () => undefined)
}

function kept(): Kept | null {
  try {
    // Only `keepAppearance` writes it.
    const found = JSON.parse(remembered(KEY) ?? 'null') as Kept | null
    return found && typeof found.at === 'number'
      ? { ...found, appearance: { ...PLAIN, ...found.appearance } }
      : null
  } catch {
    return null
  }
}
