/** A text for people in both of the panel's languages. */
export type Words = { es: string; en: string }

/** The text in one language; an earlier version of the panel stored one text for both. */
export const wordsIn = (words: Words | string, language: 'es' | 'en'): string =>
  typeof words === 'string' ? words : words[language]

/** A number with its noun: `1 token`, `2 tokens`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
