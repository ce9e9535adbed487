import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { fullPath } from '../deploy/http/docs.ts'
import { handlers } from '../handlers/index.ts'
import { bundleBoot } from './boot/bundle.ts'
import { firstScreens } from './boot/screens.ts'
import { theme } from './theme.ts'
import { EmptyFrame } from './ui/look/frame.tsx'

const WEB = import.meta.dir
const DIST = resolve(WEB, 'dist')
/** A first visit downloads at most this much, compressed: page, script, style sheet and typeface. */
const FIRST_LOAD_MAX_BYTES = 250 * 1024
/** And a screen with the frame at most this much more: what only some of its visitors use comes when it is asked for. */
const SCREEN_MAX_BYTES = 90 * 1024
const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/

const fontNames: string[] = []
await rm(DIST, { recursive: true, force: true })
await mkdir(DIST, { recursive: true })

const built = await Bun.build({
  entrypoints: [join(WEB, 'main.tsx')],
  outdir: DIST,
  target: 'browser',
  format: 'esm',
  splitting: true,
  metafile: true,
  minify: true,
  publicPath: '/',
  naming: {
    entry: 'assets/[name]-[hash].[ext]',
    chunk: 'assets/[name]-[hash].[ext]',
    asset: 'assets/[name]-[hash].[ext]',
  },
  define: {
    'process.env.NODE_ENV': '"production"',
    PERSON_ONLY: JSON.stringify(personOnly()),
  },
  plugins: [themeVariables(), fontFiles()],
})

const [entry, ...others] = built.outputs
  .filter(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'))
  .map(({ path }) => basename(path))
const styles = built.outputs.map(({ path }) => basename(path)).filter((name) => /^main-.*\.css$/.test(name))
if (!entry || others.length > 0) throw new Error('the bundle has not one entry')
if (!built.metafile) throw new Error('the bundle does not tell its parts')
const boot = await bundleBoot(built.metafile, `./assets/${entry}`, DIST)
const outputs = [...built.outputs.map(({ path }) => basename(path)), boot.name, ...fontNames]
await writeFile(join(DIST, 'index.html'), page())
await writeFile(join(DIST, 'icon.svg'), ICON())
await report(await compressed())

/** Operations that answer an API token with 403 `no_con_token`, by method and path. */
function personOnly(): string[] {
  return handlers
    .filter(({ access }) => access.kind === 'bearer' && !access.token)
    .map((handler) => `${handler.method} ${fullPath(handler)}`)
}

/** `theme:variables.css`: what Mantine would otherwise put into a style element when it starts. */
function themeVariables(): Bun.BunPlugin {
  return {
    name: 'theme-variables',
    setup(build) {
      build.onResolve({ filter: /^theme:variables\.css$/ }, () => ({
        path: 'variables.css',
        namespace: 'theme',
      }))
      build.onLoad({ filter: /./, namespace: 'theme' }, () => {
        const variables = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))
        return { loader: 'css', contents: `@layer mantine {${convertCssVariables(variables, ':root')}}` }
      })
    },
  }
}

/** Bun puts small fonts into the style sheet as `data:`, which the Content-Security-Policy forbids. */
function fontFiles(): Bun.BunPlugin {
  return {
    name: 'font-files',
    setup(build) {
      build.onResolve({ filter: /\.woff2$/ }, async ({ path }) => {
        const file = await readFile(Bun.resolveSync(path, WEB))
        const name = `${basename(path, '.woff2')}-${Bun.hash(file).toString(36).slice(0, 8)}.woff2`
        await mkdir(join(DIST, 'assets'), { recursive: true })
        await writeFile(join(DIST, 'assets', name), file)
        fontNames.push(name)
        return { path: `/assets/${name}`, external: true }
      })
    },
  }
}

function firstFonts(): string[] {
  return outputs.filter((name) => /^ibm-plex-sans-latin-400-normal-.*\.woff2$/.test(name))
}

