import { answered } from '../../api/client.ts'
import { type ApiError, asApiError, brokenOff } from '../../api/errors.ts'
import type { InputOf, ReadOperation } from '../../api/operations.ts'
import { saveFile } from './save.ts'
import { addTransfer, changeTransfer, dropTransfer } from './store.ts'

/** Pieces of this size are handed to the browser, which keeps them on its disk rather than in memory. */
const PIECE_BYTES = 8 * 1024 * 1024

/**
 * Downloads what an operation answers as bytes and keeps it as a file, once all of it has come: one that broke off
 * is an error, and no file.
 */
export async function download<K extends ReadOperation>(
  op: K,
  input: InputOf<K>,
  name: string,
): Promise<ApiError | null> {
  const control = new AbortController()
  const cancel = () => control.abort()
  const n = addTransfer({ kind: 'down', name, cancel })
  try {
    // Path parameters and query, whatever their types.
    const response = await answered(op, input as Record<string, never>, { signal: control.signal })
    const length = Number(response.headers.get('content-length'))
    changeTransfer(n, { total: length || null })
    const content = await collected(response, (done) => changeTransfer(n, { done }))
    saveFile(content, nameIn(response) ?? name)
    dropTransfer(n)
    return null
  } catch (thrown) {
    if (control.signal.aborted) dropTransfer(n)
    const error = thrown instanceof TypeError ? brokenOff() : asApiError(thrown)
    changeTransfer(n, { state: 'failed', error, cancel: () => dropTransfer(n) })
    return control.signal.aborted ? null : error
  }
}

async function collected(response: Response, reached: (bytes: number) => void): Promise<Blob> {
  const reader = response.body?.getReader()
  const blobs: Blob[] = []
  let [pieces, held, done]: [Uint8Array<ArrayBuffer>[], number, number] = [[], 0, 0]
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    pieces.push(read.value)
    held += read.value.length
    done += read.value.length
    if (held < PIECE_BYTES) continue
    blobs.push(new Blob(pieces))
    ;[pieces, held] = [[], 0]
    reached(done)
  }
  return new Blob([...blobs, ...pieces], { type: 'application/octet-stream' })
}

/** The name that the panel gives it (RFC 6266). */
function nameIn({ headers }: Response): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  return encoded === undefined ? null : decodeURIComponent(encoded)
}
