import { basename, join, relative } from 'node:path'
import { firstScreens, laterParts } from './screens.ts'

type Output = { entryPoint?: string; imports: { path: string; kind: string }[] }
/** What Bun tells of a build; its types do not have all of it. */
export type Graph = { outputs: Record<string, Output> }

/** The first script's name, and the files of each part. */
export type Boot = { name: string; parts: Record<string, string[]> }

const SCREENS = 'web/screens/'
const PANEL = 'shell/panel.tsx'

/** Builds the page's first script, which knows of each screen which files it needs besides the interface itself. */
export async function bundleBoot(graph: Graph, entry: string, outdir: string): Promise<Boot> {
  const parts = partsOf(graph, entry)
  const missing = [...firstScreens, ...laterParts].filter((screen) => !parts[screen])
  if (missing.length > 0) throw new Error(`no such screens: ${missing.join(', ')}`)
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'boot.ts')],
    outdir,
    target: 'browser',
    format: 'iife',
    minify: true,
    naming: { entry: 'assets/[name]-[hash].[ext]' },
    define: { PARTS: JSON.stringify(parts) },
  })
  const [boot] = built.outputs
  if (!boot) throw new Error('the first script was not built')
  return { name: basename(boot.path), parts }
}

/** The files of the panel and of each of its screens, by their paths below web/screens. */
function partsOf({ outputs }: Graph, entry: string): Record<string, string[]> {
  const loaded = new Set(needed(outputs, entry))
  const panel = Object.values(outputs).find(({ entryPoint }) => entryPoint?.endsWith(PANEL))
  const screens = new Set(
    panel?.imports.flatMap(({ path, kind }) => (kind === 'dynamic-import' ? [path] : [])),
  )
  const root = join(import.meta.dir, '../..')
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
      const source = entryPoint && relative(root, join(root, entryPoint))
      if (!source?.startsWith(SCREENS)) return []
      const part = source.slice(SCREENS.length).replace(/\.tsx?$/, '')
      if (!screens.has(path) && !source.endsWith(PANEL) && !laterParts.includes(part)) return []
      const files = needed(outputs, path).filter((one) => !loaded.has(one))
      return [[part, files.map((one) => one.replace(/^\./, ''))]]
    }),
  )
}

/** A file and all that it imports statically. */
function needed(outputs: Graph['outputs'], path: string): string[] {
  const found = new Set([path])
  for (const one of found)
    for (const { path: next, kind } of outputs[one]?.imports ?? [])
      if (kind === 'import-statement') found.add(next)
  return [...found]
}
