import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** A port free for TCP and UDP on 127.0.0.1, as told by the system. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer().on('error', reject)
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
    })
    const free = await new Promise<boolean>((resolve) => {
      const socket = createSocket('udp4').on('error', () => resolve(false))
      socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Waits for a condition, at most ten seconds. */
export async function until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const endsAt = performance.now() + 10_000
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return
    if (performance.now() > endsAt) throw new Error(`timed out: ${what}`)
    await Bun.sleep(10)
  }
}
