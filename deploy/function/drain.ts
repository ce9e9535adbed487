import { MAX_BODY_BYTES } from '../../lib/body.ts'

/** How long an answer is held back for the rest of a request that was refused unread. */
const DRAIN_MS = 1000

/**
 * A connection whose request was not read to its end is closed after the answer, and its next request
 * is lost: what was refused unread is read and dropped, as far as a body may go.
 */
export async function drain({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS)
  })
  await Promise.race([dropped(body), late])
  clearTimeout(timer)
}

async function dropped(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MAX_BODY_BYTES
  try {
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) return
    }
  } catch {
    // The caller has gone.
  }
}
