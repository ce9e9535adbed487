const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The first chunk: its length (13), its name and what it holds (PNG specification, sections 5.2 and 11.2.1). */
const HEAD = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
const LEAST_BYTES = 33

/** The size of a PNG in pixels as its head says; null for anything else. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < LEAST_BYTES) return null
  if (![...SIGNATURE, ...HEAD].every((byte, at) => bytes[at] === byte)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}
