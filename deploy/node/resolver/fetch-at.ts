import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { OutgoingRequest } from '../../../lib/endpoint/context.ts'

/**
 * An HTTPS request that goes to one of these addresses and follows no redirect: the name was looked up and judged
 * before, and is not looked up again. `fetch` can do no such thing.
 */
export function fetchAt(url: URL, init: OutgoingRequest, addresses: string[]): Promise<Response> {
  const { method, headers, body, signal } = init
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const lookup: LookupFunction = (_host, _options, done) => done(null, known)
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, lookup, agent: false }, (reply) => {
      const status = reply.statusCode ?? 500
      // Response takes no others, and what is thrown here nobody would catch.
      if (status < 200 || status > 599) {
        sent.destroy()
        return reject(new Error(`status ${status}`))
      }
      // Replies of these statuses have no body, and Response takes none.
      const body = [204, 205, 304].includes(status) ? null : bodyOf(reply)
      resolve(new Response(body, { status }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function bodyOf(reply: IncomingMessage): ReadableStream<Uint8Array> {
  const parts: AsyncIterator<Uint8Array> = reply[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void reply.destroy(),
  })
}
