import { eq } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import { enqueueClientSync } from '../clients/clients.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { enqueueLogin } from '../identity/logins.ts'
import { queueAliases, queueNewSite, queueSiteSync } from '../sites/commands.ts'
import type { Provision, Provisioned } from './decide.ts'

/** Client, site, plan, login and activation mail in one transaction. */
export function enqueueProvision(ctx: WriteCtx, change: Provisioned, wanted: Provision): void {
  const { tx } = ctx
  const { client, site, aliases } = change
  const done = new Set(change.done)
  if (done.has('cliente_creado')) tx.later(tx.insert(clients).values(client))
  else if (done.has('cliente_actualizado') || done.has('plan_asignado')) {
    const { id, displayName, planId, email, updatedAt } = client
    tx.later(tx.update(clients).set({ displayName, planId, email, updatedAt }).where(eq(clients.id, id)))
    if (done.has('plan_asignado')) enqueueClientSync(ctx, client)
  }
  if (site) tx.later(...queueNewSite(ctx, client, site))
  if (aliases) {
    const both = { site: aliases.site, client }
    tx.later(...queueAliases(ctx, both, aliases.change), queueSiteSync(ctx, client, both.site.domain))
  }
  if (done.has('acceso_creado')) enqueueLogin(ctx, client, { email: wanted.email, language: wanted.language })
}
