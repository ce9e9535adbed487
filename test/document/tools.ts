import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../..')
/** None of the tools may ask for anything outside: the machine of a test may have no network. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  DO_NOT_TRACK: '1',
  CI: '1',
}

/** Runs one of the checkout's tools in a folder; `code` is how it ended and `text` all that it printed. */
export async function tool(
  cwd: string,
  script: string,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(
    ['bun', '--preload', join(import.meta.dir, 'typescript5.ts'), resolve(ROOT, script), ...args],
    {
      cwd,
      env: { ...process.env, ...QUIET },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, text: out + error }
}

/** A folder of its own beside the checkout's packages, with the document in it. */
export async function folderWith(document: unknown): Promise<string> {
  const folder = await mkdtemp(join(process.env.TMPDIR ?? '/tmp', 'document-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

export const remove = (folder: string) => rm(folder, { recursive: true, force: true })

/** Strict, and reading the libraries' own types too, as an outside developer's project may. */
const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
  },
}

/** What `tsc` has against these files, under strict rules. */
export async function faultsOf(folder: string, ...files: string[]): Promise<string> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...STRICT, files }))
  const child = Bun.spawn([join(ROOT, 'node_modules/.bin/tsc'), '-p', folder], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const text = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return (await child.exited) === 0 ? '' : text
}
