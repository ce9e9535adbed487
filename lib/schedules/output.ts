/** How much of a run's output is kept. */
const KEPT_BYTES = 65_536

/** The end of a program's output, as text, however long the output is. */
export async function lastText(stream: ReadableStream<Uint8Array>): Promise<string> {
  let kept = new Uint8Array(0)
  for await (const part of stream) {
    const whole = new Uint8Array(Math.min(kept.length + part.length, 2 * KEPT_BYTES))
    const fresh = part.subarray(-KEPT_BYTES)
    const old = kept.subarray(Math.max(0, kept.length + fresh.length - KEPT_BYTES))
    whole.set(old)
    whole.set(fresh, old.length)
    kept = whole.subarray(0, old.length + fresh.length)
  }
  // Does not start within a character, and drops what could not be stored.
  let start = 0
  while (start < 4 && ((kept[start] ?? 0) & 0xc0) === 0x80) start += 1
  return new TextDecoder().decode(kept.subarray(start)).replaceAll('\0', '\u{fffd}')
}
