import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { udpResolver } from '../../deploy/node/resolver/udp.ts'
import { findProcesses } from '../../deploy/node/services/process.ts'
import { createWebNode, type WebNode } from '../../deploy/node/web/node.ts'
import type { Step } from '../../lib/endpoint/node-port.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { selfSignedFor } from '../support/self-signed.ts'
import { type Pressure, pressure, round, until, withNginx } from './_web.ts'

const step: Step = (_name, run) => run()
const SIZES = [0, 1_000, 10_000, 20_000]
const SAMPLES = 30
const BLOCK_SAMPLES = 3
const SITES_PER_CLIENT = 100
const ANSWER_MS = 1_000
/** Numbers of the clients that only fill the node; the panel's own begin at 1. */
const FILL_FROM = 100
const FREE = { PANEL_LIMITE_ESCRITURAS: '1000000', PANEL_LIMITE_PETICIONES: '1000000' }

/**
 * From `POST /api/sitios` to the first page and the first DNS answer with 0 to 20,000 sites on the web
 * server, what nginx uses meanwhile, requests a second, and the same for one server block a site with a
 * reload. Prints one line of JSON a measurement; throws when a worker of the web server was replaced.
 */
export async function run(sizes: number[] = SIZES): Promise<void> {
  const panel = await Panel.start({ env: FREE })
  try {
    await withPanel(panel, sizes)
  } finally {
    await panel.stop()
  }
  await serverBlocks(sizes)
}

type Bench = { panel: Panel; bearer: string; filler: WebNode; made: number; filled: number }

async function withPanel(panel: Panel, sizes: number[]): Promise<void> {
  const bearer = await newToken(panel, await firstAdmin(panel))
  await panel.api('POST', '/clientes', { bearer, body: { cliente: 'banco' } })
  const filler = await fillerOf(panel)
  const bench: Bench = { panel, bearer, filler, made: 0, filled: 0 }
  const first = await samples(bench, 5)
  const page = await firstPage(bench, first)
  const medians: { http: number; memory: number }[] = []
  const workers = workersOf(filler)
  for (const size of sizes) {
    await fill(bench, size)
    const times = await samples(bench, SAMPLES)
    const memory = memoryOf(filler)
    medians.push({ http: median(times.map(({ http }) => http)), memory })
    print('site created', size, { ...summary(times), nginxMemoryMb: memory })
    if (size === sizes[0] || size === sizes.at(-1)) await load(bench, page, size)
  }
  if (workersOf(filler) !== workers) throw new Error('a worker of the web server was replaced')
  const [before, after] = [medians[0], medians.at(-1)]
  if (before && after) {
    print('at the largest size, as a multiple of the smallest', sizes.at(-1) ?? 0, {
      http: round(after.http / before.http),
      nginxMemory: round(after.memory / before.memory),
    })
  }
}

/** The panel's own node, to put sites on it without the 600 writes a minute and their zones. */
async function fillerOf(panel: Panel): Promise<WebNode> {
  const node = createWebNode({
    base: join(panel.dataDir, 'web'),
    bind: ['127.0.0.1'],
    httpPort: panel.httpPort,
    httpsPort: panel.httpsPort,
    phpWithoutIsolation: false,
    now: () => new Date(),
    selfSigned: selfSignedFor,
    users: { uidBase: 300_000 + panel.httpPort * 1000, prefix: `t${panel.httpPort}x` },
  })
  await node.start()
  return node
}

async function fill(bench: Bench, size: number): Promise<void> {
  const started = performance.now()
  const before = bench.filled
  for (; bench.filled < size; bench.filled++) {
    const clientId = FILL_FROM + Math.floor(bench.filled / SITES_PER_CLIENT)
    const siteId = 1_000_000 + bench.filled
    if (bench.filled % SITES_PER_CLIENT === 0) {
      const client = {
        clientId,
        name: `c${clientId}`,
        suspended: false,
        php: [],
        diskBytes: null,
        inodes: null,
        limits: { cpuPercent: null, memoryBytes: null, processes: null },
      }
      await bench.filler.syncClient(client, step)
    }
    const domain = `relleno${bench.filled}.es`
    const plain = { aliases: [], suspended: false, httpsOnly: false, php: null }
    await bench.filler.syncSite({ siteId, clientId, domain, ...plain }, step)
  }
  if (size > before)
    print('filled', size, { perSite: round((performance.now() - started) / (size - before)) })
}

type Sample = { answer: number; http: number; dns: number }

async function samples(bench: Bench, count: number): Promise<Sample[]> {
  const times: Sample[] = []
  for (let index = 0; index < count; index++) times.push(await sample(bench, `sitio${bench.made++}.es`))
  return times
}

