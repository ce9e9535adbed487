import type { Caged } from '../../../lib/endpoint/node-port.ts'

/** Does work with running programs, and ends them with it: where it fails, too, or nobody wants it any more. */
export async function whileWanted<T>(
  running: readonly Caged[],
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const stop = () => running.forEach((one) => void one.stop())
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await work()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
