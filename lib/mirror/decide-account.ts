import type { Quota as RemoteQuota } from '../providers/types.ts'
import { quotaOf, warningOf } from './quota.ts'
import type { AccountPatch, AccountRow, Notice } from './states.ts'

/** An account whose credential was verified and is already sealed for its row. */
export type CheckedAccount = {
  node: string
  kind: string
  sealed: string
  account: string | null
  url: string | null
  adminLimit: number | null
  quota: RemoteQuota
}

/** The row of an account that an admin entered, in the place of the node's present one, and who is warned. */
export function decideAccount(
  before: AccountRow | undefined,
  checked: CheckedAccount,
  now: Date,
): { row: AccountRow; notices: Notice[] } {
  const { node, kind, sealed, account, url, adminLimit, quota } = checked
  const row: AccountRow = {
    ...(before ?? firstAccount(now)),
    ...{ node, kind, account, url, adminLimit, credential: sealed },
    epoch: (before?.epoch ?? 0) + 1,
    warned: before?.kind === kind ? before.warned : 0,
    // An operator enters the account again to say that it has been given more room.
    ...{ learnedLimit: null, refusedAt: null, pausedUntil: null, failures: 0, removing: false },
    checkedAt: now,
  }
  const { patch, notices } = quotaPatch(row, quota)
  return { row: { ...row, ...patch }, notices }
}

/** The fence is higher than any of an earlier account, so that a late worker of that account changes nothing. */
const firstAccount = (now: Date) => ({
  used: null,
  apiLimit: null,
  nextSlotAt: now,
  leaseUntil: null,
  fence: now.getTime(),
  urgentTurns: 0,
  createdAt: now,
})

/** How a new quota reading changes the row; each level is warned about once on the way up. */
export function quotaPatch(row: AccountRow, remote: RemoteQuota): { patch: AccountPatch; notices: Notice[] } {
  // An account that holds more zones than the learned limit has been given more room since.
  const learnedLimit = row.learnedLimit !== null && remote.used > row.learnedLimit ? null : row.learnedLimit
  const facts = { ...row, used: remote.used, apiLimit: remote.limit, learnedLimit }
  const { used, limit, level } = quotaOf(facts)
  const warned = warningOf(level)
  const patch: AccountPatch = { used, apiLimit: remote.limit, learnedLimit, warned }
  if (warned === 0 || warned <= row.warned || used === null || limit === null) return { patch, notices: [] }
  return { patch, notices: [{ kind: 'cuota', provider: row.kind, percent: warned, used, limit }] }
}
