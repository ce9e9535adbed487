import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Driver from 'libsql'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

const CLIENTS = 100_000
const SECONDS = 4
const CONNECTIONS = 16

/** Under test the clock is a file that is read at every look, and every answer is validated against its schema. */
const AS_IN_PRODUCTION = { PANEL_TEST: '', PANEL_TEST_CLOCK: '' }

type Row = { what: string; perSecond: number; p50Ms: number }

/**
 * Requests a second over TLS on a database of 100,000 clients, each beside a constant answer of the same
 * kind of server and beside the bare driver, all measured in this one run.
 */
export async function run(): Promise<void> {
  const panel = await Panel.start({
    env: { ...AS_IN_PRODUCTION, PANEL_LIMITE_PETICIONES: '1000000', PANEL_LIMITE_ESCRITURAS: '1000000' },
  })
  const admin = await firstAdmin(panel)
  const bearer = await newToken(panel, admin)
  fill(join(panel.dataDir, 'panel.db'))
  const last = `c${String(CLIENTS - 300).padStart(7, '0')}`
  const constant = await constantServer(panel)
  const rows: Row[] = []
  const measure = (what: string, target: Target) => {
    const row = load(what, target)
    rows.push(row)
    return row.perSecond
  }
  const get = (path: string): Target => ({ url: `${panel.origin}/api${path}`, bearer })
  const base = measure('constant answer', { url: constant.origin })
  measure('GET /conexion', get('/conexion'))
  for (const limite of [50, 200]) {
    measure(`GET /clientes, ${limite}, first cursor`, get(`/clientes?limite=${limite}`))
    measure(`GET /clientes, ${limite}, last cursor`, get(`/clientes?limite=${limite}&desde=${last}`))
  }
  const script = join(panel.dataDir, 'create.lua')
  await writeFile(script, CREATE)
  measure('POST /clientes', { ...get('/clientes'), script })
  const bare = bareDriver(join(panel.dataDir, 'panel.db'), last)
  print(rows, base, bare)
  const memory = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${panel.pid}/status`, 'utf8'))?.[1]
  console.log(`memory of the panel     ${(Number(memory) / 1024).toFixed(0)} MB`)
  await constant.stop()
  await panel.stop()
  console.log(`start to first answer   ${(await startToFirstAnswer()).toFixed(0)} ms`)
}

function fill(path: string): void {
  const db = new Driver(path)
  db.exec('PRAGMA busy_timeout = 60000')
  db.exec('BEGIN IMMEDIATE')
  db.exec(`INSERT INTO clients (name, email, language, state, node, created_by, created_at, updated_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CLIENTS})
    SELECT printf('c%07d', i), printf('c%d@ejemplo.es', i), 'es', 'activo', 'nodo1', 'token', 1700000000000, 1700000000000 FROM n`)
  db.exec('COMMIT')
  db.close()
}

/** The same listing through the bare driver with one cached statement, rows as JSON. */
function bareDriver(path: string, last: string): Map<string, number> {
  const db = new Driver(path)
  const rates = new Map<string, number>()
  for (const limit of [50, 200]) {
    const statement = db.prepare(
      `SELECT c.name, c.reference, c.display_name, c.email, c.state, c.reason, c.suspended_at, p.name AS plan, c.node,
        c.created_by, c.created_at, c.updated_at, l.id AS login, l.password_hash IS NOT NULL AS password,
        l.totp_secret IS NOT NULL AS totp,
        (SELECT count(*) FROM sites s WHERE s.client_id = c.id AND s.state <> 'eliminando') AS sites
      FROM clients c LEFT JOIN plans p ON p.id = c.plan_id LEFT JOIN persons l ON l.client_id = c.id
      WHERE c.name > ? ORDER BY c.name LIMIT ?`,
    )
    const started = performance.now()
    let n = 0
    for (; performance.now() - started < 1500; n++)
      JSON.stringify(statement.all(n % 2 ? last : '', limit + 1))
    rates.set(String(limit), n / ((performance.now() - started) / 1000))
  }
  db.close()
  return rates
}

type Target = { url: string; bearer?: string; script?: string }

/** A new client at each request. */
const CREATE = `
local n = 0
request = function()
  n = n + 1
  return wrk.format('POST', nil, { ['Authorization'] = wrk.headers['Authorization'], ['Content-Type'] = 'application/json' },
    '{"cliente":"nuevo' .. n .. '"}')
end
`

/** Load by wrk, which costs far less than what it measures; an answer that is an error ends the benchmark. */
function load(what: string, { url, bearer, script }: Target): Row {
  const auth = bearer ? ['-H', `Authorization: Bearer ${bearer}`] : []
  const lua = script ? ['-s', script] : []
  const argv = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', ...auth, ...lua, url]
  const text = Bun.spawnSync(argv).stdout.toString()
  if (/Non-2xx/.test(text)) throw new Error(`${what}: ${text}`)
  const [, value = '0', unit = 'ms'] = /50%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  const p50Ms = Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1)
  return { what, perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0), p50Ms }
}

/** A Bun server with the panel's certificate that always answers the same, in a process of its own. */
async function constantServer(panel: Panel): Promise<{ origin: string; stop(): Promise<void> }> {
  const code = `const s = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert: Bun.file('${panel.dataDir}/tls/panel.pem'), key: Bun.file('${panel.dataDir}/tls/panel.key') }, fetch: () => new Response('{"panel":"controlpanel"}', { headers: { 'content-type': 'application/json' } }) }); console.log(s.port)`
  const child = Bun.spawn(['bun', '-e', code], { stdout: 'pipe' })
  const reader = child.stdout.getReader()
  const port = new TextDecoder().decode((await reader.read()).value).trim()
  return {
    origin: `https://localhost:${port}/`,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

function print(rows: Row[], base: number, bare: Map<string, number>): void {
  for (const { what, perSecond, p50Ms } of rows) {
    const page = /, (50|200),/.exec(what)?.[1]
    const beside = page ? `  ${(perSecond / (bare.get(page) ?? 1)).toFixed(2)} of the bare driver` : ''
    const ratio = (perSecond / base).toFixed(2)
    console.log(
      `${what.padEnd(36)} ${perSecond.toFixed(0).padStart(7)}/s  ${p50Ms.toFixed(2).padStart(7)} ms  ${ratio} of the constant${beside}`,
    )
  }
  for (const [page, rate] of bare)
    console.log(`${`bare driver, ${page} rows`.padEnd(36)} ${rate.toFixed(0).padStart(7)}/s`)
}

/** From the start of the process on an existing database to its first answer. */
async function startToFirstAnswer(): Promise<number> {
  const panel = await Panel.start({ env: AS_IN_PRODUCTION })
  await panel.kill()
  const started = performance.now()
  const up = panel.up()
  let elapsed = 0
  while (elapsed === 0) {
    const answer = await panel.fetch('/salud').catch(() => null)
    if (answer?.status === 200) elapsed = performance.now() - started
    else await Bun.sleep(2)
  }
  await up
  await panel.stop()
  return elapsed
}
