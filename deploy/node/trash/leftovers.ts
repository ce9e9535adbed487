import type { ServiceState } from '../../../lib/endpoint/node-port.ts'
import { UNKNOWN } from '../../../lib/endpoint/ports/bin.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import type { ClientState } from '../../../schema/states.ts'
import {
  ensureClientDirectories,
  type Identity,
  isInUse,
  isSiteInUse,
  numbersOnDisk,
  setClientState,
  shutOut,
} from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { exists, removeFile, syncDirectory } from '../host/files.ts'
import type { Bin } from './bin.ts'

export type Leftovers = ReturnType<typeof createLeftovers>

/** Files on the node that belong to nobody whom the database knows. */
export function createLeftovers(options: {
  layout: Layout
  identity: Identity
  bin: Bin
  report: (message: string) => void
  /** Ends whatever runs or is kept for the client. */
  endAll(clientId: number): Promise<void>
}) {
  const { layout, identity, bin, report } = options
  let lost: number[] = []

  return {
    /** Clients that have something here. */
    clients: () => numbersOnDisk(layout),

    /**
     * A client that is new here must start empty: files under its number belonged to somebody else and go to the bin.
     * A client that has been here before has its link until it is deleted.
     */
    setAsideClient(clientId: number): void {
      if (exists(layout.clientLink(clientId)) || !isInUse(layout, clientId)) return
      const path = layout.client(clientId)
      bin.put({ kind: 'client', clientId, name: UNKNOWN }, path)
      report(`${path} was there before its client: moved to the bin`)
    },

    /** The same for a site; every site that has been served has a record of its names. */
    setAsideSite({ clientId, siteId }: { clientId: number; siteId: number }): void {
      if (exists(layout.manifest(siteId)) || !isSiteInUse(layout, { clientId, siteId })) return
      const path = layout.site(clientId, siteId)
      bin.put({ kind: 'site', clientId, siteId, domain: UNKNOWN }, path)
      report(`${path} was there before its site: moved to the bin`)
    },

    /**
     * Stops serving clients that are not among `known`, because a restored database does not have them; their files
     * stay where they are. A client that is known again is served again. Returns the unknown ones.
     */
    async keepOnly(known: Map<number, ClientState>): Promise<number[]> {
      const onDisk = numbersOnDisk(layout)
      lost = onDisk.filter((clientId) => !known.has(clientId))
      for (const clientId of lost) {
        if (removeFile(layout.clientLink(clientId))) syncDirectory(layout.links)
        shutOut(layout, identity, clientId)
        await options.endAll(clientId).catch((error: unknown) => report(rootMessage(error)))
      }
      for (const clientId of onDisk) {
        const state = known.get(clientId)
        if (state === undefined || state === 'eliminando' || exists(layout.clientLink(clientId))) continue
        const client = { clientId, suspended: state === 'suspendido' }
        ensureClientDirectories(layout, identity, client)
        setClientState(layout, identity, client)
      }
      return lost
    },

    /** Reports the unknown clients until somebody has moved their files away. */
    states(): ServiceState[] {
      const left = lost.map((clientId) => layout.client(clientId)).filter(exists)
      return left.length === 0 ? [] : [lostState(left.join(', '))]
    },
  }
}

const lostState = (paths: string): ServiceState => ({
  name: 'restos',
  running: false,
  version: null,
  advice: {
    es: `La base de datos no conoce a los clientes de ${paths} (¿se restauró una copia antigua?): no se sirven. Restaure una copia posterior, o borre o mueva esos directorios`,
    en: `The database does not know the clients of ${paths} (was an older backup restored?): they are not served. Restore a later backup, or delete or move these directories`,
  },
})
