import { MAX_BODY_BYTES } from '../../lib/endpoint/body.ts'
import { withinDeadline } from '../../lib/endpoint/deadline.ts'

/** How long an answer waits for the rest of a request that was refused unread. */
const DRAIN_MS = 1000

/**
 * Reads and drops the rest of a request that was refused unread, up to the size limit of bodies. Otherwise the
 * connection would be closed after the answer, and its next request lost.
 */
export async function drain({ body, bodyUsed }: Request): Promise<void> {
  if (body && !bodyUsed) await withinDeadline(dropped(body), DRAIN_MS, () => {})
}

async function dropped(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MAX_BODY_BYTES
  try {
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) return
    }
  } catch {
    // The caller has hung up.
  }
}
