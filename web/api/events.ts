/** Server-sent events of an answer's body, as far as they are whole. */
export async function* eventsIn(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string; data: string }> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const field = (name: string) =>
        part
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const data = field('data')
      if (data !== undefined) yield { id: field('id') ?? '', data }
    }
  }
}
