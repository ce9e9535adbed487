import { and, eq } from 'drizzle-orm'
import { schedules, sites } from '../../../schema/tables.ts'
import { AppError } from '../../endpoint/errors.ts'
import { roomFacts } from '../../plans/room.ts'
import { decideSchedule } from '../../schedules/decide.ts'
import { ulid } from '../../store/ids.ts'
import type { Importing, Row } from '../importing.ts'
import type { Wanted } from '../planned.ts'
import { change } from './change.ts'

/** A scheduled task of a site that is there. */
export async function makeTask(importing: Importing, row: Row, wanted: Wanted<'programada'>): Promise<void> {
  const { client, step } = importing
  await step('import.task', () =>
    change(importing, row, {
      mark: 'hecho',
      async run(ctx) {
        const { tx } = ctx
        const now = ctx.now()
        const own = and(eq(sites.domain, row.name), eq(sites.clientId, client.id), eq(sites.state, 'activo'))
        const [site, room] = await Promise.all([
          tx.select({ id: sites.id }).from(sites).where(own).get(),
          roomFacts(ctx, client.id),
        ])
        if (!site) throw new AppError('sitio_no_existe')
        const turn = decideSchedule(room, wanted, now)
        const id = `pro_${ulid(now, ctx.random)}`
        const place = { id, siteId: site.id, clientId: client.id }
        tx.later(tx.insert(schedules).values({ ...place, ...wanted, active: true, ...turn, createdAt: now }))
      },
    }),
  )
}
