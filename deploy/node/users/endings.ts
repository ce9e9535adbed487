import { type Identity, isSuspended } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { exists } from '../host/files.ts'
import type { Php } from '../php/pools.ts'
import { readWanted } from '../php/wanted.ts'
import { isCaged } from '../services/process.ts'
import { removeIpc } from './ipc.ts'
import { endProcesses, isForeign, ownerOf, type UserRange } from './users.ts'

export type Endings = ReturnType<typeof createEndings>

type Node = { layout: Layout; identity: Identity; users: UserRange; php: Php }

/** Ends what runs as clients' users, where those are this panel's: another panel's are left alone. */
export function createEndings(node: Node) {
  const { layout, identity, users, php } = node
  const isOwn = async (clientId: number) =>
    identity.root !== null && !(await isForeign(users, clientId, layout.client(clientId)))

  const paused = new Set<number>()

  return {
    /** Whether a client's programs may not reach the network now, since they took what all need. */
    isPaused: (clientId: number): boolean => paused.has(clientId),

    /** All that runs now; a client that is served begins anew with its next request. */
    async processes(clientId: number): Promise<void> {
      await php.endNow(clientId)
      if (await isOwn(clientId)) await endProcesses(users, clientId, isCaged)
    },

    /** All that runs now, and nothing begins by a request or a task before what is answered is called. */
    async pause(clientId: number): Promise<() => Promise<void>> {
      const wanted = readWanted(layout, clientId)
      paused.add(clientId)
      await php.end(clientId)
      if (await isOwn(clientId)) await endProcesses(users, clientId, isCaged)
      return async () => {
        paused.delete(clientId)
        await letIn(node, clientId, wanted)
      }
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

/** Serves a client again, which may have been served anew, or not at all, since. */
async function letIn({ layout, php }: Node, clientId: number, wanted: ReturnType<typeof readWanted>) {
  const isServed = exists(layout.clientLink(clientId)) && !isSuspended(layout, clientId)
  if (wanted === null || !isServed || readWanted(layout, clientId) !== null) return
  await php.ensureClient(clientId, wanted.versions, wanted.limits)
}
