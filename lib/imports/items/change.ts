import { eq } from 'drizzle-orm'
import { importItems } from '../../../schema/tables.ts'
import type { WriteCtx } from '../../endpoint/context.ts'
import { workContext } from '../../work/context.ts'
import type { Importing, Row } from '../importing.ts'

/** Runs a change in a transaction of its own, with the mark of how far the item is. */
export async function change(
  { services }: Pick<Importing, 'services'>,
  row: Row,
  { mark, run }: { mark: 'made' | 'hecho'; run: (ctx: WriteCtx) => Promise<void> },
): Promise<void> {
  await services.db.write(async (tx) => {
    const ctx = workContext(services, tx)
    await run(ctx)
    const set = mark === 'made' ? { made: true } : { state: 'hecho' as const }
    tx.later(tx.update(importItems).set(set).where(eq(importItems.id, row.id)))
  })
  services.work.wake()
}
