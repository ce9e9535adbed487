import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeWhole } from '../host/files.ts'
import type { MariadbPlaces } from './config.ts'

/** As MySQL's `regexp_stack_limit`: some 27,000 turns of a group. */
const MATCH_KIBIBYTES = 8 * 1024
const MACHINES: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
}
/** PCRE2's bounds of a match as it was compiled, between which nothing stands: no offset's, then these. */
const [HEAP_KIBIBYTES, MATCHES, DEPTH] = [20_000_000, 10_000_000, 10_000_000]
const AT_HEAP = 8

export type BoundedPatterns = { path: string; content: Uint8Array; version: string }

/**
 * The system's library for regular expressions with another bound. A match may take 20 GB there, which neither the
 * server's limit of a session counts nor anything ends, and only a program that asks for less has less: MariaDB does
 * not. The server is started with a copy in which that one number is another. Null where the library is not as known.
 */
export function boundedPatterns({ directory }: Pick<MariadbPlaces, 'directory'>): BoundedPatterns | null {
  const source = `/usr/lib/${MACHINES[process.arch]}/libpcre2-8.so.0`
  const content = existsSync(source) ? withBound(readFileSync(source)) : null
  if (content === null) return null
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { path: `${directory}/libpcre2-8.so.0`, content, version }
}

/** The library with the bound in place of its own; null unless its own stands there once. */
export function withBound(library: Uint8Array): Uint8Array | null {
  const copy = Buffer.from(library)
  const known = Buffer.alloc(AT_HEAP + 12, 0xff)
  for (const [at, value] of [HEAP_KIBIBYTES, MATCHES, DEPTH].entries())
    known.writeUInt32LE(value, AT_HEAP + 4 * at)
  const found = copy.indexOf(known)
  if (found < 0 || copy.indexOf(known, found + 1) >= 0) return null
  copy.writeUInt32LE(MATCH_KIBIBYTES, found + AT_HEAP)
  return copy
}

/** Writes it, as everybody may read it and root alone change it. */
export function writePatterns({ path, content }: BoundedPatterns): void {
  if (existsSync(path) && readFileSync(path).equals(content)) return
  writeWhole({ path, content, mode: 0o644 })
}
