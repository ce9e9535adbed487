/** The longer it was waited for, the later it is looked again: a look is a request, and costs both sides some. */
const [FIRST_MS, LATEST_MS] = [20, 150]

/** Polls a condition until it gives something; fails with its name after twenty seconds. */
export async function eventually<T>(
  look: () => Promise<T | null | false>,
  what: string,
  ms = 20_000,
): Promise<T> {
  const begun = Date.now()
  while (Date.now() < begun + ms) {
    const found = await look()
    if (found !== null && found !== false) return found
    const pause = Math.min(FIRST_MS + (Date.now() - begun) / 20, LATEST_MS)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  throw new Error(`waited in vain for ${what}`)
}
