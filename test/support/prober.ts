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
  const names = nameServer(panel.dnsPort)
  const judge = (what: string, got: string, wanted: string) => {
    if (got === wanted) good++
    else bad.push(`${new Date().toISOString()} ${what}: ${got.slice(0, 120)}`)
  }
  const http = async (path: string) => {
    const url = `http://127.0.0.1:${panel.httpPort}${path}`
    const signal = AbortSignal.timeout(TRIES_MS)
    return (await fetch(url, { headers: { host: site.host }, signal, keepalive: false })).text()
  }
  const asks = (what: string, run: () => Promise<string>, wanted: string) => async () =>
    judge(what, await run().catch(String), wanted)
  const inTurn = async (...all: (() => Promise<void>)[]) => {
    while (on) {
      for (const ask of all) {
        await ask()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }
  const loops = [
    // Both by the web server, which is asked at each pause: a request costs it more than all else here.
    inTurn(
      asks('page', () => http('/pagina.html'), site.page),
      asks('php', () => http('/programa.php'), site.php),
    ),
    inTurn(asks('zone', () => names.addressOf(site.host), site.address)).finally(names.close),
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
export async function addressOf(port: number, name: string): Promise<string> {
  const server = nameServer(port)
  return server.addressOf(name).finally(server.close)
}

/** One socket for one question after the other: to open it costs more than to ask. */
function nameServer(port: number) {
  const socket = createSocket('udp4')
  let number = 0
  let settle: (answer: Buffer | Error) => void = () => {}
  socket.on('error', (error) => settle(error))
  // One that comes too late has the number of an earlier question.
  socket.on('message', (answer) => answer.readUInt16BE(0) === number && settle(answer))
  return {
    async addressOf(name: string): Promise<string> {
      number = (number + 1) % 0x10000
      const waited = Promise.withResolvers<Buffer | Error>()
      settle = waited.resolve
      const timer = setTimeout(() => waited.resolve(new Error('no answer')), TRIES_MS)
      socket.send(questionOf(number, name), port, '127.0.0.1')
      const answer = await waited.promise
      clearTimeout(timer)
      if (answer instanceof Error) throw answer
      const [code, count] = [(answer[3] ?? 15) & 15, answer.readUInt16BE(6)]
      if (code !== 0 || count === 0) throw new Error(`code ${code}, ${count} answers`)
      return [...answer.subarray(-4)].join('.')
    },
    close: () => void socket.close(),
  }
}

function questionOf(number: number, name: string): Buffer {
  return Buffer.concat([
    Buffer.from([number >> 8, number & 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0, 0, 1, 0, 1]),
  ])
}
