import { cp, mkdir, rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import type { BunPlugin } from 'bun'

const ROOT = resolve(import.meta.dir, '../..')
const ENTRIES = { 'worker.js': 'workerd.ts', 'usage-alone.js': 'usage-alone.ts', 'panel.deno.js': 'deno.ts' }

export type Entry = keyof typeof ENTRIES

/** Modules that a function host lacks: a polyfill of one would hide that the code needs a node. */
const FORBIDDEN = new RegExp(
  `^(?:node:.*|bun(?::.*)?|(?:${builtinModules.join('|')})|nodemailer.*|oslo/password|oslo/webauthn|@node-rs/.*|libsql)$`,
)

/** Its package.json says that bundles for browsers are to leave it out: it is for Node.js without Web Crypto. */
const LEFT_OUT = /\/node_modules\/bcryptjs\/index\.js crypto$/

const onlyWebModules: BunPlugin = {
  name: 'only-web-modules',
  setup(build) {
    build.onResolve({ filter: FORBIDDEN }, ({ path, importer }) => {
      if (LEFT_OUT.test(`${importer} ${path}`)) return { path, namespace: 'left-out' }
      throw new Error(`${path} cannot run on a function host; imported by ${importer}`)
    })
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({
      contents: 'export default null',
      loader: 'js',
    }))
  },
}

/** Bundles one entry for a function host; throws where it needs a module that such a host lacks. */
export async function bundle(entry: Entry): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(import.meta.dir, ENTRIES[entry])],
    target: 'browser',
    format: 'esm',
    minify: true,
    plugins: [onlyWebModules],
  })
  const [output] = result.outputs
  if (!output) throw new Error(`nothing was bundled for ${entry}`)
  return output.text()
}

/** Everything that a function host needs, in one folder: bundles, configuration, the interface's files. */
export async function buildFunction(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(join(out, 'assets/docs'), { recursive: true })
  for (const entry of Object.keys(ENTRIES) as Entry[]) {
    const text = await bundle(entry)
    await Bun.write(join(out, entry), text)
    const packed = Bun.gzipSync(new TextEncoder().encode(text)).length
    console.log(`${entry}: ${Math.round(text.length / 1000)} kB, ${Math.round(packed / 1000)} kB compressed`)
  }
  for (const name of ['wrangler.toml', 'workerd.capnp'])
    await cp(join(import.meta.dir, name), join(out, name))
  await cp(join(ROOT, 'web/dist'), join(out, 'assets'), { recursive: true }).catch(() => {
    console.log('web/dist is not there: run `bun run build:web` first to have the interface')
  })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    await cp(join(ROOT, 'node_modules/swagger-ui-dist', name), join(out, 'assets/docs', name))
  }
}

if (import.meta.main) await buildFunction(resolve(process.argv[2] ?? join(ROOT, 'dist/function')))
