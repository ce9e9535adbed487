import type { AskedSite, FirstPage } from '../../../../lib/endpoint/ports/pages.ts'
import { titleOf } from './page-title.ts'

/** A request waits five seconds for the node at most (docs/api.md, "Work on the node"). */
const LASTS_MS = 4_000
const MOST_BYTES = 512 * 1024
const MOST_REDIRECTS = 3
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

type Server = { bind: readonly string[]; http: number; https: number }

/**
 * Asks this node's web server for a site's first page, as a visitor would whose DNS led here. Every connection is to
 * the web server itself, whatever a redirect says: its address is followed only among the site's own names.
 */
export async function firstPageOf(server: Server, { domain, names }: AskedSite): Promise<FirstPage> {
  const began = performance.now()
  const signal = AbortSignal.timeout(LASTS_MS)
  const own = new Set([domain, ...names])
  const ports = { 'http:': server.http, 'https:': server.https }
  const isOwn = ({ protocol, hostname, port }: URL) =>
    own.has(hostname) && (port === '' || port === String(ports[protocol as keyof typeof ports]))
  let address = new URL(`http://${domain}/`)
  const told = (rest: Omit<FirstPage, 'address' | 'ms'>): FirstPage => ({
    address: address.href,
    ...rest,
    ms: Math.round(performance.now() - began),
  })
  try {
    for (let followed = 0; ; followed++) {
      const answer = await ask(server, address, signal)
      const next = nextOf(answer, address)
      if (next === null || !isOwn(next) || followed === MOST_REDIRECTS) {
        const page = await read(answer)
        return told({ status: answer.status, ...page, redirect: next?.href ?? null })
      }
      await answer.body?.cancel()
      address = next
    }
  } catch {
    return told({ status: null, title: null, bytes: null, whole: false, redirect: null })
  }
}

function ask(server: Server, { protocol, hostname, pathname, search }: URL, signal: AbortSignal) {
  const isSecure = protocol === 'https:'
  const [first = '0.0.0.0'] = server.bind
  const at = LOOPBACK[first] ?? (first.includes(':') ? `[${first}]` : first)
  const port = isSecure ? server.https : server.http
  return fetch(`${protocol}//${at}:${port}${pathname}${search}`, {
    headers: {
      host: hostname,
      accept: 'text/html,*/*;q=0.8',
      'accept-encoding': 'identity',
      'user-agent': 'controlpanel (first page)',
    },
    redirect: 'manual',
    keepalive: false,
    // Nothing leaves this machine, and the certificate may be the first one, of nobody's authority.
    ...(isSecure ? { tls: { serverName: hostname, rejectUnauthorized: false } } : {}),
    signal,
  })
}

function nextOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location')
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, from)) return null
  const next = new URL(location, from)
  return next.protocol === 'http:' || next.protocol === 'https:' ? next : null
}

async function read(answer: Response): Promise<Pick<FirstPage, 'title' | 'bytes' | 'whole'>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let whole = true
  const body: AsyncIterable<Uint8Array> | null = answer.body
  for await (const part of body ?? []) {
    parts.push(part)
    bytes += part.length
    if (bytes > MOST_BYTES) {
      whole = false
      break
    }
  }
  const title = titleOf(Buffer.concat(parts), answer.headers.get('content-type'))
  const announced = Number(answer.headers.get('content-length') ?? '')
  return { title, bytes: whole ? bytes : Math.max(announced, bytes), whole }
}
