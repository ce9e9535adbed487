import { and, eq } from 'drizzle-orm'
import { zones } from '../../../schema/tables.ts'
import { decideImport, hiddenBy } from '../../dns/decide-records.ts'
import { decideNewZone } from '../../dns/decide-zone.ts'
import { newZoneFacts, queueNewZone } from '../../dns/new-zone.ts'
import { queueRecords, recordFacts } from '../../dns/records.ts'
import { ruled } from '../../dns/zones.ts'
import { unasked } from '../../proof/decide-proven.ts'
import { requireUntouched } from '../decide-new.ts'
import type { Importing, Row } from '../importing.ts'
import type { Wanted } from '../planned.ts'
import { change } from './change.ts'

/** A zone with its records, by the same rules as a zone file that is imported into one. */
export async function makeZone(importing: Importing, row: Row, { rrsets }: Wanted<'zona'>): Promise<void> {
  const { client, step, services } = importing
  const which = and(eq(zones.name, row.name), eq(zones.clientId, client.id), eq(zones.state, 'activa'))
  const held = await services.db.read.select({ id: zones.id }).from(zones).where(which).get()
  const made = row.made || !held
  if (!held && !row.made) {
    await step('import.zone', () =>
      change(importing, row, {
        mark: 'made',
        async run(ctx) {
          const asked = { name: row.name, template: 'vacia' as const, force: false }
          const by = { proof: unasked(ctx.keys, false), language: client.language }
          const facts = await newZoneFacts(ctx, client.id, asked)
          ctx.tx.later(...queueNewZone(ctx, client, decideNewZone(facts, client, { ...asked, ...by })))
        },
      }),
    )
  }
  await step('import.records', () =>
    change(importing, row, {
      mark: 'hecho',
      async run(ctx) {
        const facts = await recordFacts(ctx, row.name)
        requireUntouched(facts.zone, { clientId: client.id, made })
        // A site below that came before has a zone of its own, which answers for its names.
        const isHidden = hiddenBy(facts.below, row.name)
        const wanted = rrsets.filter((one) => !isHidden(one))
        const records = ruled(ctx, () => decideImport(facts, { wanted, mode: 'reemplazar' }, ctx.now()))
        ctx.tx.later(...queueRecords(ctx, facts, records))
      },
    }),
  )
}
