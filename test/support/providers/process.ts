/** Waits for a condition, at most ten seconds. */
export async function until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const endsAt = performance.now() + 10_000
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return
    if (performance.now() > endsAt) throw new Error(`timed out: ${what}`)
    await Bun.sleep(10)
  }
}
