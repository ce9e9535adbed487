/**
 * The answer, or what `late` returns or throws after `timeoutMs`, so that nobody waits forever for a server that went
 * away. The underlying work is not stopped.
 */
export async function withinDeadline<T>(answer: Promise<T>, timeoutMs: number, late: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    // A request may have taken longer already than an answer waits.
    timer = setTimeout(resolve, Math.max(0, timeoutMs))
  })
  try {
    return await Promise.race([answer, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
