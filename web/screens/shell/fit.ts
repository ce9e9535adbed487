/** Above every fit: a word is not in the text at all. */
export const NO_FIT = 1000

/**
 * How well typed words fit a text, 0 being best: each as the beginning of a word, else as a part of the text, else as
 * letters that follow one another in it with gaps, as one types in a hurry.
 */
export function fitOf(text: string, typed: readonly string[]): number {
  return typed.reduce((sum, word) => Math.min(NO_FIT, sum + fitOfWord(text, word)), 0)
}

const PART = 10
const GAPS = 20

function fitOfWord(text: string, word: string): number {
  if (text.split(/\s+/).some((one) => one.startsWith(word))) return 0
  if (text.includes(word)) return PART
  let [at, gaps] = [-1, 0]
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return NO_FIT
    if (at >= 0 && next > at + 1) gaps++
    at = next
  }
  // Letters that are merely somewhere in a text say nothing.
  return gaps > word.length / 2 ? NO_FIT : GAPS + gaps
}

/** Without case and accents, as one types in a hurry. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
