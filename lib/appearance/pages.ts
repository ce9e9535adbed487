import { and, eq, inArray } from 'drizzle-orm'
import { jobs, nodes } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { DesiredPages, PageKind } from '../endpoint/ports/pages.ts'
import type { Reality } from '../endpoint/ports/reality.ts'
import type { Db } from '../store/database.ts'
import { requireDriver } from '../work/driver.ts'
import type { NewJob } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { type Appearance, appearanceOf, selectAppearance } from './facts.ts'

const KIND = 'apariencia.paginas'

/** The pages that every node shows where no site is served; the panel's own bear no name. */
function desiredPages({ pages, name, colour, support }: Appearance): DesiredPages {
  const desired = (kind: PageKind) => pages[kind] && { ...pages[kind], name, colour, support }
  return { placeholder: desired('placeholder'), suspended: desired('suspended'), missing: desired('missing') }
}

/** Whether nodes have other pages to show after a change. */
export const arePagesChanged = (before: Appearance, after: Appearance): boolean =>
  JSON.stringify(desiredPages(before)) !== JSON.stringify(desiredPages(after))

export const selectNodeNames = (db: Db) => db.select({ name: nodes.name }).from(nodes)

/** The work that shows the pages on a node. */
export const pagesSync = (node: string): NewJob => ({ kind: KIND, node, subject: `paginas:${node}` })

/** Makes a node show the pages that the database describes. */
export const syncPagesJob: JobKind = {
  kind: KIND,
  async run(services, _job, step) {
    const pages = desiredPages(appearanceOf(await selectAppearance(services.db.read)))
    await requireDriver(services).showPages(pages, step)
    return nothingMore
  },
}

/** Which pages a node does not show as the database describes them, unless work for that waits or is under way. */
export async function strayPages(
  { db }: Services,
  reality: Pick<Reality<never>, 'pagesOff'>,
  node: string,
): Promise<PageKind[]> {
  const under = and(eq(jobs.subject, pagesSync(node).subject), inArray(jobs.state, ['pendiente', 'en_curso']))
  const [rows, open] = await Promise.all([
    selectAppearance(db.read),
    db.read.select({ id: jobs.id }).from(jobs).where(under),
  ])
  return open.length > 0 ? [] : reality.pagesOff(desiredPages(appearanceOf(rows)))
}
