/**
 * The answer, or what `late` makes or throws when it has not come in `timeoutMs`: nobody hangs on a server that
 * went away half way. What was being done may still be done.
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
