import { readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BunPlugin } from 'bun'

const ROOT = resolve(import.meta.dir, '../..')
const FOLDER = join(ROOT, 'dist/test-panel')
const SOURCE = 'deploy/node/panel.ts'

/**
 * What the tests' panels are started from: the sources, or one file made of them, where test/run.ts has made it for
 * this run. A third of a start is the reading of two thousand modules, and a run starts some seven hundred panels. Who
 * runs a test by itself has the sources, so that no file of an earlier state is ever tested.
 */
export const PANEL_PROGRAM = process.env.PANEL_TEST_PROGRAM ?? SOURCE

/**
 * Makes the engine compile what has run eight times as often as it does by itself: most of these panels end after some
 * seconds, and a ninth of their processor's time went into code that was hardly run again. Benchmarks have its own.
 */
export const PANEL_ENGINE: Record<string, string> =
  PANEL_PROGRAM === SOURCE
    ? {}
    : { BUN_JSC_thresholdForJITAfterWarmUp: '4000', BUN_JSC_thresholdForJITSoon: '1000' }

/** Where that file is made. */
export const BUILT_PROGRAM = join(FOLDER, 'panel.js')

/** With what the engine makes of it, so that it need not be read again either. */
async function buildProgram(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  await Bun.build({
    entrypoints: [join(ROOT, SOURCE)],
    outdir: FOLDER,
    target: 'bun',
    format: 'cjs',
    bytecode: true,
    minify: { whitespace: true, syntax: true },
    plugins: [inPlace],
    // Its parts count on an order that a bundle does not keep; it is loaded when a certificate is asked for.
    external: ['reflect-metadata', '@peculiar/*', 'acme-client'],
  })
}

/** Each module finds the files beside it where they are, and none is a program of its own or waited for as one. */
const inPlace: BunPlugin = {
  name: 'in-place',
  setup(build) {
    build.onLoad({ filter: /\/deploy\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text
        .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.main', 'false')
        .replace('if (false) await main()', '')
        .replace(/^await main\(/m, 'void main(')
      return { contents, loader: 'ts' }
    })
  },
}

if (import.meta.main) await buildProgram()
