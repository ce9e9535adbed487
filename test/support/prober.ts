import { createSocket } from 'node:dgram'
import type { Panel } from './panel.ts'

export type Prober = { good(): number; stop(): Promise<string[]> }
const TRIES_MS = 3_000

/**
 * Asks for a client's page, PHP program and zone again and again until it is stopped, which answers every
 * failure seen: what happens to others, or to the panel's process, must not be felt there.
 */
export function probe(
  panel: Panel,
  site: { host: string; page: string; php: string; address: string },
): Prober {
  const bad: string[] = []
  let good = 0
  let on = true
  const judge = (what: string, got: string, wanted: string) => {
    if (got === wanted) good++
    else bad.push(`${new Date().toISOString()} ${what}: ${got.slice(0, 120)}`)
  }
  const http = async (path: string) => {
    const url = `http://127.0.0.1:${panel.httpPort}${path}`
    const signal = AbortSignal.timeout(TRIES_MS)
    return (await fetch(url, { headers: { host: site.host }, signal, keepalive: false })).text()
  }
  const loop = async (what: string, run: () => Promise<string>, wanted: string) => {
    while (on) {
      judge(what, await run().catch(String), wanted)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const loops = [
    loop('page', () => http('/pagina.html'), site.page),
    loop('php', () => http('/programa.php'), site.php),
    loop('zone', () => addressOf(panel.dnsPort, site.host), site.address),
  ]
  return {
    good: () => good,
    async stop() {
      on = false
      await Promise.all(loops)
      return bad
    },
  }
}

/** The A record that the name server on this port answers for a name; throws with its code, or when it is silent. */
export function addressOf(port: number, name: string): Promise<string> {
  const question = Buffer.concat([
    Buffer.from([0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0, 0, 1, 0, 1]),
  ])
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    const timer = setTimeout(() => finish(() => reject(new Error('no answer'))), TRIES_MS)
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      socket.close()
      settle()
    }
    socket.once('error', (error) => finish(() => reject(error)))
    socket.once('message', (answer) => {
      const [code, count] = [(answer[3] ?? 15) & 15, answer.readUInt16BE(6)]
      if (code !== 0 || count === 0) return finish(() => reject(new Error(`code ${code}, ${count} answers`)))
      finish(() => resolve([...answer.subarray(-4)].join('.')))
    })
    socket.send(question, port, '127.0.0.1')
  })
}
