/** What people read, in both of the panel's languages. */
export type Words = { es: string; en: string }

/** The words of one language; an earlier version of the panel kept one text for all. */
export const wordsIn = (words: Words | string, language: 'es' | 'en'): string =>
  typeof words === 'string' ? words : words[language]
