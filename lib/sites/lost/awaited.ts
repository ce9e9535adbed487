import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import { jobs, sites } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { COPIES_SUBJECT, databaseOfRestore, isUnrestored, siteOfRestore } from '../../nodes/unrestored.ts'
import type { Tx } from '../../store/database.ts'
import { enqueue } from '../../work/jobs.ts'
import { siteJob } from '../commands.ts'

type Clock = Pick<Services, 'now' | 'random'>
/** What came back to a lost node, or could not: the files of a site, or a database. */
type Part = { site: string | null; base: string | null }

/** Has the sites of a lost node that waited for this served as is right now that its restore has ended, however that was. */
export async function serveAwaited(
  tx: Tx,
  clock: Clock,
  { client, part }: { client: Client; part: Part },
): Promise<void> {
  const domains = part.site === null ? await sitesWithPrograms(tx, client) : [part.site]
  for (const domain of domains) enqueue(tx, clock, siteJob(client, { kind: 'sitio.aplicar', domain }))
}

/** Gives up what could not be brought back so far, since it has come from elsewhere or is no longer wanted. */
export async function giveUpAwaited(
  tx: Tx,
  clock: Clock,
  { client, part }: { client: Client; part: Part },
): Promise<void> {
  const lost = and(
    eq(jobs.subject, `${COPIES_SUBJECT}${client.id}`),
    ...[inArray(jobs.state, ['pendiente', 'fallida']), isUnrestored],
    part.site === null ? eq(databaseOfRestore, part.base) : eq(siteOfRestore, part.site),
  )
  const given = await tx
    .update(jobs)
    .set({ state: 'cancelada', finishedAt: clock.now() })
    .where(lost)
    .returning({ id: jobs.id })
  if (given.length > 0) await serveAwaited(tx, clock, { client, part })
}

async function sitesWithPrograms(tx: Tx, client: Client): Promise<string[]> {
  const theirs = and(eq(sites.clientId, client.id), isNotNull(sites.php), ne(sites.state, 'eliminando'))
  const rows = await tx.select({ domain: sites.domain }).from(sites).where(theirs)
  return rows.map(({ domain }) => domain)
}