/** All three are counted from the moment the request leaves. */
async function sample({ panel, bearer }: Bench, domain: string): Promise<Sample> {
  const server = udpResolver('127.0.0.1', panel.dnsPort)
  const started = performance.now()
  const since = () => performance.now() - started
  const sent = panel.fetch('/api/sitios', {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cliente: 'banco', domain, aliases: [] }),
  })
  const http = until(async () => (await visit(panel, domain)) === 200).then(since)
  const response = await sent
  if (response.status !== 201) throw new Error(`POST /sitios: ${response.status} ${await response.text()}`)
  await response.text()
  const answer = since()
  // Asked from here on: what a name server has refused once, it may remember for a while.
  await until(async () => (await server.query(domain, 'A', ANSWER_MS)).kind === 'answer')
  const dns = since()
  return { answer, http: await http, dns }
}

async function visit(panel: Panel, host: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${panel.httpPort}/`, {
    headers: { host },
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  await response.arrayBuffer()
  return response.status
}

/** A static file and a PHP program in the first site; answers its name. */
async function firstPage(bench: Bench, _made: Sample[]): Promise<string> {
  const found = await bench.panel.api('GET', '/sitios/sitio0.es', { bearer: bench.bearer })
  await writeFile(join(found.body.raiz, 'fichero.txt'), 'x'.repeat(1024), { mode: 0o644 })
  await writeFile(join(found.body.raiz, 'hora.php'), '<?php echo date("c");', { mode: 0o644 })
  return 'sitio0.es'
}

async function load({ panel, filler }: Bench, host: string, size: number): Promise<void> {
  const origin = `http://127.0.0.1:${panel.httpPort}`
  const main = filler.supervisor.processOf('nginx')?.pid ?? 0
  print('static file', size, await pressure(`${origin}/fichero.txt`, host, main))
  print('static file of a plain nginx', size, await plainNginx())
  print('PHP page', size, await pressure(`${origin}/hora.php`, host, main))
}

/** The same file from an nginx that has one static server block and nothing else. */
async function plainNginx(): Promise<Pressure> {
  return withNginx(async (directory, port) => {
    await writeFile(join(directory, 'fichero.txt'), 'x'.repeat(1024), { mode: 0o644 })
    return {
      blocks: `server { listen 127.0.0.1:${port}; root ${directory}; }`,
      measure: ({ main }) => pressure(`http://127.0.0.1:${port}/fichero.txt`, 'x', main),
    }
  })
}

/** What every panel does that was measured beside this one: a block a site, a test and a reload each time. */
async function serverBlocks(sizes: number[]): Promise<void> {
  for (const size of sizes) {
    await withNginx(async (directory, port) => {
      const block = (index: number) =>
        `server { listen 127.0.0.1:${port}; server_name sitio${index}.es www.sitio${index}.es; root ${directory}; }`
      const names = Array.from({ length: size + 1 }, (_, index) => block(index))
      return {
        blocks: names.join('\n'),
        measure: async ({ main, reload }) => {
          const times: number[] = []
          for (let index = size + 1; index <= size + BLOCK_SAMPLES; index++) {
            const started = performance.now()
            names.push(block(index))
            await reload(names.join('\n'))
            await until(async () => {
              const headers = { host: `sitio${index}.es`, connection: 'close' }
              return (
                (await fetch(`http://127.0.0.1:${port}/`, { headers })).headers.get('x-blocks') ===
                String(names.length)
              )
            })
            times.push(performance.now() - started)
          }
          print('one server block a site', size, { http: round(median(times)), nginxMemoryMb: memory(main) })
        },
      }
    })
  }
}

function workersOf(node: WebNode): string {
  const main = node.supervisor.processOf('nginx')?.pid
  return findProcesses(({ parent }) => parent === main)
    .map(({ pid }) => pid)
    .join()
}

function memoryOf(node: WebNode): number {
  return memory(node.supervisor.processOf('nginx')?.pid ?? 0)
}

/** Memory of a main process and its workers, each shared page counted once, in MB. */
function memory(main: number): number {
  const kilobytes = findProcesses(({ pid, parent }) => pid === main || parent === main).map(({ pid }) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  )
  return round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
}

function summary(times: Sample[]) {
  const of = (key: keyof Sample) => times.map((one) => one[key])
  return {
    answer: round(median(of('answer'))),
    http: round(median(of('http'))),
    dns: round(median(of('dns'))),
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(what: string, sites: number, values: Record<string, number>): void {
  console.log(JSON.stringify({ what, sites, ...values }))
}
