import { join } from 'node:path'

/** The module as it is copied into a billing system. */
export const MODULE = join(import.meta.dir, '../../modules/servers/controlpanel')

/** Where the billing system's SystemURL is found. */
export type SystemSource = {
  source: 'setting' | 'config' | 'table' | 'broken' | 'none' | 'nothing'
  url: string
}

/** One call of a module function; `hurried` is Terminate with a time limit in seconds. */
export type PhpCall = { fn: string; params?: unknown; hurried?: number }

export type PhpResult = { value?: unknown; thrown?: string; message?: string }

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
  /** Further arguments of `php`, before the script. */
  phpArguments?: readonly string[]
}

export const PRODUCTION: SystemSource = { source: 'setting', url: 'https://billing.example.com/' }

/** Calls the module in a PHP of its own. Any warning, notice, deprecation or output of the module is an error. */
export async function runPhp(options: PhpOptions): Promise<PhpRun> {
  const settings = ['error_reporting=-1', 'display_errors=0', 'log_errors=0']
  if (options.ca !== null) settings.push(`curl.cainfo=${options.ca}`)
  const php = Bun.spawn(
    [
      'php',
      ...(options.phpArguments ?? []),
      ...settings.flatMap((setting) => ['-d', setting]),
      join(import.meta.dir, 'runner.php'),
    ],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      // Nothing of the developer's own: the trust comes from curl.cainfo, as in production.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    },
  )
  const { calls, system = PRODUCTION, rows = [], logFails = false } = options
  php.stdin.write(JSON.stringify({ module: MODULE, calls, system, rows, logFails }))
  php.stdin.end()
  const [out, err, code] = await Promise.all([
    new Response(php.stdout).text(),
    new Response(php.stderr).text(),
    php.exited,
  ])
  if (code !== 0) throw new Error(`php exited with ${code}: ${err}${code === 3 ? '' : out}`)
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
