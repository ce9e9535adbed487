import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beginMigrated } from './begun.ts'
import { type Mail, parseMail } from './mails.ts'
import { checkAnswer, type OpenApi } from './openapi.ts'
import { freePort } from './ports.ts'
import { PANEL_ENGINE, PANEL_PROGRAM } from './program.ts'
import { type Front, type Underlay, underlay, wayOfTests } from './under.ts'
import { portOfFreeRange } from './users.ts'
import { eventually } from './wait.ts'

const ROOT = resolve(import.meta.dir, '../..')
const START_MS = 120_000
/** Where Bun keeps what it makes of sources for this process too. */
const TRANSPILED = process.env.BUN_RUNTIME_TRANSPILER_CACHE_PATH ?? join(homedir(), '.bun/install/cache/@t@')
/** All panels of a test process are of this checkout and describe the same: read once, and its schemas compiled once. */
let described: OpenApi | null = null

export type Answer = {
  status: number
  headers: Headers
  /** The parsed JSON body; for other types the text. Tests narrow it by what they assert. */
  body: Json
}
// biome-ignore lint/suspicious/noExplicitAny: tests read answers by the field; the OpenAPI check has proved their shape.
export type Json = any

export type Call = {
  bearer?: string
  body?: unknown
  headers?: Record<string, string>
  /** Sent as it is, instead of `body` as JSON. */
  raw?: string | Uint8Array
}

export type StartOptions = { env?: Record<string, string>; dataDir?: string; port?: number }

/** A running panel process, reached over verified TLS; every answer is checked against its OpenAPI document. */
export class Panel {
  readonly dataDir: string
  readonly port: number
  readonly env: Record<string, string>
  firstLink: string | null = null
  /** Leaves the data directory to the test that made it. */
  keepData = false
  certPath = ''
  ca = ''
  #process: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null
  readonly #under: Underlay
  #front: Front | null = null
  #log = ''

  private constructor(dataDir: string, port: number, env: Record<string, string>, under: Underlay) {
    this.#under = under
    this.dataDir = dataDir
    this.port = port
    this.env = env
  }

