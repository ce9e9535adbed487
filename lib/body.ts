import { AppError } from './errors.ts'

/** Largest body that is read, in bytes (contract section 1, "Bodies"). */
export const MAX_BODY_BYTES = 256 * 1024
const MAX_DEPTH = 20

/** One JSON value and nothing after it, at most 20 levels deep; anything else is 400 `json_invalido`. */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new AppError('json_invalido')
  }
  if (depthOf(value) > MAX_DEPTH) throw new AppError('json_invalido')
  return value
}

/** Refuses a media type other than the expected one; parameters (charset) are ignored. */
export function requireMediaType(contentType: string | null, expected: string): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== expected) throw new AppError('tipo_no_admitido')
}

/** Iterative, so that a hostile depth cannot exhaust the stack; stops one level past the limit. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  let depth = 0
  while (level.length > 0 && depth <= MAX_DEPTH) {
    const next: unknown[] = []
    for (const item of level) if (typeof item === 'object' && item !== null) next.push(...Object.values(item))
    if (!level.some((item) => typeof item === 'object' && item !== null)) break
    level = next
    depth++
  }
  return depth
}
