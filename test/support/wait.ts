/** Polls a condition until it gives something; fails with its name after twenty seconds. */
export async function eventually<T>(
  look: () => Promise<T | null | false>,
  what: string,
  ms = 20_000,
): Promise<T> {
  const deadline = Date.now() + ms
  while (Date.now() < deadline) {
    const found = await look()
    if (found !== null && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`waited in vain for ${what}`)
}
