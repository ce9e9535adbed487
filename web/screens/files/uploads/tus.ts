import type { DetailedError, HttpRequest, Upload, UploadOptions } from 'tus-js-client'
import { freshBearer } from '../../../api/client.ts'
import { ApiError, errorOf, isSessionEnd, sessionEnded, unreachable } from '../../../api/errors.ts'
import { hasLapsed, session } from '../../../api/session.ts'
import { language } from '../../../text/language.ts'
import { shownName } from '../paths.ts'
import { texts } from '../texts.ts'

/** What one request carries: so much is sent again at most after a cut that the panel did not notice. */
const PART_BYTES = 16 * 1024 * 1024
/** Waits before the next try; then a person is asked. */
const RETRY_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000]

type Wanted = { domain: string; path: string; file: File; replaces: boolean; upload: Upload | null }
export type Outcome = 'done' | Error
type Told = { reached: (bytes: number) => void; ended: (outcome: Outcome) => void }

/** An upload by tus 1.0, which goes on where an earlier one of the same file broke off, also after a reload. */
export async function tusUpload(wanted: Wanted, { reached, ended }: Told): Promise<Upload> {
  const { Upload } = await import('tus-js-client')
  const { domain, path, file, replaces } = wanted
  const before = wanted.upload?.url
  const options: UploadOptions = {
    endpoint: `/api/sitios/${encodeURIComponent(domain)}/subidas`,
    metadata: { ruta: path, ...(replaces ? { sustituir: 'si' } : {}) },
    chunkSize: PART_BYTES,
    retryDelays: RETRY_MS,
    fingerprint: async () => ['panel', domain, path, replaces, file.size, file.lastModified].join('|'),
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      await requireReadable(file)
      await authorise(request)
    },
    onShouldRetry: mayPass,
    onProgress: reached,
    onSuccess: () => ended('done'),
    onError: ended,
    ...(before ? { uploadUrl: before } : {}),
  }
  const upload = new Upload(file, options)
  if (before) return upload
  const [earlier] = await upload.findPreviousUploads()
  if (earlier) upload.resumeFromPreviousUpload(earlier)
  return upload
}

const UNREADABLE = 'archivo_ilegible'

/** A file that has gone from the computer, or changed, looks to a request as if the line were cut. */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    const detail = `${texts.cannotRead(shownName(file.name))} ${texts.unreadAdvice}`
    throw new ApiError({ status: 0, codigo: UNREADABLE, detail })
  }
}

/** What this interface itself found before a request was sent. */
const foundIn = (error: Error): ApiError | null => {
  const cause = 'causingError' in error ? (error as DetailedError).causingError : error
  return cause instanceof ApiError && cause.codigo === UNREADABLE ? cause : null
}

async function authorise(request: HttpRequest): Promise<void> {
  await freshBearer()
  const now = session.get()
  if (now.kind !== 'in' || hasLapsed(now)) throw sessionEnded()
  request.setHeader('authorization', `Bearer ${now.bearer}`)
  request.setHeader('accept-language', language.get())
}

const responseOf = (error: Error) =>
  'originalResponse' in error ? (error as DetailedError).originalResponse : null

/** What may be otherwise the next time: a cut, a panel that restarts, too many requests, another offset. */
function mayPass(error: DetailedError): boolean {
  const response = error.originalResponse
  if (!response) return foundIn(error) === null && !hasLapsed(session.get())
  const status = response.getStatus()
  if (status === 409) return response.getBody().includes('desplazamiento_distinto')
  return status === 429 || (status >= 500 && status !== 507)
}

/** Nothing was answered: the line, or the session, is gone. */
export const isCut = (error: Error): boolean => responseOf(error) === null && foundIn(error) === null

export const isTaken = ({ codigo }: ApiError): boolean => codigo === 'ya_existe'

/** The panel's own words on why an upload was refused. */
export async function problemOf(error: Error): Promise<ApiError> {
  const response = responseOf(error)
  if (!response) return foundIn(error) ?? unreachable()
  const headers = new Headers()
  for (const name of ['x-request-id', 'retry-after']) {
    const value = response.getHeader(name)
    if (value) headers.set(name, value)
  }
  const problem = await errorOf(new Response(response.getBody(), { status: response.getStatus(), headers }))
  return isSessionEnd(problem) ? sessionEnded() : problem
}
