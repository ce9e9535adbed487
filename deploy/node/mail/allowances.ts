import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { ensureDirectory, exists, removeEmptyDirectory, removeFile, writeWhole } from '../host/files.ts'

/** What clients' programs are told of their allowance: a file in a directory of root's, which their cages show. */
export function createAllowances(layout: Layout, identity: Identity) {
  const told = new Map<number, string>()
  const fileOf = (clientId: number) => join(layout.toldOfMail(clientId), 'left')
  const open = (clientId: number) => {
    ensureDirectory(layout.fpmMail, { mode: 0o711, owner: identity.root })
    ensureDirectory(layout.toldOfMail(clientId), { mode: 0o755, owner: identity.root })
  }
  return {
    open,
    tell(clientId: number, left: number, counted?: string) {
      const content = `left ${left}\n${counted === undefined ? '' : `counted ${counted}\n`}`
      if ((told.get(clientId) ?? contentOf(fileOf(clientId))) === content) return
      open(clientId)
      writeWhole({ path: fileOf(clientId), content, mode: 0o644, owner: identity.root })
      told.set(clientId, content)
    },
    forget(clientId: number) {
      told.delete(clientId)
      removeFile(fileOf(clientId))
      removeEmptyDirectory(layout.toldOfMail(clientId))
    },
  }
}

const contentOf = (path: string) => (exists(path) ? readFileSync(path, 'utf8') : null)
