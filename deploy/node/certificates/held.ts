import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Draft } from './order.ts'

/** Where the certificate in use of a site, or of the panel, is kept with its key, readable by the panel alone. */
export const heldPath = (stateDirectory: string, key: string): string =>
  join(stateDirectory, 'held', `${key}.json`)

/** What a site's order, pause and certificate are called. */
export const siteKey = (siteId: number): string => `site-${siteId}`

type Wanted = {
  names: string[]
  now: Date
  install: (name: string, chainPem: string, keyPem: string) => Promise<void>
}

/**
 * Installs the certificate that is kept at `path` under those of the names that it covers, and asks the authority for
 * nothing: where the web server's own copy is lost, visitors must not see a warning until the next renewal. Answers the
 * names that it has none for; one that has expired, or cannot be read, counts as none.
 */
export async function putBack(path: string, { names, now, install }: Wanted): Promise<string[]> {
  const held = await readHeld(path)
  const isCovered = (name: string) =>
    held !== null && held.leaf.validToDate > now && held.leaf.checkHost(name) !== undefined
  for (const name of names)
    if (held !== null && isCovered(name)) await install(name, held.chainPem, held.keyPem)
  return names.filter((name) => !isCovered(name))
}

async function readHeld(path: string) {
  try {
    const { chainPem, keyPem } = JSON.parse(await readFile(path, 'utf8')) as Draft // written by `writeDraft` alone
    return chainPem === null ? null : { chainPem, keyPem, leaf: new X509Certificate(chainPem) }
  } catch {
    return null
  }
}
