import { expect } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  commandLine,
  findProcesses,
  type ProcessState,
  userOf,
  waitUntil,
} from '../../deploy/node/services/process.ts'
import { giveNative } from '../support/native.ts'
import { startNode, type TestNode } from './support.ts'

export const LIMIT_MS = 60_000
/** Says that it has begun, and is busy until it is told to end. */
const HELD = `<?php
touch("empezada-$_GET[n]");
for (; !file_exists("acaba-$_GET[n]"); clearstatcache()) usleep(5000);
echo 'acabada';
`

export const limits = (some: Partial<Record<'cpuPercent' | 'memoryBytes' | 'processes', number>>) => ({
  cpuPercent: null,
  memoryBytes: null,
  processes: null,
  ...some,
})

export type Kept = Awaited<ReturnType<typeof startKept>>

/** A node with three clients, whose PHP ends soon when nobody asks. */
export async function startKept() {
  const node = await startNode({ phpIdleSeconds: 1 })
  for (const clientId of [1, 2, 3]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
    node.put(clientId, clientId * 10, 'quien.php', '<?php echo posix_getuid();')
    node.put(clientId, clientId * 10, 'espera.php', HELD)
    node.put(clientId, clientId * 10, 'lenta.php', '<?php usleep(intval($_GET["ms"]) * 1000); echo "lenta";')
    giveNative(node.path(clientId, clientId * 10))
  }
  return { node, ...processesOf(node), ...requestsTo(node) }
}

function processesOf(node: TestNode) {
  const running = (clientId: number): ProcessState[] =>
    findProcesses(({ pid }) => userOf(pid) === node.uid(clientId))
  return {
    running,
    master: (clientId: number): ProcessState | undefined =>
      running(clientId).find(({ pid }) => commandLine(pid).startsWith('php-fpm: master')),
    asleep: (clientId: number) => waitUntil(() => running(clientId).length === 0, { timeoutMs: LIMIT_MS }),
    keeper: () => node.node.supervisor.processOf('php'),
  }
}

function requestsTo(node: TestNode) {
  /** A request that does not block this process, as many visitors at once make them. */
  async function ask(clientId: number, path: string, body?: string): Promise<string> {
    const url = `http://127.0.0.1:${node.options.httpPort}${path}`
    const options = {
      headers: { host: `c${clientId}.es` },
      keepalive: false,
      signal: AbortSignal.timeout(LIMIT_MS),
    }
    const answer = await fetch(url, body === undefined ? options : { ...options, method: 'POST', body })
    return `${answer.status} ${await answer.text()}`
  }
  return {
    ask,
    /** A request that has begun, and is not over until `end`. */
    async held(clientId: number): Promise<{ end(): Promise<string> }> {
      const n = crypto.randomUUID()
      const note = (name: string) => node.path(clientId, clientId * 10, `${name}-${n}`)
      const answer = ask(clientId, `/espera.php?n=${n}`)
      expect(await waitUntil(() => existsSync(note('empezada')), { timeoutMs: LIMIT_MS })).toBe(true)
      return {
        end() {
          writeFileSync(note('acaba'), '')
          return answer
        },
      }
    },
    /** Runs a shell's command as native code inside the client's PHP, and answers what it printed. */
    async native(clientId: number, order: string): Promise<string> {
      const note = node.path(clientId, clientId * 10, `n-${crypto.randomUUID()}`)
      expect(await ask(clientId, '/n.php', `(${order}) > ${note} 2>&1`)).toBe('200 mailed')
      return readFileSync(note, 'utf8')
    },
  }
}
