import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from './bundles.ts'
import { loopbackCertificate } from './certificate.ts'
import { bindingsOf, type FunctionHostOptions } from './function-host.ts'
import { freePort } from './ports.ts'
import { eventually } from './wait.ts'

/** As deploy/function/README.md says. */
const SERVE = [
  'serve',
  '--host',
  '127.0.0.1',
  '--allow-net',
  '--allow-env',
  '--allow-read=.',
  '--unstable-cron',
]

/** A panel in Deno, over plain HTTP on loopback. */
export class DenoHost {
  readonly #origin: string
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  #folder: string | null = null
  #log = ''

  private constructor(origin: string, child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>) {
    this.#origin = origin
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) void this.#collect(stream)
  }

  /** The bundle that operators deploy, with the bindings that the tests of function hosts share. */
  static async start(options: Pick<FunctionHostOptions, 'database' | 'keys' | 'env'>) {
    const folder = await mkdtemp(join(tmpdir(), 'deno-'))
    await writeFile(join(folder, 'panel.deno.js'), await bundled('panel.deno.js'))
    const { caPath } = await loopbackCertificate()
    const host = await DenoHost.serve(folder, { DENO_CERT: caPath, ...bindingsOf(options) })
    host.#folder = folder
    return host
  }

  /** What the build has made, started as the README says; resolves once it answers. */
  static async serve(folder: string, env: Record<string, string>): Promise<DenoHost> {
    const port = await freePort()
    const child = Bun.spawn([executable(), ...SERVE, '--port', String(port), 'panel.deno.js'], {
      cwd: folder,
      env: { NO_COLOR: '1', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const host = new DenoHost(`http://127.0.0.1:${port}`, child)
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`Deno did not start: ${host.log}`)
      return host.fetch('/api').then(
        ({ status }) => status === 404,
        () => false,
      )
    }, 'Deno')
    return host
  }

  /** What the host has written to its console. */
  get log(): string {
    return this.#log
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#origin + path, { redirect: 'manual', ...init })
  }

  /** Ends it and answers its status. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number> {
    this.#child.kill(signal)
    const status = await this.#child.exited
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
    return status
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this.#log += decoder.decode(chunk, { stream: true })
  }
}

/** The npm package's program itself: its wrapper would stay between a signal and the program. */
function executable(): string {
  const { runInstall } = createRequire(import.meta.url)('deno/install_api.cjs') as { runInstall(): string }
  return runInstall()
}
