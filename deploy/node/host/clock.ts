import { readFileSync } from 'node:fs'

/** The system's clock; with a test clock, moved by the seconds that its file says, read at every call. */
export function clock(testFile: string | null): () => Date {
  if (testFile === null) return () => new Date()
  return () => new Date(Date.now() + 1000 * offsetOf(testFile))
}

function offsetOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').trim()) || 0
  } catch {
    return 0
  }
}
