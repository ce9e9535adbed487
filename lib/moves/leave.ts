import { eq } from 'drizzle-orm'
import { type Belongings, clients } from '../../schema/tables.ts'
import { desiredClient } from '../clients/serve.ts'
import { followNode } from '../dns/follow.ts'
import { requireDriver } from '../work/driver.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { withoutOthers } from './belongings.ts'
import { wholeZone, zonesOf } from './carry.ts'
import { FOLLOW_KIND, LEAVE_KIND } from './commands.ts'
import { isLeft } from './decide.ts'
import { moveOf } from './facts.ts'

/** Removes what a node has of a client that does not live there any more, or was about to: its files go to the bin. */
export const leaveNodeJob: JobKind = {
  kind: LEAVE_KIND,
  async run(services, job, step) {
    const driver = requireDriver(services)
    const id = Number(job.payload.client)
    const db = services.db.read
    const client = await db.select().from(clients).where(eq(clients.id, id)).get()
    if (!isLeft(client, await moveOf(db, id), job.target)) return nothingMore
    const told = job.payload.belongings as Belongings // Written by `leaveJob` alone.
    const { hosts, zones, held } = await withoutOthers(db, id, told)
    const name = job.clientName ?? ''
    await driver.removeClient({ clientId: id, hosts, name }, step)
    for (const base of held) await driver.databases?.remove({ ...base, clientId: id, client: name }, step)
    if (held.length > 0) await driver.databases?.removeAccount(id, step)
    for (const zone of zones) await driver.removeZone(zone, step)
    return nothingMore
  },
}

/**
 * On the node that a client has left: its name servers, which resolvers go on asking, tell where it is now, and its
 * tree is closed even to its own user. On the node that it came back to, the zones follow that node's settings.
 */
export const followMoveJob: JobKind = {
  kind: FOLLOW_KIND,
  async run(services, job, step) {
    const driver = requireDriver(services)
    const id = Number(job.payload.client)
    const client = await services.db.read.select().from(clients).where(eq(clients.id, id)).get()
    if (!client) return nothingMore
    const isHere = client.node === services.config.node
    if (isHere) await step('move.follow', async () => void (await followNode(services)))
    for (const zone of await zonesOf(services, id)) {
      await driver.publishZone(await wholeZone(services, zone), step)
    }
    const desired = isHere ? null : await desiredClient(services, id)
    if (desired) await driver.syncClient({ ...desired, suspended: true, sftp: [] }, step)
    return nothingMore
  },
}
