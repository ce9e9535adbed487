/** What the proxy does with the next write: passes it on, or one of the ways in which a server fails. */
type Fault = 'pass' | 'hang' | 'apply_then_hang' | 'locked' | 'html'

/** A proxy before the server's API that counts writes and can misbehave. */
export type CountingProxy = { url: string; writes: string[]; fault: Fault; stop(): void }

export function countingProxy(target: string): CountingProxy {
  const state: CountingProxy = { url: '', writes: [], fault: 'pass', stop: () => server.stop(true) }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const writes = request.method !== 'GET'
      if (writes) state.writes.push(`${request.method} ${pathname}`)
      if (writes && state.fault === 'hang') return never()
      if (writes && state.fault === 'locked') return new Response('database is locked', { status: 500 })
      if (state.fault === 'html') return new Response('<html>', { status: 200 })
      const answer = await fetch(target + pathname + search, {
        method: request.method,
        headers: { 'X-API-Key': request.headers.get('x-api-key') ?? '' },
        ...(writes ? { body: await request.text() } : {}),
      })
      if (writes && state.fault === 'apply_then_hang') return never()
      return new Response(answer.status === 204 ? null : await answer.text(), { status: answer.status })
    },
  })
  state.url = `http://127.0.0.1:${server.port}`
  return state
}

function never(): Promise<Response> {
  return new Promise(() => {})
}
