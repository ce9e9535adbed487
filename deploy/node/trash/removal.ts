import { join } from 'node:path'
import type { NodeDriver, Step } from '../../../lib/endpoint/node-port.ts'
import { type Identity, removeSuspended, shutOut, siteIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { directoriesIn, removeFile, removeIfEmpty, syncDirectory } from '../host/files.ts'
import { removeLogs } from '../logs/site-logs.ts'
import type { Spool } from '../mail/spool.ts'
import type { Php } from '../php/pools.ts'
import type { Endings } from '../users/endings.ts'
import { removeUser, type UserRange } from '../users/users.ts'
import { removePagePolicy } from '../web/cache/policy.ts'
import { dropClientHosts, removeRoutes } from '../web/routes.ts'
import type { Bin } from './bin.ts'

type Parts = {
  layout: Layout
  identity: Identity
  php: Php
  bin: Bin
  users: UserRange
  endings: Endings
} & {
  mail: Pick<Spool, 'forget'> | null
}

export async function removeSite(
  parts: Pick<Parts, 'layout' | 'php' | 'bin'>,
  site: Parameters<NodeDriver['removeSite']>[0],
  step: Step,
): Promise<void> {
  const { layout, php, bin } = parts
  const { siteId, clientId, domain, kept } = site
  await step('site.unserve', async () => removeRoutes(layout, site, site.hosts))
  await step('site.php', async () => {
    removePagePolicy(layout, site)
    php.setSite(siteId, null)
  })
  await step('site.files', async () => {
    const directory = layout.site(clientId, siteId)
    // An empty site has nothing to keep but its settings; and the bin takes an inode, which a half-made site may lack.
    const inside = directoriesIn(directory).map((name) => join(directory, name))
    const bare = kept?.isWorthAlone !== true && [...inside, directory].every(removeIfEmpty)
    if (!bare) bin.put({ kind: 'site', clientId, siteId, domain }, directory, kept?.content)
  })
  await step('site.forget', async () => {
    removeFile(`${layout.suspendedClient(clientId)}/${siteId}`)
    removeFile(layout.siteCertificate(siteId))
    removeFile(layout.manifest(siteId))
    removeFile(layout.fpmSite(siteId))
    removeLogs(layout, siteId)
  })
}

export async function removeClient(
  parts: Parts,
  client: Parameters<NodeDriver['removeClient']>[0],
  step: Step,
): Promise<void> {
  const { layout, identity, php, bin, users } = parts
  const { clientId, name, kept } = client
  await step('client.unserve', async () => {
    // All of its names lead through this link.
    removeFile(layout.clientLink(clientId))
    syncDirectory(layout.links)
  })
  await step('client.processes', async () => {
    shutOut(layout, identity, clientId)
    await parts.endings.all(clientId)
  })
  await step('client.routes', async () => {
    for (const siteId of siteIdsOf(layout, clientId)) {
      removeRoutes(layout, { clientId, siteId }, [])
      removePagePolicy(layout, { siteId })
      php.setSite(siteId, null)
      removeFile(layout.siteCertificate(siteId))
      removeFile(layout.manifest(siteId))
      removeFile(layout.fpmSite(siteId))
      removeLogs(layout, siteId)
    }
    dropClientHosts(layout, clientId, client.hosts)
  })
  await step('client.files', async () =>
    bin.put({ kind: 'client', clientId, name }, layout.client(clientId), kept?.content),
  )
  await step('client.user', async () => {
    if (identity.root !== null) await removeUser(users, clientId, layout.client(clientId))
  })
  await step('client.forget', async () => {
    parts.mail?.forget(clientId)
    removeSuspended(layout, clientId)
  })
}
