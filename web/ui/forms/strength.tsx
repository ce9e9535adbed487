import { texts } from './texts.ts'

/**
 * A rough measure of how long a guess would take: characters that bring something new, by the size of
 * the sets they come from. It advises; what is refused, the API decides (docs/api.md, "Signing in").
 */
function strengthOf(password: string): { score: 0 | 1 | 2 | 3 | 4; bits: number } {
  const characters = [...password]
  const sets = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((set) => set.test(password)).length
  const alphabet = [0, 26, 44, 58, 80][sets] ?? 80
  const fresh = characters.filter((character, index) => !follows(characters, character, index)).length
  const bits = fresh * Math.log2(Math.max(2, alphabet)) * (new Set(characters).size < 6 ? 0.5 : 1)
  if (characters.length < 12) return { score: characters.length === 0 ? 0 : 1, bits }
  return { score: bits < 50 ? 2 : bits < 75 ? 3 : 4, bits }
}

/** A repeated or counted-on character (`aaa`, `1234`) adds next to nothing. */
function follows(characters: string[], character: string, index: number): boolean {
  const before = characters[index - 1]
  if (before === undefined) return false
  const step = (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)
  return step === 0 || step === 1 || step === -1
}

/** The strength of a password as four bars and a word. */
export function Strength({ password }: { password: string }) {
  const { score } = strengthOf(password)
  const words = [texts.notYetAPassword, texts.tooShort, texts.weak, texts.good, texts.strong]
  return (
    <div className={`strength strength-${score}`}>
      <span aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <i key={step} className={step <= score ? 'on' : ''} />
        ))}
      </span>
      <span role="status">
        {texts.strength}: {words[score]}
      </span>
    </div>
  )
}
