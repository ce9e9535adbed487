import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { freePort } from '../ports.ts'

/** What becomes of requests: done, never answered, refused for want of space, or as for a key that was withdrawn. */
type Mood = 'well' | 'hangs' | 'full' | 'revoked'

export type S3 = {
  url: string
  credential: string
  bucket: string
  objects: Map<string, Uint8Array<ArrayBuffer>>
  mood: Mood
  /** Goes away, and comes back on the same port. */
  away(): Promise<void>
  back(): void
}

const KEY = { id: 'AKIDPRUEBAS', secret: 'not-a-real-secret-key-of-a-test' }
const REGION = 'us-east-1'

/**
 * An S3 server in memory with one bucket: what restic asks of one. It verifies each signature of version 4, and those of
 * chunks, which clients send where there is no TLS (AWS, "Signature Calculations for the Authorization Header").
 */
export async function startS3(): Promise<S3> {
  const port = await freePort()
  const bucket = 'copias'
  const serve = () =>
    Bun.serve({
      ...{ port, hostname: '127.0.0.1', idleTimeout: 0, maxRequestBodySize: 1 << 30 },
      fetch: (request) => answer(s3, request),
    })
  let server = serve()
  const s3: S3 = {
    ...{ url: `http://127.0.0.1:${port}/${bucket}/panel`, bucket, objects: new Map(), mood: 'well' },
    credential: `${KEY.id}:${KEY.secret}`,
    away: () => server.stop(true),
    back() {
      server = serve()
    },
  }
  return s3
}

async function answer(s3: S3, request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (s3.mood === 'hangs') return new Promise(() => {})
  const body = new Uint8Array(await request.arrayBuffer())
  const signed = signatureOf(request, url)
  if (s3.mood === 'revoked' || signed === null) return fault(403, 'AccessDenied')
  if (s3.mood === 'full' && request.method === 'PUT') return fault(403, 'QuotaExceeded')
  const content = contentOf(body, request, signed)
  if (content === null) return fault(403, 'SignatureDoesNotMatch')
  const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent)
  if (bucket !== s3.bucket) return fault(404, 'NoSuchBucket')
  const key = rest.join('/')
  return key === '' ? ofBucket(s3, request, url) : ofObject(s3, request, key, content)
}

function ofBucket({ objects }: S3, { method }: Request, url: URL): Response {
  if (method === 'HEAD') return new Response(null)
  if (url.searchParams.has('location')) return xml(`<LocationConstraint>${REGION}</LocationConstraint>`)
  const prefix = url.searchParams.get('prefix') ?? ''
  const found = [...objects].filter(([key]) => key.startsWith(prefix))
  const rows = found.map(
    ([key, { length }]) =>
      `<Contents><Key>${key}</Key><Size>${length}</Size><ETag>"x"</ETag><LastModified>2026-11-21T02:30:00.000Z</LastModified></Contents>`,
  )
  return xml(
    `<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>${found.length}</KeyCount>${rows.join('')}</ListBucketResult>`,
  )
}

function ofObject(
  { objects }: S3,
  { method, headers }: Request,
  key: string,
  content: Uint8Array<ArrayBuffer>,
): Response {
  const about = { etag: '"x"', 'last-modified': 'Sat, 21 Nov 2026 02:30:00 GMT' }
  if (method === 'PUT') {
    objects.set(key, content)
    return new Response(null, { headers: about })
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return new Response(null, { status: 204 })
  }
  const found = objects.get(key)
  if (!found) return fault(404, 'NoSuchKey')
  if (method === 'HEAD')
    return new Response(null, { headers: { ...about, 'content-length': String(found.length) } })
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
  if (from === undefined) return new Response(found, { headers: about })
  const end = Math.min(to ? Number(to) : found.length - 1, found.length - 1)
  const range = { 'content-range': `bytes ${from}-${end}/${found.length}` }
  return new Response(found.slice(Number(from), end + 1), { status: 206, headers: { ...about, ...range } })
}

const xml = (content: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${content}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
const fault = (status: number, code: string) => xml(`<Error><Code>${code}</Code></Error>`, status)

const sha = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const mac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const same = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

type Signed = { signature: string; key: Buffer; date: string; scope: string }

/** What a request is signed with; null where that is not by this key. */
function signatureOf(request: Request, url: URL): Signed | null {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/
  const [, id, scope = '', names = '', signature = ''] =
    pattern.exec(request.headers.get('authorization') ?? '') ?? []
  const [day = '', region = '', service = ''] = scope.split('/')
  if (id !== KEY.id || region !== REGION || service !== 's3') return null
  const query = url.search
    .slice(1)
    .split('&')
    .filter((one) => one !== '')
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort()
  const headers = names.split(';').map((name) => `${name}:${request.headers.get(name)?.trim()}\n`)
  const hash = request.headers.get('x-amz-content-sha256') ?? ''
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, hash].join('\n')
  const date = request.headers.get('x-amz-date') ?? ''
  const words = ['AWS4-HMAC-SHA256', date, scope, sha(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce(mac, mac(`AWS4${KEY.secret}`, day))
  return same(mac(key, words).toString('hex'), signature) ? { signature, key, date, scope } : null
}

/** The body without the frame of its chunks; null where one of them is not signed as it should be. */
function contentOf(
  body: Uint8Array<ArrayBuffer>,
  request: Request,
  signed: Signed,
): Uint8Array<ArrayBuffer> | null {
  const hash = request.headers.get('x-amz-content-sha256')
  if (hash === 'UNSIGNED-PAYLOAD') return body
  if (hash !== 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD') return hash === sha(body) ? body : null
  const parts: Uint8Array[] = []
  let { signature } = signed
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(10, at)
    const [, size = '', own = ''] =
      /^([0-9a-f]+);chunk-signature=(\w+)\r$/.exec(Buffer.from(body.subarray(at, end)).toString()) ?? []
    const length = Number.parseInt(size, 16)
    const part = body.subarray(end + 1, end + 1 + length)
    const { key, date, scope } = signed
    const words = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, signature, sha(''), sha(part)].join('\n')
    if (size === '' || !same(mac(key, words).toString('hex'), own)) return null
    signature = own
    parts.push(part)
    at = end + 1 + length + 2
  }
  return Buffer.concat(parts)
}
