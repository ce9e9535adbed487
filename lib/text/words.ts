/** What people read, in both of the panel's languages. */
export type Words = { es: string; en: string }

/** The words of one language; an earlier version of the panel kept one text for all. */
export const wordsIn = (words: Words | string, language: 'es' | 'en'): string =>
  typeof words === 'string' ? words : words[language]

/** A number with its noun: `1 token`, `2 tokens`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
