import { eq } from 'drizzle-orm'
import { sites } from '../../../schema/tables.ts'
import { createRuntime } from '../runtime.ts'
import { type Output, typed, UsageError } from './output.ts'

const usage = () => `usage: ${typed('papelera [lista]')}
       ${typed('papelera restaurar ID [--sitio DOMAIN]')}
       ${typed('papelera purgar ID')}`

/** `panel papelera`: deleted files, to be listed, given back or removed for good. */
export async function trash(args: string[], output: Output): Promise<void> {
  const [verb = 'lista', id = ''] = args.filter((arg) => arg !== '--json')
  const runtime = await createRuntime(process.env, { hands: true })
  try {
    const bin = runtime.hands?.bin
    if (!bin) throw new UsageError('there is no web server on this machine, so nothing was ever deleted')
    if (verb === 'lista') {
      const entries = bin.list().map((entry) => ({
        id: entry.id,
        de: entry.kind === 'client' ? entry.name : entry.domain,
        eliminado: entry.deletedAt.toISOString(),
      }))
      output.line(
        entries,
        entries.map(({ id: name, de, eliminado }) => `${name.padEnd(16)} ${eliminado}  ${de}`),
      )
    } else if (verb === 'purgar' && id !== '') {
      const purgados = await bin.purge({ id })
      if (purgados.length === 0) throw new UsageError(`there is no ${id} in the bin`)
      output.line({ purgados }, [`Removed ${id} for good.`])
    } else if (verb === 'restaurar' && id !== '') {
      const ruta = await bin.restore(id, await siteOf(runtime, args))
      if (ruta === null) throw new UsageError(`there is no ${id} in the bin`)
      output.line({ restaurado: id, ruta }, [`Restored to ${ruta}`])
    } else throw new UsageError(usage())
  } finally {
    runtime.hands?.release()
    await runtime.close()
  }
}

/** The existing site that gets the files, where one is named. */
async function siteOf({ services }: Awaited<ReturnType<typeof createRuntime>>, args: string[]) {
  const at = args.indexOf('--sitio')
  if (at < 0) return undefined
  const domain = args[at + 1] ?? ''
  const site = await services.db.read.select().from(sites).where(eq(sites.domain, domain)).get()
  if (!site) throw new UsageError(`there is no site ${domain}`)
  return { clientId: site.clientId, siteId: site.id }
}
