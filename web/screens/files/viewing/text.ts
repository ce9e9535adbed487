import { answered } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'

/** The largest text that is edited here; the panel tells such a file's version by its content. */
export const MOST_BYTES = 1024 * 1024

const READ = 'GET /api/sitios/:domain/archivos/contenido'
const WRITE = 'PUT /api/sitios/:domain/archivos/contenido'

export type Place = { domain: string; path: string }

/** A text with the version that it is of; null for a file that is not there yet. */
export type Version = { text: string; etag: string | null; ending: Ending }

/** How its lines end. An editor's field has `\n` alone; what is saved has the file's own again. */
type Ending = '\n' | '\r\n' | 'mixed'

/** A file's bytes, of at most so many; null for more. */
export async function readBytes(
  { domain, path }: Place,
  most: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string | null } | null> {
  const response = await answered(READ, { params: { domain }, query: { ruta: path } })
  if (Number(response.headers.get('content-length')) > most) {
    await response.body?.cancel()
    return null
  }
  return { bytes: new Uint8Array(await response.arrayBuffer()), etag: response.headers.get('etag') }
}

/** A file's text; null for what is no text in UTF-8, or too long. */
export async function readText(place: Place): Promise<Version | null> {
  const read = await readBytes(place, MOST_BYTES)
  const whole = read && decoded(read.bytes)
  if (read === null || whole === null) return null
  return { text: whole.replace(/\r\n?/g, '\n'), etag: read.etag, ending: endingOf(whole) }
}

/** The same; null too where it is gone. */
export async function readAgain(place: Place): Promise<Version | null> {
  try {
    return await readText(place)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null
    throw thrown
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function endingOf(text: string): Ending {
  const [all, windows, lone] = [/\n/g, /\r\n/g, /\r(?!\n)/g].map((one) => text.match(one)?.length ?? 0)
  if (lone) return 'mixed'
  if (!windows) return '\n'
  return windows === all ? '\r\n' : 'mixed'
}

/** Writes it where the file is still of that version; 412 `version_distinta` where it is not. Answers the new one. */
export async function writeText({ domain, path }: Place, version: Version): Promise<Version> {
  const { text, etag, ending } = version
  const body = new Blob([ending === '\r\n' ? text.replaceAll('\n', '\r\n') : text])
  const still = etag === null ? { ifNoneMatch: '*' } : { ifMatch: etag }
  const response = await answered(WRITE, { params: { domain }, query: { ruta: path }, body }, still)
  return { text, etag: response.headers.get('etag'), ending: ending === 'mixed' ? '\n' : ending }
}
