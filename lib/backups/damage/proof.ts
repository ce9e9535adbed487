import { and, eq, sql } from 'drizzle-orm'
import { type CopyPart, copies } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Backups, Repository } from '../../endpoint/ports/backups.ts'
import { isDue } from '../../work/clock.ts'
import type { RunningJob } from '../../work/running.ts'
import type { Copy } from '../decide.ts'
import { requireBackups } from '../make.ts'
import { clientRepository } from '../repository.ts'
import { damagedSince, noteDamage } from './note.ts'

const WEEK_MS = 7 * 86_400_000

type Proving = { services: Services; job: RunningJob; client: Client; copy: Copy }

/**
 * Once a week checks a client's repository, and reads a site or a base of its new copy back as a restore would, to be
 * compared with what was copied; one that is damaged is read as a whole after each copy, until it is no more. Which
 * copies do not read back is recorded, and whether all was well is answered.
 */
export async function proveCopy({ services, job, client, copy }: Proving): Promise<boolean> {
  const isDamaged = (await damagedSince(services.db.read, client)) !== null
  const sample = sampleOf(services, copy)
  if (!isDamaged && (sample === null || !(await isDueFor(services, client)))) return true
  const repository = await clientRepository(services, client)
  const backups = requireBackups(services)
  // It only reads, so it is no step that a killed panel would have to resume at.
  const { broken, packs, all } = await examined({ backups, repository, signal: job.signal }, isDamaged)
  const isSame = sample === null || (await backups.readsBack(repository, sample, job.signal))
  const spoilt = [...(broken ?? []), ...(isSame ? [] : [sample.snapshot])]
  const isWhole = broken !== null && spoilt.length === 0
  if (!isWhole) {
    const reason = `${repository.name}: ${packs.slice(0, 10).join(', ')}`
    services.log('warn', 'copies do not read back', { client: client.name, job: job.id, reason })
  }
  if (!isWhole || isDamaged) {
    await noteDamage(services, client, { broken: spoilt, all: all && broken !== null })
  }
  if (isWhole && sample !== null) await noteTested(services, copy)
  return isWhole
}

type Means = { backups: Backups; repository: Repository; signal: AbortSignal }

/** Looks at a part, or at all where something is known to be damaged, or is found to be. */
async function examined({ backups, repository, signal }: Means, isDamaged: boolean) {
  const found = await backups.examine(repository, { all: isDamaged, signal })
  if (isDamaged || found.broken?.length === 0) return { ...found, all: isDamaged }
  // What nothing can be read from any more is then told by what needs it.
  await backups.mend(repository, signal)
  return { ...(await backups.examine(repository, { all: true, signal })), all: true }
}

type Sample = { snapshot: string; sha256: string }

/** A part of a complete copy to read back, a site or a base where there is one; null where there is nothing to read. */
function sampleOf({ random }: Pick<Services, 'random'>, { state, parts }: Copy): Sample | null {
  const candidates = parts.filter(({ kind, snapshot }) => kind !== 'ajustes' && snapshot !== null)
  const [one = 0] = random(1)
  const part: CopyPart | undefined = candidates[one % Math.max(candidates.length, 1)] ?? parts[0]
  if (state !== 'completa' || !part || part.snapshot === null || part.sha256 === null) return null
  return { snapshot: part.snapshot, sha256: part.sha256 }
}

const noteTested = ({ db, now }: Services, { id }: Copy): Promise<void> =>
  db.write(async (tx) => {
    tx.later(tx.update(copies).set({ testedAt: now() }).where(eq(copies.id, id)))
  })

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
