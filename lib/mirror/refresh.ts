import { and, eq, isNull } from 'drizzle-orm'
import { dnsAccounts } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { activeAdmins } from '../identity/tokens.ts'
import { ProviderFault } from '../providers/types.ts'
import { isDue } from '../work/clock.ts'
import { openProvider } from './account.ts'
import { quotaPatch } from './decide-account.ts'
import { enqueueNotices } from './services.ts'
import type { AccountRow, Notice } from './states.ts'

/** Less than the day between two runs of the handler. */
const EVERY_MS = 20 * 60 * 60_000
const DEADLINE_MS = 20_000

/** Reads the quota of each account once a day; answers how many were asked. */
export async function refreshQuotas(services: Services): Promise<number> {
  const before = new Date(services.now().getTime() - EVERY_MS)
  const due = await services.db.read
    .select()
    .from(dnsAccounts)
    .where(and(isDue(dnsAccounts.checkedAt, before, EVERY_MS), isNull(dnsAccounts.refusedAt)))
  await Promise.all(due.map((account) => refresh(services, account)))
  return due.length
}

async function refresh(services: Services, account: AccountRow): Promise<void> {
  const endsMs = services.now().getTime() + DEADLINE_MS
  const asked = openProvider(services, account, () => endsMs - services.now().getTime()).then((provider) =>
    provider.quota(),
  )
  const now = () => services.now()
  const told = await asked.then(
    (quota) => quotaPatch(account, quota),
    (error: unknown): ReturnType<typeof quotaPatch> => {
      const refused = error instanceof ProviderFault && error.kind === 'credential'
      const notices: Notice[] = refused ? [{ kind: 'credencial_rechazada', provider: account.kind }] : []
      return { patch: refused ? { refusedAt: now() } : {}, notices }
    },
  )
  await services.db.write(async (tx) => {
    const rows = await tx
      .update(dnsAccounts)
      .set({ ...told.patch, checkedAt: now() })
      .where(and(eq(dnsAccounts.node, account.node), eq(dnsAccounts.epoch, account.epoch)))
      .returning({ node: dnsAccounts.node })
    if (rows.length === 0) return
    const { notices } = told
    if (notices.length > 0) enqueueNotices(tx, services, { notices, admins: await activeAdmins(tx) })
  })
}
