/** What a fault proxy does with one request; null passes it on. */
export type Fault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }
  /** The provider does it, and the answer never arrives. */
  | { kind: 'cut' }
  /** The request never arrives. */
  | { kind: 'drop' }
  | { kind: 'hang' }
  /** The provider does it, and then nothing more comes. */
  | { kind: 'stall' }
  | { kind: 'edit'; edit: (text: string) => string }

type ProxyCall = { method: string; path: string; body: string; status: number | null }

export type FaultProxy = {
  origin: string
  calls: ProxyCall[]
  /** Writes among the calls. */
  writes: () => ProxyCall[]
  /** Decides on each request; set by a test, null for none. */
  fault: ((call: { method: string; path: string; body: string }) => Fault | null) | null
  /** Runs before a request is passed on, to act as another hand in the middle of a run. */
  before: ((call: { method: string; path: string }) => Promise<void>) | null
  /** Lets go of the requests that hang. */
  release: () => Promise<void>
  stop: () => Promise<void>
}

/** Stands before a provider, counts what is asked of it and breaks what a test wants broken. */
export function startFaultProxy(target: string): FaultProxy {
  let released = new AbortController()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const call: ProxyCall = {
        method: request.method,
        path: pathname + search,
        body: await request.text(),
        status: null,
      }
      proxy.calls.push(call)
      const fault = proxy.fault?.(call) ?? null
      if (fault?.kind === 'answer') {
        call.status = fault.status
        return new Response(fault.body, { status: fault.status, headers: fault.headers ?? {} })
      }
      if (fault?.kind === 'hang') await aborted(request.signal, released.signal)
      if (fault?.kind === 'hang' || fault?.kind === 'drop') return broken()
      await proxy.before?.(call)
      const response = await pass(target, request, call)
      if (fault?.kind === 'stall') await aborted(request.signal, released.signal)
      if (fault?.kind === 'cut' || fault?.kind === 'stall') return broken()
      const text = await response.text()
      const headers = new Headers(response.headers)
      for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection'])
        headers.delete(name)
      const body = fault?.kind === 'edit' ? fault.edit(text) : text
      return new Response(response.status === 204 ? null : body, { status: response.status, headers })
    },
  })
  const proxy: FaultProxy = {
    origin: `http://127.0.0.1:${server.port}`,
    calls: [],
    writes: () => proxy.calls.filter(({ method }) => method !== 'GET'),
    fault: null,
    before: null,
    release: async () => {
      released.abort()
      released = new AbortController()
    },
    stop: async () => {
      released.abort()
      await server.stop(true)
    },
  }
  return proxy
}

async function pass(target: string, request: Request, call: ProxyCall): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.delete('host')
  headers.delete('content-length')
  headers.delete('accept-encoding')
  const response = await fetch(target + call.path, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(call.body === '' ? {} : { body: call.body }),
  })
  call.status = response.status
  return response
}

/** What a gateway says that lost the answer: the client learns nothing of what was done. */
function broken(): Response {
  return new Response('<html>Bad Gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
}

function aborted(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
}
