import { and, desc, eq } from 'drizzle-orm'
import { refusalText } from '../../../lib/endpoint/errors.ts'
import type { BinEntry, BinPort } from '../../../lib/endpoint/ports/bin.ts'
import { decideRestore, type Restore, requireBare } from '../../../lib/trash/decide.ts'
import { isStillOwned, keptEntries, keptEntry, purgeFacts, restoreFacts } from '../../../lib/trash/facts.ts'
import { queueRestore } from '../../../lib/trash/job.ts'
import { formerSites } from '../../../lib/trash/kept.ts'
import { formerOf } from '../../../lib/trash/settings.ts'
import { deletedLine, deletedView, folderLines, foldersView, restoredLines } from '../../../lib/trash/view.ts'
import { workContext } from '../../../lib/work/context.ts'
import type { Job, NewJob } from '../../../lib/work/jobs.ts'
import { refusalOf } from '../../../lib/work/view.ts'
import { jobs } from '../../../schema/tables.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { announce, servingFrom } from '../services/presence.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

const MEASURE_MS = 600_000
const LOOK_MS = 500
const PUBLIC = 'public'
const OPERATOR = { kind: 'cron' } as const

/** `panel papelera`: what was deleted, to be listed, restored or removed for good. */
export async function trash(given: Given, output: Output): Promise<void> {
  const id = given.get('ID')
  const runtime = await createRuntime(process.env, { hands: true })
  try {
    const bin = runtime.hands?.bin
    if (!bin) throw new UsageError('there is no web server on this machine, so nothing was ever deleted')
    if (id === undefined) return await list(runtime, bin, output)
    const { services } = runtime
    const purges = given.has('purgar')
    const entry = purges ? bin.find(id) : keptEntry(bin, id, { actor: OPERATOR, ...services })
    if (entry === null) throw new UsageError(`there is no ${id} in the bin`)
    if (purges) {
      const { isBusy } = await purgeFacts({ tx: services.db.read }, entry)
      if (isBusy) throw new UsageError(`${id} is being restored or removed`)
      const purgados = await bin.purge({ id })
      if (purgados.length === 0)
        throw new UsageError(`something still writes into ${id}: the panel removes it once that has ended`)
      output.line({ purgados }, [`Removed ${id} for good.`])
    } else {
      const into = { site: given.get('--sitio'), database: given.get('--base') }
      await restore(runtime, bin, { entry, into, output })
    }
  } finally {
    runtime.hands?.release()
    await runtime.close()
  }
}

/** The site or the database that was named. */
type Into = { site: string | undefined; database: string | undefined }
type Wanted = { entry: BinEntry; into: Into; output: Output }

async function restore(runtime: Runtime, bin: BinPort, { entry, into, output }: Wanted): Promise<void> {
  const { id } = entry
  const to = await placeFor(runtime, bin, { entry, into })
  if (to.kind !== 'apart') return intoNamed(runtime, { entry, to, output })
  const endsProcesses = await isStillOwned(runtime.services.db.read, entry)
  // They leave the bin with the entry.
  const sites = entry.kind === 'client' ? formerSites(bin.keptSettings(id)) : []
  const place = await bin.restore(id, undefined, { endsProcesses })
  if (place === null) throw new UsageError(`${id} left the bin meanwhile`)
  output.line({ restaurado: id, ruta: place, ...foldersView(sites) }, [
    `Restored to ${place}`,
    ...folderLines(sites),
  ])
}

type IntoNamed = { entry: BinEntry; to: Exclude<Restore, { kind: 'apart' }>; output: Output }

/** The same work as the API queues: a running panel does it, or this process does where none runs. */
async function intoNamed(runtime: Runtime, { entry, to, output }: IntoNamed): Promise<void> {
  const { services, config } = runtime
  // The web server belongs to a panel that runs beside.
  const alone = servingFrom(config.dataDir).length === 0
  const leave = await runtime.hands?.space.lend(async () => announce(config.dataDir))
  try {
    if (alone) await runtime.begin()
    const asked = await services.db.write(async (tx) => {
      const { queries, job } = queueRestore(workContext(services, tx, 'papelera'), entry, to)
      tx.later(...queries)
      return job
    })
    const ended = await endOf(runtime, { asked, alone })
    const refusal = refusalOf(ended)
    if (refusal) throw new UsageError(refusalText(refusal))
    if (ended.state !== 'hecha')
      throw new UsageError(`${entry.id} could not be restored: ${ended.error ?? ended.state}`)
    const told = restoredLines(ended.result)
    if (to.kind === 'database') {
      const base = to.database.name
      output.line({ restaurado: entry.id, base, ...ended.result }, [`Restored into the database ${base}`])
      return
    }
    const place = services.driver?.siteRoot(to.client.id, to.site.id, PUBLIC) ?? ''
    output.line({ restaurado: entry.id, ruta: place, ...ended.result }, [`Restored to ${place}`, ...told])
  } finally {
    leave?.()
  }
}

/** The work, once it has ended. */
async function endOf(
  { services }: Runtime,
  { asked, alone }: { asked: NewJob; alone: boolean },
): Promise<Job> {
  const which = and(eq(jobs.kind, asked.kind), eq(jobs.target, asked.target ?? ''))
  for (;;) {
    const job = await services.db.read.select().from(jobs).where(which).orderBy(desc(jobs.id)).get()
    if (!job) throw new UsageError('the work is not there any more')
    if (job.state !== 'pendiente' && job.state !== 'en_curso') return job
    if (alone) await services.work.runDue()
    else await Bun.sleep(LOOK_MS)
  }
}

async function list({ services }: Runtime, bin: BinPort, output: Output): Promise<void> {
  const { db, config } = services
  const viewing = { bin, days: config.trashDays, withinMs: MEASURE_MS }
  const views = await deletedView(db.read, keptEntries(bin, { actor: OPERATOR, ...services }), viewing)
  output.line(views, views.map(deletedLine))
}

/** Why an entry goes to no site. */
const whyApart = ({ kind }: BinEntry): string =>
  kind === 'database'
    ? 'is a database, which goes into no site: name the database with --base; with neither, the dump is put into a folder'
    : 'was nobody’s, so that it goes into no site: leave --sitio out, and it is put into a folder'

/** Where it goes: to the existing site or database that is named, decided as by the API, or apart. */
async function placeFor(
  { services }: Runtime,
  bin: BinPort,
  { entry, into: { site: domain, database } }: Pick<Wanted, 'entry' | 'into'>,
): Promise<Restore> {
  if (database !== undefined && entry.kind !== 'database')
    throw new UsageError(`${entry.id} is no database: leave --base out`)
  const former = formerOf(bin, entry, domain)
  const wanted = { site: domain, database, former }
  const facts = await restoreFacts({ tx: services.db.read, actor: OPERATOR }, entry, wanted)
  if (domain !== undefined && !facts.site) throw new UsageError(`there is no site ${domain}`)
  if (domain !== undefined && entry.kind === 'client' && former === undefined)
    throw new UsageError(`${entry.id} has no site ${domain}`)
  if (database !== undefined && !facts.load) throw new UsageError(`there is no database ${database}`)
  const apart = entry.kind === 'database' ? database === undefined : domain === undefined
  const by = { actor: OPERATOR, here: services.config.node, apart, exhausted: null }
  const to = decideRestore(entry, facts, by)
  if (domain !== undefined && to.kind !== 'site') throw new UsageError(`${entry.id} ${whyApart(entry)}`)
  requireBare(to, entry.id, bin)
  return to
}
