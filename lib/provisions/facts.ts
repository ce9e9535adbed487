import { and, eq, gte, lt } from 'drizzle-orm'
import { clients, persons } from '../../schema/tables.ts'
import { clientWhere, clientWithReference } from '../clients/clients.ts'
import { newClientFacts } from '../clients/create.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { prefixEnd } from '../endpoint/page.ts'
import { newSiteFacts } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import { nextId } from '../store/row-id.ts'
import { newClientOf, type Provision, type ProvisionFacts, wishedName } from './decide.ts'

export async function provisionFacts(ctx: WriteCtx, wanted: Provision): Promise<ProvisionFacts> {
  const { tx } = ctx
  const wish = wishedName(wanted)
  const owner = clientWhere(tx, eq(clients.reference, wanted.reference))
  const [known, fresh, namesakes, nextClientId, login, site] = await Promise.all([
    clientWithReference(tx, wanted.reference),
    newClientFacts(ctx, newClientOf(wanted, wish)),
    namesFrom(tx, wish),
    nextId(tx, 'clients'),
    tx.select({ id: persons.id }).from(persons).where(eq(persons.clientId, owner)).get(),
    newSiteFacts(ctx, owner, wanted.site),
  ])
  return { known, fresh, namesakes, nextClientId, hasLogin: login !== undefined, site }
}

async function namesFrom(db: Db, wish: string): Promise<string[]> {
  const rows = await db
    .select({ name: clients.name })
    .from(clients)
    .where(and(gte(clients.name, wish), lt(clients.name, prefixEnd(wish))))
  return rows.map(({ name }) => name)
}
