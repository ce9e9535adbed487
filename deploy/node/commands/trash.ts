import type { BinEntry, BinPort } from '../../../lib/endpoint/ports/bin.ts'
import { decideRestore, requireBare } from '../../../lib/trash/decide.ts'
import { isStillOwned, keptEntries, keptEntry, purgeFacts, restoreFacts } from '../../../lib/trash/facts.ts'
import { deletedLine, deletedView } from '../../../lib/trash/view.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

const MEASURE_MS = 600_000
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
      const site = await siteOf(runtime, bin, { entry, domain: given.get('--sitio') })
      const endsProcesses = await isStillOwned(services.db.read, entry)
      const place = await bin.restore(id, site, { endsProcesses })
      if (place === null) throw new UsageError(`${id} left the bin meanwhile`)
      output.line({ restaurado: id, ruta: place }, [`Restored to ${place}`])
    }
  } finally {
    runtime.hands?.release()
    await runtime.close()
  }
}

async function list({ services }: Runtime, bin: BinPort, output: Output): Promise<void> {
  const { db, config } = services
  const viewing = { bin, days: config.trashDays, withinMs: MEASURE_MS }
  const views = await deletedView(db.read, keptEntries(bin, { actor: OPERATOR, ...services }), viewing)
  output.line(views, views.map(deletedLine))
}

/** The existing site that gets the files, where one is named; decided as by the API. */
async function siteOf(
  { services }: Runtime,
  bin: BinPort,
  { entry, domain }: { entry: BinEntry; domain: string | undefined },
) {
  const wanted = { site: domain, database: undefined }
  const facts = await restoreFacts({ tx: services.db.read, actor: OPERATOR }, entry, wanted)
  if (domain !== undefined && !facts.site) throw new UsageError(`there is no site ${domain}`)
  const apart = domain === undefined || entry.kind !== 'site'
  const by = { actor: OPERATOR, here: services.config.node, apart, exhausted: null }
  const to = decideRestore(entry, facts, by)
  requireBare(to, entry.id, bin)
  return to.kind === 'site' ? { clientId: to.client.id, siteId: to.site.id } : undefined
}
