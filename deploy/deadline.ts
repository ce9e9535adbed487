/**
 * The answer, or 503 `no_disponible` when it has not come in `timeoutMs`: nobody hangs on a database
 * that went away between two round trips. What was being done may still be done, as with any 503.
 */
export async function withinDeadline(answer: Promise<Response>, timeoutMs: number): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Response>((resolve) => {
    timer = setTimeout(() => resolve(unavailable()), timeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function unavailable(): Response {
  const problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The service is not available, try again.',
    codigo: 'no_disponible',
  }
  return new Response(JSON.stringify(problem), {
    status: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '5', 'cache-control': 'no-store' },
  })
}
