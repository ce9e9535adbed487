/**
 * The answer, or what `late` returns or throws after `timeoutMs`, so that nobody waits forever for a server that went
 * away. The underlying work is not stopped.
 */
export async function withinDeadline<T>(answer: Promise<T>, timeoutMs: number, late: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  try {
    return await Promise.race([answer, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
