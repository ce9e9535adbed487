import { and, eq, lt } from 'drizzle-orm'
import { sessions, tokens } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { shortenAddress } from '../text/shorten.ts'

/** How many addresses are changed in one transaction. */
const AT_ONCE = 500

/**
 * Shortens where sessions and tokens were used from before a moment; answers how many addresses that were. What is
 * shortened already is found again and stays as it is.
 */
export async function shortenCallers({ db }: Pick<Services, 'db'>, before: Date): Promise<number> {
  const renewed = lt(sessions.renewedAt, before)
  const used = lt(tokens.lastUsedAt, before)
  const [ofSessions, ofTokens] = await Promise.all([
    db.read.selectDistinct({ address: sessions.address }).from(sessions).where(renewed),
    db.read.selectDistinct({ address: tokens.lastUsedFrom }).from(tokens).where(used),
  ])
  const known = new Set([...ofSessions, ...ofTokens].map(({ address }) => address))
  const whole = [...known].filter(
    (address): address is string => address !== null && shortenAddress(address) !== address,
  )
  for (let at = 0; at < whole.length; at += AT_ONCE) {
    await db.write(async (tx) => {
      for (const address of whole.slice(at, at + AT_ONCE)) {
        const short = shortenAddress(address)
        tx.later(
          tx
            .update(sessions)
            .set({ address: short })
            .where(and(eq(sessions.address, address), renewed)),
          tx
            .update(tokens)
            .set({ lastUsedFrom: short })
            .where(and(eq(tokens.lastUsedFrom, address), used)),
        )
      }
    })
  }
  return whole.length
}