function page(): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex">',
    '<title>Panel</title>',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    `<script src="/assets/${boot.name}" async fetchpriority="high"></script>`,
    ...styles.map((name) => `<link rel="stylesheet" href="/assets/${name}">`),
    ...firstFonts().map(
      (name) => `<link rel="preload" href="/assets/${name}" as="font" type="font/woff2" crossorigin>`,
    ),
    `<script type="module" src="/assets/${entry}"></script>`,
  ]
  const frame = renderToStaticMarkup(createElement(EmptyFrame, null, WAITING()))
  const noscript = 'This panel needs JavaScript. Este panel necesita JavaScript.'
  return `<!doctype html>
<html lang="es">
<head>
${head.join('\n')}
</head>
<body><div id="root">${frame}</div><noscript>${noscript}</noscript></body>
</html>
`
}

/** As `Waiting` is, without its text: nobody knows yet in which language. */
function WAITING() {
  const lines = ['a', 'b', 'c', 'd'].map((key) => createElement('i', { key }))
  return createElement('div', { className: 'waiting' }, lines)
}

/** The mark: a rack with one unit lit. */
function ICON(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d72"/><path d="M8 9h16M8 16h9M8 23h16" stroke="#a6cfda" stroke-width="3" stroke-linecap="round"/><circle cx="23" cy="16" r="2.5" fill="#ffd479"/></svg>\n`
}

type Size = { name: string; raw: number; gzip: number; br: number }

/** Writes `.gz` and `.br` beside every text file, at the highest levels: it is done once. */
async function compressed(): Promise<Size[]> {
  const names = ['index.html', 'icon.svg', ...outputs.map((name) => `assets/${name}`)]
  const sizes: Size[] = []
  for (const name of new Set(names)) {
    const path = join(DIST, name)
    const body = await readFile(path)
    const size = { name, raw: body.length, gzip: body.length, br: body.length }
    sizes.push(size)
    if (!COMPRESSIBLE.test(name)) continue
    const small = await promisify(gzip)(body, { level: 9 })
    const smaller = await promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    })
    await writeFile(`${path}.gz`, small)
    await writeFile(`${path}.br`, smaller)
    Object.assign(size, { gzip: small.length, br: smaller.length })
  }
  return sizes
}

/** Fails the build where the first load has grown too large; prints what it weighs. */
async function report(sizes: Size[]): Promise<void> {
  const first = await firstLoad(sizes)
  const total = first.reduce((sum, { gzip }) => sum + gzip, 0)
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  if (process.argv.includes('--sizes')) {
    for (const { name, raw, gzip, br } of sizes) {
      console.log(`${kb(gzip).padStart(10)} gzip ${kb(br).padStart(10)} br ${kb(raw).padStart(10)}  ${name}`)
    }
  }
  console.log(`interface: ${sizes.length} files, first load ${kb(total)} gzip`)
  if (total > FIRST_LOAD_MAX_BYTES) throw new Error('the first load is larger than 250 KiB')
  for (const screen of firstScreens) {
    const parts = new Set([...(boot.parts['shell/panel'] ?? []), ...(boot.parts[screen] ?? [])])
    const more = sizes.filter(({ name }) => parts.has(`/${name}`)).reduce((sum, { gzip }) => sum + gzip, 0)
    if (process.argv.includes('--sizes')) console.log(`${kb(more).padStart(10)} gzip  ${screen}`)
    if (more > SCREEN_MAX_BYTES) throw new Error(`${screen} takes ${kb(more)} besides the first load`)
  }
}

/** The page, what it links to, what that imports statically, and the typeface's upright weights. */
async function firstLoad(sizes: Size[]): Promise<Size[]> {
  const byName = new Map(sizes.map((size) => [size.name, size]))
  const wanted = new Set(['index.html', `assets/${boot.name}`, ...styles.map((name) => `assets/${name}`)])
  const open = [`assets/${entry}`]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue
    wanted.add(name)
    const code = await readFile(join(DIST, name), 'utf8')
    for (const [, chunk] of code.matchAll(/(?:from|import)\s*"(?:\.\/|\/assets\/)([\w.-]+\.js)"/g)) {
      open.push(`assets/${chunk}`)
    }
  }
  for (const { name } of sizes)
    if (/ibm-plex-sans-latin-[46]00-normal|ibm-plex-mono-latin-400/.test(name)) wanted.add(name)
  return [...wanted].flatMap((name) => byName.get(name) ?? [])
}