  static async start(options: StartOptions = {}): Promise<Panel> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'panel-')))
    const port = options.port ?? (await freePort())
    const [http, https, dns] = [await portOfFreeRange(), await freePort(), await freePort()]
    // Others (the web server's user) must be able to pass to the sites' files.
    await chmod(dataDir, 0o711)
    const under = await underlay(wayOfTests(), dataDir)
    const defaults = {
      PATH: process.env.PATH ?? '',
      HOME: dataDir,
      // A start takes a quarter less of the processor's time where Bun finds what it has made of the sources before.
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: TRANSPILED,
      ...PANEL_ENGINE,
      PANEL_DATA: dataDir,
      PANEL_PORT: String(port),
      PANEL_HOST: 'localhost',
      PANEL_BIND: '127.0.0.1',
      PANEL_NODE: 'nodo1',
      PANEL_IPS: '127.0.0.1',
      PANEL_NS: 'ns1.panel.test,ns2.panel.test',
      PANEL_HTTP_PORT: String(http),
      PANEL_HTTPS_PORT: String(https),
      PANEL_DNS_PORT: String(dns),
      PANEL_TEST: '1',
      PANEL_TEST_CLOCK: join(dataDir, 'clock'),
      ...under.env,
    }
    const env = { ...defaults, ...options.env }
    const panel = new Panel(dataDir, port, env, under)
    if (options.dataDir === undefined && !('PANEL_DB_URL' in env)) await beginMigrated(dataDir)
    await panel.up()
    return panel
  }

  get origin(): string {
    return `https://localhost:${this.port}`
  }

  get httpPort(): number {
    return Number(this.env.PANEL_HTTP_PORT)
  }

  get httpsPort(): number {
    return Number(this.env.PANEL_HTTPS_PORT)
  }

  get dnsPort(): number {
    return Number(this.env.PANEL_DNS_PORT)
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  /** Everything that the panel has written to its log, on every host that it runs on. */
  get log(): string {
    return this.#log + (this.#front?.log ?? '')
  }

  /** Starts the process, also again after `kill`, and waits until it serves. */
  async up(env: Record<string, string> = {}): Promise<void> {
    const child = Bun.spawn(['bun', PANEL_PROGRAM, 'start', '--json'], {
      cwd: ROOT,
      env: { ...this.env, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.#process = child
    void this.#collect(child.stderr)
    const line = await Promise.race([firstLine(child.stdout), child.exited.then(() => null), after(START_MS)])
    if (line === null || line === 'timeout') throw new Error(`the panel did not start: ${this.#log}`)
    const { certificado, enlace } = JSON.parse(line)
    this.certPath = certificado
    this.ca = await readFile(certificado, 'utf8')
    this.firstLink = enlace
    this.#front = await this.#under.front(this.env)
  }

  /**
   * Whether an answer waits for the work that its change queued. A function host has no node to wait for:
   * it answers `preparando`, or 202 for a deletion, and the node does the work soon after.
   */
  get waits(): boolean {
    return this.#front === null
  }

  /** Ends the process as a crash would. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL')
    await this.#process?.exited
  }

  /** Waits until the process ends by itself, as a planted crash makes it. */
  async died(): Promise<void> {
    await this.#process?.exited
  }

  /** Ends the process in order and removes its data. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGTERM')
    const ended = await Promise.race([this.#process?.exited, after(30_000)])
    if (ended === 'timeout') await this.kill()
    await this.#under.stop()
    if (!this.keepData) await rm(this.dataDir, { recursive: true, force: true })
    if (ended === 'timeout') throw new Error(`the panel did not end, and its services run on: ${this.#log}`)
  }

  /** One request below `/api`, with a bearer where one is given. */
  api(method: string, path: string, call: Call = {}): Promise<Answer> {
    return this.request(method, `/api${path}`, call)
  }

  /** One request below `/acceso`. */
  access(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', `/acceso${path}`, { body, headers })
  }

  /** One request as it is; the answer is checked against the OpenAPI document. */
  request(method: string, path: string, call: Call = {}): Promise<Answer> {
    return this.#checked(method, path, call, (...request) => this.fetch(...request))
  }

  /**
   * The same at the node itself, also where a function host answers in its place: for what a test needs but
   * does not ask about, since the node hashes a password in a tenth of the time and sends its mails at once.
   */
  atNode(method: string, path: string, call: Call = {}): Promise<Answer> {
    return this.#checked(method, path, call, (...request) => this.#fetchNode(...request))
  }

  async #checked(method: string, path: string, call: Call, fetch: Panel['fetch']): Promise<Answer> {
    const response = await fetch(path, {
      method,
      headers: {
        ...(call.bearer ? { authorization: `Bearer ${call.bearer}` } : {}),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...bodyOf(call),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json') ?? false
    const body: Json = json ? JSON.parse(text) : text
    const document = described ?? ((await (await this.fetch('/openapi.json')).json()) as OpenApi)
    described ??= document
    checkAnswer(described, method, path, response, body)
    return { status: response.status, headers: response.headers, body }
  }

  /** A plain request over verified TLS. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#front ? this.#front.fetch(path, init) : this.#fetchNode(path, init)
  }

  #fetchNode(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, { redirect: 'manual', ...init, tls: { ca: this.ca } })
  }

  /** Runs a command of this panel; answers its parsed JSON lines and its exit status. */
  command(...args: string[]): Promise<{ status: number; lines: Json[]; error: string }> {
    return this.commandWith({}, ...args)
  }

  /** The same under further settings. */
  async commandWith(env: Record<string, string>, ...args: string[]) {
    const child = Bun.spawn(['bun', PANEL_PROGRAM, ...args, '--json'], {
      cwd: ROOT,
      env: { ...this.env, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, error, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const lines: Json[] = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    return { status, lines, error }
  }

  /** Moves the panel's clock to this many seconds from the real time. */
  async setClock(seconds: number): Promise<void> {
    await writeFile(join(this.dataDir, 'clock'), String(seconds))
  }

  /** The mails written as files so far, oldest first. */
  async mails(): Promise<Mail[]> {
    const folder = join(this.dataDir, 'correo')
    const names = await readdir(folder).catch(() => [])
    const files = names.filter((name) => name.endsWith('.eml')).sort()
    return Promise.all(files.map(async (name) => parseMail(await readFile(join(folder, name)))))
  }

  /** Waits for the n-th mail to an address and answers it. */
  async mailTo(address: string, n = 1): Promise<Mail> {
    return eventually(async () => {
      const mine = (await this.mails()).filter(({ to }) => to === address)
      if (!mine[n - 1] && this.#front) await this.#sendMails()
      return mine[n - 1] ?? null
    }, `mail ${n} to ${address}`)
  }

  /** Has the node hand over now what a function host has queued; its own schedule does so every two seconds. */
  async #sendMails(): Promise<void> {
    const headers = { authorization: `Bearer ${this.env.PANEL_CRON_SECRET}` }
    await (await this.#fetchNode('/cron/correo', { method: 'POST', headers })).arrayBuffer()
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this.#log += decoder.decode(chunk, { stream: true })
  }
}

function bodyOf(call: Call): { body?: BodyInit } {
  if (call.raw !== undefined)
    return { body: typeof call.raw === 'string' ? call.raw : new Uint8Array(call.raw) }
  return call.body === undefined ? {} : { body: JSON.stringify(call.body) }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) return text.split('\n')[0] ?? null
  }
  return null
}

const after = (ms: number) => new Promise<'timeout'>((resolve) => setTimeout(() => resolve('timeout'), ms))
