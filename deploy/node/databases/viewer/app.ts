import { attachment } from '../../../../lib/endpoint/body.ts'
import { cookieNamed, setCookie } from '../../../../lib/endpoint/cookies.ts'
import { SECURITY_HEADERS } from '../../../http/bodies.ts'
import type { App } from '../../../http/router.ts'
import { endedPage } from './ended.ts'
import { type Asking, makePage, type Viewer } from './run.ts'
import type { View, Views } from './views.ts'

/** Where the links lead. */
const OPENING = '/abrir'
const ADDRESS = /^\/([0-9a-f]{16})\/$/
/** Larger dumps are loaded by the panel itself. */
const LARGEST_BODY = 4 * 1024 * 1024
/** A session of the browser; how long it really is good for, the view says. */
const COOKIE_SECONDS = 8 * 3600
/** A statement may take its time without a word. */
const IDLE_SECONDS = 240
const TYPES =
  /^(?:text\/(?:html|css|javascript|plain|csv|tab-separated-values)|image\/(?:gif|x-icon)|application\/(?:octet-stream|x-gzip|x-tar|sql))(?:; charset=utf-8)?$/

/** Every answer: no other origin shows it, reads it or runs anything in it. */
const HEADERS = {
  ...SECURITY_HEADERS,
  // Not `no-referrer`: browsers would then not tell the origin of a form, which is checked.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}
const CLOSED = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
const GONE =
  'This link does not work, or not any more: open the database from the panel again.\n' +
  'Este enlace no vale, o ya no vale: abra otra vez la base de datos desde el panel.\n'

export type ViewApp = App & { idleSeconds: number }
type Options = {
  /** Null while the node has none. */
  viewer(): Viewer | null
  /** Its own. */
  origin: string
  /** Where the panel is. */
  panel: string
  /** Whether the person may still look, which is asked for each page. */
  isAllowed(view: View): Promise<boolean>
  report(reason: string): void
}

/** Adminer for those who came by a link; for everybody else, and at every other address, the same answer. */
export function createViewApp(options: Options): ViewApp {
  return {
    idleSeconds: IDLE_SECONDS,
    async fetch(request) {
      const [viewer, url] = [options.viewer(), URL.parse(request.url)]
      if (viewer === null || url === null) return plain(404, GONE)
      if (url.pathname === OPENING && request.method === 'GET') return open(viewer.views, url)
      const [, id = ''] = ADDRESS.exec(url.pathname) ?? []
      const view = viewer.views.find(id, cookieNamed(cookieOf(id), request.headers.get('cookie')))
      if (view === null) return plain(404, GONE)
      if (await options.isAllowed(view)) return answerTo({ ...options, viewer, view, url }, request)
      await viewer.views.end(view)
      return plain(404, GONE)
    },
  }
}

type Asked = Pick<Options, 'origin' | 'panel' | 'report'> & { viewer: Viewer; view: View; url: URL }

async function answerTo(asked: Asked, request: Request): Promise<Response> {
  if (request.method === 'GET') return page(asked, askingOf(asked.url, request, null))
  if (request.method !== 'POST') return plain(405, '')
  // The cookie alone would let other sites of this host's domain send forms.
  if (request.headers.get('origin') !== asked.origin) return plain(403, '')
  const body = await bodyOf(request)
  if (body === null) return plain(413, `At most ${LARGEST_BODY} bytes.\n`)
  const form = await formOf(request, body).catch(() => null)
  if (form === null) return plain(400, '')
  if (!form.fields.has('logout')) return page(asked, askingOf(asked.url, request, form))
  await asked.viewer.views.end(asked.view)
  return ended(endedPage(asked.view.language, `${asked.panel}/panel/bases`))
}

const cookieOf = (id: string) => `__Host-base-${id}` as const

function open(views: Views, url: URL): Response {
  const view = views.spend(url.searchParams.get('llave') ?? '')
  if (view === null) return plain(404, GONE)
  const cookie = setCookie(cookieOf(view.id), view.secret, COOKIE_SECONDS)
  return new Response(null, {
    status: 303,
    headers: {
      ...HEADERS,
      'content-security-policy': CLOSED,
      location: `/${view.id}/`,
      'set-cookie': cookie,
    },
  })
}

/** The address of a link. */
export const linkTo = (origin: string, link: string): string => `${origin}${OPENING}?llave=${link}`

const plain = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: { ...HEADERS, 'content-security-policy': CLOSED, 'content-type': 'text/plain; charset=utf-8' },
  })

const ended = (html: string): Response =>
  new Response(html, {
    headers: {
      ...HEADERS,
      'content-security-policy': `${CLOSED}; style-src 'unsafe-inline'`,
      'content-type': 'text/html; charset=utf-8',
    },
  })

type Form = { fields: URLSearchParams; text: string; files: Asking['files'] }

function askingOf(url: URL, request: Request, form: Form | null): Asking {
  const { headers } = request
  return {
    method: form === null ? 'GET' : 'POST',
    path: url.pathname,
    query: url.search.slice(1),
    host: url.host,
    language: (headers.get('accept-language') ?? '').slice(0, 200),
    script: headers.get('x-requested-with') === 'XMLHttpRequest',
    form: form?.text ?? '',
    files: form?.files ?? [],
  }
}

/** Null for one that is too large. */
async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > LARGEST_BODY) return null
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

async function formOf(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) {
    const text = new TextDecoder().decode(body)
    return { text, fields: new URLSearchParams(text), files: [] }
  }
  const sent = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields = new URLSearchParams()
  const files: Asking['files'] = []
  for (const [field, value] of sent) {
    if (typeof value === 'string') fields.append(field, value)
    // A field for a file into which none was put.
    else if (value.name !== '' || value.size > 0)
      files.push({
        field,
        name: value.name,
        content: Buffer.from(await value.arrayBuffer()).toString('base64'),
      })
  }
  return { fields, text: fields.toString(), files }
}

/** Nothing of what the client's program says is passed on unchecked but the page itself. */
async function page({ viewer, view, report }: Asked, asking: Asking): Promise<Response> {
  const made = await makePage(viewer, view, asking).catch((error) => {
    report(String(error))
    return null
  })
  if (made === null) return plain(503, 'Try again.\nInténtelo otra vez.\n')
  const { status, headers } = made.head
  const type = TYPES.test(headers['content-type'] ?? '')
    ? headers['content-type']
    : 'application/octet-stream'
  const name = /filename="?([\w.-]{1,200})/.exec(headers['content-disposition'] ?? '')?.[1]
  const isFile = headers['content-disposition'] !== undefined
  const answer: Record<string, string> = {
    ...HEADERS,
    'content-type': type ?? '',
    'content-security-policy':
      type?.startsWith('text/html') && !isFile ? policy(made.nonce) : `${CLOSED}; sandbox`,
    ...(isFile ? { 'content-disposition': attachment(name ?? view.base) } : {}),
    // Of one version, and only for who may see it.
    ...(asking.query.startsWith('file=') ? { 'cache-control': 'private, max-age=28800' } : {}),
  }
  if (status !== 303) return new Response(made.body, { status: shown(status), headers: answer })
  // What the next page is to tell is kept by the end of this one.
  await made.body.pipeTo(new WritableStream())
  const to = /^\?[\x21-\x7e]*$/.exec(headers.location ?? '')?.[0] ?? '?'
  return new Response(null, { status, headers: { ...answer, location: `/${view.id}/${to}` } })
}

const shown = (status: number) => ([200, 403, 404].includes(status) ? status : 500)

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** Where browsers look into databases. */
export const viewsOrigin = (host: string, port: number): string => new URL(`https://${host}:${port}`).origin
