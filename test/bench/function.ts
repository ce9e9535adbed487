import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { bundle } from '../../deploy/function/build.ts'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { sqldProgram, startSqld } from '../support/libsql/sqld.ts'
import { random, seedAdmin, seedNode } from '../support/seed.ts'
import { startWorkerd, type WorkerOf } from '../support/workerd.ts'

const CONSTANT: WorkerOf = {
  name: 'constant',
  script: 'export default { fetch: () => new Response(\'{"estado":"ok"}\') }',
  bindings: {},
}
const PASSWORD = 'una frase larga y rara 7'
const STARTS = 7
const SECONDS = 4
const CONNECTIONS = 16

/**
 * Size of the bundle, cold start in workerd, requests a second beside a constant in workerd and beside what the
 * database's server alone answers, cost of a password.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const program = sqldProgram()
  if (!program) throw new Error('there is no sqld')
  const database = await startSqld(program, join(folder, 'store'))
  try {
    const { panel, token, email } = await panelOn(database.url)
    sizes(panel.script)
    await coldStarts(panel)
    await rates(panel, token, email, await bareServer(database.url, folder))
  } finally {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function panelOn(url: string) {
  const client = remoteClient({ url, token: null })
  await migrate(client, new Date(), async () => {})
  const db = createDatabase(client)
  const keys = newKeyLine(random)
  const admin = await seedAdmin(db, parseKeyRing(keys), await argon2Passwords().hash(PASSWORD))
  await seedNode(db, 'nodo1')
  const panel: WorkerOf = {
    name: 'panel',
    script: await bundle('worker.js'),
    bindings: {
      PANEL_TEST: '1',
      PANEL_HOST: 'localhost',
      PANEL_DB_URL: url,
      PANEL_KEYS: keys,
      PANEL_LIMITE_PETICIONES: '1000000',
      PANEL_LIMITE_ESCRITURAS: '1000000',
    },
  }
  return { panel, token: admin.token, email: admin.email }
}

function sizes(script: string): void {
  const bytes = new TextEncoder().encode(script)
  const packed = Bun.gzipSync(bytes).length
  console.log(`bundle               ${kB(bytes.length)} kB, ${kB(packed)} kB compressed`)
}

/** From starting the process to the first answer, and what of it is the panel's. */
async function coldStarts(panel: WorkerOf): Promise<void> {
  const times: Record<string, number[]> = { constant: [], panel: [] }
  for (let i = 0; i < STARTS; i++) {
    for (const worker of [CONSTANT, panel]) {
      const began = performance.now()
      const workerd = await startWorkerd([worker])
      times[worker.name]?.push(performance.now() - began)
      await workerd.stop()
    }
  }
  const [constant, whole] = [median(times.constant ?? []), median(times.panel ?? [])]
  console.log(
    `cold start           ${ms(whole)} ms, a constant's ${ms(constant)} ms: ${ms(whole - constant)} ms are the panel's`,
  )
}

/** Round trips a second that the server answers, a point read each. */
async function bareServer(url: string, folder: string): Promise<number> {
  const stmt = { sql: 'select name from nodes where name = ?', args: [{ type: 'text', value: 'nodo1' }] }
  const body = JSON.stringify({ requests: [{ type: 'execute', stmt }, { type: 'close' }] })
  const script = join(folder, 'read.lua')
  await writeFile(script, `wrk.method = "POST"\nwrk.body = [[${body}]]\n`)
  return wrk(`${url}/v2/pipeline`, {}, ['-s', script])
}

async function rates(panel: WorkerOf, token: string, email: string, bare: number): Promise<void> {
  const workerd = await startWorkerd([panel, CONSTANT])
  const origin = `http://127.0.0.1:${workerd.ports.panel}`
  const bearer = { authorization: `Bearer ${token}` }
  try {
    const made = await fetch(`${origin}/api/clientes`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ cliente: 'acme' }),
    })
    if (made.status !== 201) throw new Error(`no client: ${await made.text()}`)
    const constant = await wrk(`http://127.0.0.1:${workerd.ports.constant}/`)
    console.log(`constant             ${Math.round(constant)} requests/s`)
    console.log(`the server alone     ${Math.round(bare)} point reads/s`)
    for (const [label, path, headers, trips] of [
      ['gate (no bearer)', '/api/conexion', {}, 0],
      ['GET /conexion', '/api/conexion', bearer, 1],
      ['GET /clientes/acme', '/api/clientes/acme', bearer, 2],
      ['GET /clientes', '/api/clientes', bearer, 2],
    ] as const) {
      const rate = await wrk(origin + path, headers)
      const ofServer =
        trips > 0 ? `, ${percent((rate * trips) / bare)} of the server, round trips: ${trips}` : ''
      console.log(
        `${label.padEnd(20)} ${Math.round(rate)} requests/s, ${percent(rate / constant)} of the constant${ofServer}`,
      )
    }
    await password(origin, email)
  } finally {
    await workerd.stop()
  }
}

/** What a sign-in costs where the password is hashed in JavaScript, and natively. */
async function password(origin: string, email: string): Promise<void> {
  const body = JSON.stringify({ correo: email, contrasena: PASSWORD })
  const there = await timesOf(5, () =>
    fetch(`${origin}/acceso/entrar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  )
  const native = argon2Passwords()
  const hash = await native.hash(PASSWORD)
  const here = await timesOf(5, () => native.verify(hash, PASSWORD))
  console.log(`a password           ${ms(median(there))} ms in workerd, ${ms(median(here))} ms natively`)
}

async function timesOf(n: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < n; i++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times
}

/** Requests a second as wrk counts them; a refusal among them is an error. */
async function wrk(url: string, headers: Record<string, string> = {}, more: string[] = []): Promise<number> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const argv = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...lines, ...more, url]
  const text = await new Response(Bun.spawn(argv, { stderr: 'inherit' }).stdout).text()
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0)
  if (refused > 0 && (headers.authorization || more.length > 0)) throw new Error(`${url}: ${refused} refused`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const kB = (bytes: number) => Math.round(bytes / 1000)
const percent = (share: number) => `${(100 * share).toFixed(0)}%`
const ms = (value: number) => Math.round(value)
