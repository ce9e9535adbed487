import type { Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import type { Php } from '../php/pools.ts'
import { isCaged } from '../services/process.ts'
import { removeIpc } from './ipc.ts'
import { endProcesses, isForeign, ownerOf, type UserRange } from './users.ts'

export type Endings = ReturnType<typeof createEndings>

/** Ends what runs as clients' users, where those are this panel's: another panel's are left alone. */
export function createEndings(node: { layout: Layout; identity: Identity; users: UserRange; php: Php }) {
  const { layout, identity, users, php } = node
  const isOwn = async (clientId: number) =>
    identity.root !== null && !(await isForeign(users, clientId, layout.client(clientId)))

  return {
    /** All that runs now; a client that is served begins anew with its next request. */
    async processes(clientId: number): Promise<void> {
      await php.endNow(clientId)
      if (await isOwn(clientId)) await endProcesses(users, clientId, isCaged)
    },

    /** All that runs or is kept for a client. Nothing of it may begin again: see `shutOut`. */
    async all(clientId: number): Promise<void> {
      await php.end(clientId)
      if (!(await isOwn(clientId))) return
      await endProcesses(users, clientId)
      await removeIpc(ownerOf(users, clientId).uid)
    },
  }
}
