import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { Secret } from '../../../lib/secret.ts'
import { hasCode } from '../files/safe.ts'

/** The key of the DNS server's API, which every process of the panel reads where it is kept. */
export type ApiKey = {
  current(): Secret
  /** Makes another one: what was learnt of a server is worth nothing at the next. */
  renew(): void
}

/** The key in a file that only its owner reads, made where it is missing; of two callers at once, both get the same. */
export function apiKeyIn(path: string): ApiKey {
  const write = (put: (made: string) => void) => {
    const made = `${path}.${randomBytes(6).toString('hex')}`
    writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    put(made)
  }
  const makeFirst = () =>
    write((made) => {
      try {
        // A link is made whole or, when another caller was first, not at all.
        linkSync(made, path)
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      } finally {
        unlinkSync(made)
      }
    })
  return {
    current() {
      const key = readOr(path, makeFirst).trim()
      if (!/^[0-9a-f]{64}$/.test(key)) {
        throw new Error('the key of the DNS server is damaged; delete its file')
      }
      return new Secret(key)
    },
    renew: () => write((made) => renameSync(made, path)),
  }
}

function readOr(path: string, make: () => void): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    make()
    return readFileSync(path, 'utf8')
  }
}
