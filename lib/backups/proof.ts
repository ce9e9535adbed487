import { and, eq, sql } from 'drizzle-orm'
import { copies } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import { isDue } from '../work/clock.ts'
import type { RunningJob } from '../work/running.ts'
import type { Copy } from './decide.ts'
import { damaged } from './errors.ts'
import { requireBackups } from './make.ts'
import { clientRepository } from './repository.ts'

const WEEK_MS = 7 * 86_400_000

type Proving = { services: Services; job: RunningJob; client: Client; copy: Copy }

/**
 * Once a week checks a client's repository, and reads a site or a base of its new copy back as a restore would, to be
 * compared with what was copied. Answers what to record of the copy.
 */
export async function proveCopy({ services, job, client, copy }: Proving): Promise<Partial<Copy>> {
  const candidates = copy.parts.filter(({ kind, snapshot }) => kind !== 'ajustes' && snapshot !== null)
  const [random = 0] = services.random(1)
  const sample = candidates[random % Math.max(candidates.length, 1)] ?? copy.parts[0]
  if (copy.state !== 'completa' || !sample || !(await isDueFor(services, client))) return {}
  const { snapshot, sha256 } = sample
  if (snapshot === null || sha256 === null) return {}
  const repository = await clientRepository(services, client)
  // It only reads, so it is no step that a killed panel would have to resume at.
  const same = await requireBackups(services).test(repository, { snapshot, sha256 }, job.signal)
  if (same) return { testedAt: services.now() }
  const parts = copy.parts.map((part) => (part === sample ? { ...part, fault: damaged() } : part))
  return { state: 'incompleta', parts }
}

async function isDueFor({ db, now }: Services, { id }: Client): Promise<boolean> {
  const last = sql`(coalesce((select max(${copies.testedAt}) from ${copies} where ${eq(copies.clientId, id)}), 0) + ${WEEK_MS})`
  const row = await db.read
    .select({ id: copies.id })
    .from(copies)
    .where(and(eq(copies.clientId, id), isDue(last, now(), WEEK_MS)))
    .limit(1)
    .get()
  return row !== undefined
}
