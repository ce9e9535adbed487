import { createSocket } from 'node:dgram'
import { loopbackCertificate } from './certificate.ts'

/**
 * DNS over HTTPS (RFC 8484) in front of a real resolver on loopback. unbound speaks it over HTTP/2 alone,
 * which neither Bun's `fetch` nor workerd's does.
 */
export async function startDoh(resolverPort: number): Promise<{ url: string; stop(): Promise<void> }> {
  const { cert, key } = await loopbackCertificate()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert, key },
    async fetch(request) {
      const answer = await overUdp(resolverPort, new Uint8Array(await request.arrayBuffer()))
      return new Response(answer, { headers: { 'content-type': 'application/dns-message' } })
    },
  })
  return { url: `https://127.0.0.1:${server.port}/dns-query`, stop: () => server.stop(true) }
}

function overUdp(port: number, query: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.once('error', reject)
    socket.once('message', (message) => {
      socket.close()
      resolve(new Uint8Array(message))
    })
    socket.send(query, port, '127.0.0.1')
  })
}
