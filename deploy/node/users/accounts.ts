import { readFileSync } from 'node:fs'
import type { ServiceState } from '../../../lib/endpoint/node-port.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import {
  clientIdsOf,
  ensureClientDirectories,
  type Identity,
  isSuspended,
  shutOut,
} from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { exists } from '../host/files.ts'
import { addUsers } from './bulk.ts'
import { ensureUser, ownUsers, type UserRange } from './users.ts'

export type Accounts = ReturnType<typeof createAccounts>

/** The Unix users of the clients that are here already, as a start finds them: a new machine has none of them. */
export function createAccounts(options: {
  layout: Layout
  identity: Identity
  users: UserRange
  report: (message: string) => void
}) {
  const { layout, identity, users, report } = options
  let refused = new Map<number, string>()

  return {
    /** Makes the missing users; answers the clients whose user name or number is somebody else's. */
    async restore(): Promise<Set<number>> {
      refused = new Map()
      if (identity.root === null) return new Set()
      await addUsers(users, layout.client, userless(layout, users))
      for (const clientId of userless(layout, users)) {
        try {
          await ensureUser(users, clientId, layout.client(clientId))
        } catch (error) {
          const reason = rootMessage(error)
          refused.set(clientId, reason)
          shutOut(layout, identity, clientId)
          report(`no PHP for the client of ${layout.client(clientId)}: ${reason}`)
        }
      }
      return new Set(refused.keys())
    },

    /** Makes the client's user where it is away; throws where its name or number is somebody else's. */
    async require(clientId: number): Promise<void> {
      if (identity.root === null) return
      await ensureUser(users, clientId, layout.client(clientId))
      if (!refused.delete(clientId)) return
      ensureClientDirectories(layout, identity, { clientId, suspended: isSuspended(layout, clientId) })
    },

    /** Tells of those that were refused until they have their users. */
    states: () => (refused.size === 0 ? [] : [stateOf([...refused.values()])]),
  }
}

/** The clients that are served here and whose users are not as they should be. */
function userless(layout: Layout, users: UserRange): number[] {
  const isOwn = ownUsers(users, layout.client, {
    passwd: readFileSync('/etc/passwd', 'utf8'),
    group: readFileSync('/etc/group', 'utf8'),
  })
  const served = clientIdsOf(layout).filter((clientId) => exists(layout.clientLink(clientId)))
  return served.filter((clientId) => !isOwn(clientId))
}

function stateOf(reasons: string[]): ServiceState {
  const why = reasons.join('; ')
  const advice = {
    es: `Hay clientes sin su usuario de Unix, cuyo PHP no se ejecuta (${why}): dé otro nombre y número a quien los tenga y reinicie el panel`,
    en: `Clients lack their Unix user and their PHP does not run (${why}): give who has it another name and number, and start the panel again`,
  }
  return { name: 'usuarios', running: false, version: null, advice }
}
