/** What people read, in both of the panel's languages. */
export type Words = { es: string; en: string }

/** What a program told, which is the same in any language. */
export const verbatim = (text: string): Words => ({ es: text, en: text })

/** The words of one language; an earlier version of the panel kept one text for all. */
export const wordsIn = (words: Words | string, language: 'es' | 'en'): string =>
  typeof words === 'string' ? words : words[language]
