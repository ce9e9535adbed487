import { eq, sql } from 'drizzle-orm'
import { type CopyPart, databases } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services, WriteCtx } from '../../endpoint/context.ts'
import { RESTORE_KIND } from '../../nodes/unrestored.ts'
import type { Query } from '../../store/reading.ts'
import { type NewJob, queueJob } from '../../work/jobs.ts'
import type { Copy, Restore } from '../decide.ts'
import { copiesSubject, newCopyId } from '../job.ts'

type Asked = { client: Client; copy: Copy; wanted: Restore; database: { id: number } | null }

/** Queues a restore; a base that is replaced is `cargando` until it has ended. */
export function queueRestore(
  ctx: WriteCtx,
  { client, copy, wanted, database }: Asked,
): { queries: Query[]; job: NewJob } {
  const undo = newCopyId(ctx)
  const job: NewJob = {
    kind: RESTORE_KIND,
    node: client.node,
    subject: copiesSubject(client),
    target: undo,
    client: client.name,
    payload: { client: client.id, copy: copy.id, undo, wanted, database: database?.id ?? null },
    cancellable: true,
  }
  const loading = database
    ? [ctx.tx.update(databases).set({ loading: sql`1` }).where(eq(databases.id, database.id))]
    : []
  return { queries: [...loading, queueJob(ctx, job)], job }
}

type BareRestore = { client: Client; copy: Copy; part: Pick<CopyPart, 'kind' | 'name'> }

/** The restore of a site or base of which nothing is there that could be copied first. */
export function bareRestore(
  clock: Pick<Services, 'now' | 'random'>,
  { client, copy, part: { kind, name } }: BareRestore,
): NewJob {
  const wanted: Restore = {
    ...{ site: kind === 'sitio' ? name : null, base: kind === 'base' ? name : null },
    ...{ path: '/', mode: 'sustituir', part: 'archivos' },
  }
  const target = newCopyId(clock)
  return {
    kind: RESTORE_KIND,
    node: client.node,
    subject: copiesSubject(client),
    target,
    client: client.name,
    payload: { client: client.id, copy: copy.id, undo: target, wanted, database: null, bare: true },
    cancellable: true,
  }
}
