import { eq } from 'drizzle-orm'
import { sites } from '../../../schema/tables.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { binLine, binView } from '../trash/bin-view.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel papelera`: deleted files, to be listed, given back or removed for good. */
export async function trash(given: Given, output: Output): Promise<void> {
  const id = given.get('ID')
  const runtime = await createRuntime(process.env, { hands: true })
  try {
    const bin = runtime.hands?.bin
    if (!bin) throw new UsageError('there is no web server on this machine, so nothing was ever deleted')
    if (id === undefined) {
      const entries = await binView(runtime.services.db.read, bin)
      output.line(entries, entries.map(binLine))
    } else if (given.has('purgar')) {
      const purgados = await bin.purge({ id })
      if (purgados.length === 0) throw new UsageError(`there is no ${id} in the bin`)
      output.line({ purgados }, [`Removed ${id} for good.`])
    } else {
      const place = await bin.restore(id, await siteOf(runtime, given.get('--sitio')))
      if (place === null) throw new UsageError(`there is no ${id} in the bin`)
      output.line({ restaurado: id, ruta: place }, [`Restored to ${place}`])
    }
  } finally {
    runtime.hands?.release()
    await runtime.close()
  }
}

/** The existing site that gets the files, where one is named. */
async function siteOf({ services }: Runtime, domain: string | undefined) {
  if (domain === undefined) return undefined
  const site = await services.db.read.select().from(sites).where(eq(sites.domain, domain)).get()
  if (!site) throw new UsageError(`there is no site ${domain}`)
  return { clientId: site.clientId, siteId: site.id }
}
