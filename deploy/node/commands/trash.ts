import type { BinEntry, BinPort } from '../../../lib/endpoint/ports/bin.ts'
import { decideRestore, requireBare } from '../../../lib/trash/decide.ts'
import { restoreFacts } from '../../../lib/trash/facts.ts'
import { deletedLine, deletedView } from '../../../lib/trash/view.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

const MEASURE_MS = 600_000

/** `panel papelera`: what was deleted, to be listed, restored or removed for good. */
export async function trash(given: Given, output: Output): Promise<void> {
  const id = given.get('ID')
  const runtime = await createRuntime(process.env, { hands: true })
  try {
    const bin = runtime.hands?.bin
    if (!bin) throw new UsageError('there is no web server on this machine, so nothing was ever deleted')
    if (id === undefined) return await list(runtime, bin, output)
    const entry = bin.find(id)
    if (entry === null) throw new UsageError(`there is no ${id} in the bin`)
    if (given.has('purgar')) {
      const purgados = await bin.purge({ id })
      if (purgados.length === 0) throw new UsageError(`something still writes into ${id}`)
      output.line({ purgados }, [`Removed ${id} for good.`])
    } else {
      const place = await bin.restore(id, await siteOf(runtime, bin, { entry, domain: given.get('--sitio') }))
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
  const views = await deletedView(db.read, bin.list(), viewing)
  output.line(views, views.map(deletedLine))
}

/** The existing site that gets the files, where one is named; decided as by the API. */
async function siteOf(
  { services }: Runtime,
  bin: BinPort,
  { entry, domain }: { entry: BinEntry; domain: string | undefined },
) {
  const actor = { kind: 'cron' } as const
  const wanted = { site: domain, database: undefined }
  const facts = await restoreFacts({ tx: services.db.read, actor }, entry, wanted)
  if (domain !== undefined && !facts.site) throw new UsageError(`there is no site ${domain}`)
  const apart = domain === undefined || entry.kind !== 'site'
  const by = { actor, here: services.config.node, apart, exhausted: null }
  const to = decideRestore(entry, facts, by)
  requireBare(to, bin)
  return to.kind === 'site' ? { clientId: to.client.id, siteId: to.site.id } : undefined
}
