import { and, asc, desc, eq, gt, lt, lte } from 'drizzle-orm'
import { audit } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { putSetting, selectSetting } from '../store/settings.ts'
import { shortenAddress } from '../text/shorten.ts'

/** How many rows are read and changed at once. */
const AT_ONCE = 500
/** The setting that holds the last row that was looked at. */
const REACHED = 'auditoria_acortada'

/**
 * Shortens the addresses of the audit rows from before a moment; answers how many that were. Rows are looked at once:
 * the trail is long and grows at its end.
 */
export async function shortenAudit({ db }: Pick<Services, 'db'>, before: Date): Promise<number> {
  const old = lt(audit.at, before)
  const [last, reached] = await Promise.all([
    db.read.select({ id: audit.id }).from(audit).where(old).orderBy(desc(audit.id)).limit(1).get(),
    selectSetting(db.read, REACHED).get(),
  ])
  let changed = 0
  for (let from = Number(reached?.value ?? 0); last && from < last.id; ) {
    const rows = await db.read
      .select({ id: audit.id, address: audit.address })
      .from(audit)
      .where(and(gt(audit.id, from), lte(audit.id, last.id), old))
      .orderBy(asc(audit.id))
      .limit(AT_ONCE)
    const shortened = rows.flatMap(({ id, address }) => {
      const short = address === null ? null : shortenAddress(address)
      return short === address ? [] : [{ id, short }]
    })
    from = rows.at(-1)?.id ?? last.id
    const through = String(from)
    await db.write(async (tx) => {
      for (const { id, short } of shortened)
        tx.later(tx.update(audit).set({ address: short }).where(eq(audit.id, id)))
      tx.later(putSetting(tx, REACHED, through))
    })
    changed += shortened.length
  }
  return changed
}
