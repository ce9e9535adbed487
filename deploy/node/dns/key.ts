import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Secret } from '../../../lib/secrets/secret.ts'
import { createWhole, hasCode, writeWhole } from '../host/files.ts'

/** The key of the DNS server's API, which every process of the panel reads where it is kept. */
export type ApiKey = {
  current(): Secret
  /** Makes another key, so that one that was spied out is worth nothing after the next start. */
  renew(): void
}

/** The key in a file that only its owner reads, made where it is missing; of two callers at once, both get the same. */
export function apiKeyIn(path: string): ApiKey {
  const fresh = () => ({ path, content: randomBytes(32).toString('hex'), mode: 0o600 })
  return {
    current() {
      const key = readOr(path, () => createWhole(fresh())).trim()
      if (!/^[0-9a-f]{64}$/.test(key)) {
        throw new Error('the key of the DNS server is damaged; delete its file')
      }
      return new Secret(key)
    },
    renew: () => writeWhole(fresh()),
  }
}

function readOr(path: string, make: () => unknown): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    make()
    return readFileSync(path, 'utf8')
  }
}
