import { createStore } from '../api/store.ts'

export type Language = 'es' | 'en'

const KEY = 'panel.idioma'

/** The language of the screens: the person's own choice, else the browser's first that is ours. */
export const language = createStore<Language>(initial())

type Texts = Record<string, string | ((...values: never[]) => string)>

/** The texts of an area, each read in the language of the screens. Both languages have the same keys. */
export const inLanguage = <T extends Texts>(texts: Record<Language, T>): Readonly<T> =>
  new Proxy(texts.en, { get: (_, key: string) => texts[language.get()][key] })

/** A text for the modules of web/text, whose tables have both languages side by side. */
export const t = (en: string, es: string): string => (language.get() === 'es' ? es : en)

/** Switches the language and remembers it. */
export function chooseLanguage(next: Language): void {
  remember(KEY, next)
  document.documentElement.lang = next
  language.set(next)
}

/** The language of who has signed in by hand, on a browser on which nobody has chosen one. */
export function adoptLanguage(own: Language): void {
  if (remembered(KEY) === null) chooseLanguage(own)
}

/** Local storage holds choices of taste only, and a browser may refuse it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Private windows may forbid storage: the choice then lasts as long as the page.
  }
}

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function initial(): Language {
  const chosen = remembered(KEY)
  if (chosen === 'es' || chosen === 'en') return chosen
  for (const tag of navigator.languages) {
    const primary = tag.slice(0, 2).toLowerCase()
    if (primary === 'es' || primary === 'en') return primary
  }
  return 'en'
}
