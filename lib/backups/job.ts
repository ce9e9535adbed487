import { and, eq, inArray } from 'drizzle-orm'
import { clients, copies } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { COPIES_SUBJECT } from '../nodes/unrestored.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Job, NewJob } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import { proveCopy } from './damage/proof.ts'
import { COPY_KIND, decideCopies } from './decide.ts'
import { tellDamaged, tellOnce } from './destination/tell.ts'
import { selectCopyFacts } from './facts.ts'
import { clearCopies, makeCopy } from './make.ts'
import { madeView } from './view.ts'

/** Copies all that a client has. */
export const copyClientJob: JobKind = {
  kind: COPY_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 4,
  async run(services, job, step) {
    const which = eq(clients.id, Number(job.payload.client))
    const { client } = decideCopies(
      await selectCopyFacts(services.db.read, { client: which }),
      services.config.node,
    )
    const copy = await makeCopy({ services, job, step, client, id: job.target }, null)
    const isWhole = await proveCopy({ services, job, client, copy })
    const gone = await clearCopies({ services, job, step, client, isWhole })
    const made = (await services.db.read.select().from(copies).where(eq(copies.id, copy.id)).get()) ?? copy
    job.answers(madeView(made))
    return async (tx) => {
      tx.later(tx.delete(copies).where(inArray(copies.id, gone)))
      if (made.state === 'incompleta') await tellOnce(tx, services, { client })
      if (!isWhole) await tellDamaged(tx, services, client.node)
    }
  },
  async failed(tx, services, job) {
    const client = await tx
      .select()
      .from(clients)
      .where(eq(clients.id, Number(job.payload.client)))
      .get()
    if (client) await tellOnce(tx, services, { client, reason: job.reason })
  },
  ended: endCopy,
}

/** What was not ended is incomplete for good. */
export async function endCopy(tx: Tx, job: Job): Promise<void> {
  const open = and(eq(copies.id, String(job.payload.undo ?? job.target)), eq(copies.state, 'en_curso'))
  tx.later(tx.update(copies).set({ state: 'incompleta' }).where(open))
}

/** The job that makes a new copy. */
export const copyJob = (
  services: Pick<WriteCtx, 'now' | 'random'>,
  { id, name, node }: Pick<Client, 'id' | 'name' | 'node'>,
): NewJob => ({
  kind: COPY_KIND,
  node,
  subject: copiesSubject({ id }),
  target: newCopyId(services),
  client: name,
  payload: { client: id },
  cancellable: true,
})

export const newCopyId = ({ now, random }: Pick<WriteCtx, 'now' | 'random'>) => `cop_${ulid(now(), random)}`

/** One at a time for a client, beside its other work. */
export const copiesSubject = ({ id }: { id: number }) => `${COPIES_SUBJECT}${id}`
