import { eq } from 'drizzle-orm'
import { type Belongings, clients } from '../../schema/tables.ts'
import { desiredClient } from '../clients/serve.ts'
import { followNode } from '../dns/follow.ts'
import type { Services } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import { requireDriver } from '../work/driver.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { belongingsOf, without, withoutOthers } from './belongings.ts'
import { wholeZone, zonesOf } from './carry.ts'
import { FOLLOW_KIND, LEAVE_KIND } from './commands.ts'
import { isLeft } from './decide.ts'
import { moveOf } from './facts.ts'

/**
 * Removes what a node has of a client that does not live there any more, or was about to: its files go to the bin. Where
 * it lives after all, or may soon, what it does not have any more is removed.
 */
export const leaveNodeJob: JobKind = {
  kind: LEAVE_KIND,
  async run(services, job, step) {
    const id = Number(job.payload.client)
    const db = services.db.read
    const client = await db.select().from(clients).where(eq(clients.id, id)).get()
    const told = job.payload.belongings as Belongings // Written by `leaveJob` alone.
    const place = { services, step, client: { id, name: job.clientName ?? '' } }
    if (isLeft(client, await moveOf(db, id), job.target)) await removeAll(place, told)
    else await removeGone(place, told)
    return nothingMore
  },
}

type Place = { services: Services; step: Step; client: { id: number; name: string } }

async function removeAll({ services, step, client }: Place, told: Belongings): Promise<void> {
  const driver = requireDriver(services)
  const { id, name } = client
  const { hosts, zones, held } = await withoutOthers(services.db.read, id, told)
  await driver.removeClient({ clientId: id, hosts, name }, step)
  for (const base of held) await driver.databases?.remove({ ...base, clientId: id, client: name }, step)
  if (held.length > 0) await driver.databases?.removeAccount(id, step)
  for (const zone of zones) await driver.removeZone(zone, step)
}

/** Removes what this node was told to make for a client and the client has deleted since; it goes to the bin. */
export async function removeGone({ services, step, client }: Place, told: Belongings): Promise<void> {
  const driver = requireDriver(services)
  const db = services.db.read
  const { id, name } = client
  const { zones, held, sites } = without(await withoutOthers(db, id, told), await belongingsOf(db, client.id))
  for (const site of sites) await driver.removeSite({ ...site, clientId: id, hosts: [] }, step)
  for (const base of held) await driver.databases?.remove({ ...base, clientId: id, client: name }, step)
  for (const zone of zones) await driver.removeZone(zone, step)
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
