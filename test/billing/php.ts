import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The module as it is copied into a billing system. */
export const MODULE = join(import.meta.dir, '../../modules/servers/controlpanel')

/** Where the billing system's SystemURL is found. */
export type SystemSource = {
  source: 'setting' | 'config' | 'table' | 'broken' | 'none' | 'nothing'
  url: string
}

/**
 * One call of a module function; `method` is one of what it answers to call, with arguments; `hurried` is Terminate with
 * a time limit in seconds.
 */
export type PhpCall = { fn: string; params?: unknown; method?: [string, ...unknown[]]; hurried?: number }

/** `type` is PHP's own word for it, since an empty array and an object look the same in JSON. */
type PhpResult = { value?: unknown; type?: string; thrown?: string; message?: string }

/** A row of the billing system's services. */
export type HostingRow = { id: number; server: number } & Record<string, unknown>

/** One entry of the module log, as the module gave it. */
export type LogEntry = [
  module: string,
  action: string,
  request: string,
  response: string,
  processed: string,
  redact: string[],
]

export type PhpRun = {
  results: PhpResult[]
  log: LogEntry[]
  rows: HostingRow[]
  writes: string[]
  /** What the module saved into the service's properties, in order. */
  saved: Record<string, string>[]
  defined: string[]
  version: string
}

export type PhpOptions = {
  calls: readonly PhpCall[]
  /** The file named in `curl.cainfo`, the trust store of this billing server; null for the system's own. */
  ca: string | null
  system?: SystemSource
  rows?: readonly HostingRow[]
  logFails?: boolean
  /** Whether this billing system is new enough for usage billing. */
  usageBilling?: boolean
  /** Further arguments of `php`, before the script. */
  phpArguments?: readonly string[]
  /** A version of PHP in WebAssembly instead of Debian's own. */
  version?: WasmVersion
}

/** Every version that the module is for. */
export const WASM_VERSIONS = ['7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5'] as const
export type WasmVersion = (typeof WASM_VERSIONS)[number]

const MODULES = join(import.meta.dir, '../../node_modules')
/** Debian's own Node is too old for it, and Bun lacks what it needs. */
const WASM = [
  join(MODULES, `node-linux-${process.arch}/bin/node`),
  join(MODULES, '@php-wasm/cli/php-wasm.js'),
]

const PRODUCTION: SystemSource = { source: 'setting', url: 'https://billing.example.com/' }

/** Calls the module in a PHP of its own. Any warning, notice, deprecation or output of the module is an error. */
export async function runPhp(options: PhpOptions): Promise<PhpRun> {
  const settings = ['error_reporting=-1', 'display_errors=0', 'log_errors=0']
  // Where both are set, PHP's curl reads the first; the one in WebAssembly comes with a bundle there.
  if (options.ca !== null) settings.push(`openssl.cafile=${options.ca}`, `curl.cainfo=${options.ca}`)
  const scratch = mkdtempSync(join(tmpdir(), 'php-'))
  const php = Bun.spawn(
    [
      ...(options.version === undefined ? ['php'] : WASM),
      ...(options.phpArguments ?? []),
      ...settings.flatMap((setting) => ['-d', setting]),
      join(import.meta.dir, 'runner.php'),
    ],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      // Nothing of the developer's own: the trust comes from the settings, as in production.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', PHP: options.version, TMPDIR: scratch },
    },
  )
  const { calls, system = PRODUCTION, rows = [], logFails = false, usageBilling = false } = options
  php.stdin.write(JSON.stringify({ module: MODULE, calls, system, rows, logFails, usageBilling }))
  php.stdin.end()
  const [out, err, code] = await Promise.all([
    new Response(php.stdout).text(),
    new Response(php.stderr).text(),
    php.exited,
  ])
  rmSync(scratch, { recursive: true, force: true })
  // In WebAssembly the exit status is lost: what the runner says on standard error counts.
  if (code !== 0 || err !== '') throw new Error(`php exited with ${code}: ${err}${code === 3 ? '' : out}`)
  return JSON.parse(out) as PhpRun // the runner writes exactly this shape
}

/** One call; what the module answered. */
export async function callPhp(
  fn: string,
  params: unknown,
  options: Omit<PhpOptions, 'calls'>,
): Promise<unknown> {
  const run = await runPhp({ ...options, calls: [{ fn, params }] })
  const result = run.results[0]
  if (result?.thrown !== undefined) throw new Error(`${result.thrown}: ${result.message}`)
  return result?.value
}

/** What the client area function answers, and Smarty makes of it; `theme` is a directory with templates of its own. */
export async function rendered(answer: unknown, theme?: string): Promise<string> {
  const { templatefile, vars } = answer as { templatefile: string; vars: unknown } // as the documentation asks
  const scratch = mkdtempSync(join(tmpdir(), 'smarty-'))
  const directories = theme === undefined ? [MODULE] : [theme, MODULE]
  const php = Bun.spawn(['php', join(import.meta.dir, 'render.php')], {
    stdin: new Blob([JSON.stringify({ templatefile, vars, directories, scratch })]),
    stderr: 'pipe',
  })
  const [html, err, code] = await Promise.all([
    new Response(php.stdout).text(),
    new Response(php.stderr).text(),
    php.exited,
  ])
  rmSync(scratch, { recursive: true })
  if (code !== 0 || err !== '') throw new Error(`Smarty: ${err}${html}`)
  return html
}
