import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_LIMITS, writeWanted } from '../../deploy/node/php/wanted.ts'
import { findProcesses } from '../../deploy/node/services/process.ts'
import { createWebNode, type WebNode } from '../../deploy/node/web/node.ts'
import type { Step } from '../../lib/endpoint/node-port.ts'
import { selfSignedFor } from '../support/self-signed.ts'
import { portOfFreeRange } from '../support/users.ts'
import { eventually } from '../support/wait.ts'

const ACTIVE = 50
const step: Step = (_name, run) => run()

/** Memory of the keeper and of what it started, and first-request times, with this many clients of which 50 are asked. */
export async function manyClients(count: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'muchos-'))
  await chmod(directory, 0o711)
  const port = await portOfFreeRange()
  const uidBase = 300_000 + port * 1000
  const node = createWebNode({
    base: join(directory, 'web'),
    bind: ['127.0.0.1'],
    httpPort: port,
    httpsPort: await portOfFreeRange(),
    phpWithoutIsolation: false,
    now: () => new Date(),
    selfSigned: selfSignedFor,
    users: { uidBase, prefix: `t${port}x`, size: 1000 },
  })
  try {
    await node.start()
    const [version = ''] = node.phpVersions()
    for (let clientId = 1; clientId <= ACTIVE; clientId++) await client(node, clientId, version)
    // The others only wait: what the keeper has of them is a socket and a file, which it finds when it begins anew.
    for (let clientId = ACTIVE + 1; clientId <= count; clientId++) {
      const number = uidBase + 100 + (clientId % 800)
      const owner = { uid: number, gid: number }
      writeWanted(node.layout, clientId, { owner, versions: [version], limits: NO_LIMITS })
    }
    process.kill(node.supervisor.processOf('php')?.pid ?? 0, 'SIGHUP')
    const last = join(node.layout.fpmVersion(version), `${count}.s`)
    await eventually(async () => existsSync(last), 'the keeper', 60_000)
    await report(node, port, count)
  } finally {
    for (let clientId = 1; clientId <= ACTIVE; clientId++)
      await node.removeClient({ clientId, name: `c${clientId}`, hosts: [`c${clientId}.es`] }, step)
    await node.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function client(node: WebNode, clientId: number, version: string): Promise<void> {
  const plain = { suspended: false, diskBytes: null, inodes: null, limits: NO_LIMITS }
  await node.syncClient({ clientId, name: `c${clientId}`, php: [version], ...plain }, step)
  const site = { siteId: clientId, clientId, domain: `c${clientId}.es`, aliases: [] }
  await node.syncSite({ ...site, suspended: false, httpsOnly: false, php: version }, step)
  const root = node.layout.publicOf(clientId, clientId)
  await writeFile(join(root, 'index.php'), '<?php echo "PHP";', { mode: 0o644 })
}

async function report(node: WebNode, port: number, count: number): Promise<void> {
  const keeper = node.supervisor.processOf('php')?.pid ?? 0
  const idle = pssOf([keeper])
  const first: number[] = []
  const second: number[] = []
  for (let clientId = 1; clientId <= ACTIVE; clientId++) {
    first.push(await visit(port, clientId))
    second.push(await visit(port, clientId))
  }
  const active = pssOf([keeper, ...below(keeper)])
  console.log(
    `${count} clients: keeper ${idle.toFixed(1)} MB; with ${ACTIVE} of them active ${active.toFixed(0)} MB, ` +
      `${((active - idle) / ACTIVE).toFixed(1)} MB each; first request ${told(first)}, the next ${told(second)}`,
  )
}

const told = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  return `${at(0.5)} ms (p95 ${at(0.95)} ms)`
}

async function visit(port: number, clientId: number): Promise<number> {
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { host: `c${clientId}.es` },
    keepalive: false,
  })
  if ((await answer.text()) !== 'PHP') throw new Error(`client ${clientId}: ${answer.status}`)
  return performance.now() - started
}

function below(parent: number): number[] {
  return findProcesses((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)])
}

/** Memory of processes, each shared page counted once, in MB. */
function pssOf(pids: number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      return Number(
        /^Pss:\s+(\d+)/m.exec(readFileSync(join('/proc', String(pid), 'smaps_rollup'), 'utf8'))?.[1],
      )
    } catch {
      // It has ended meanwhile.
      return 0
    }
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024
}
