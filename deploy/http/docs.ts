import type { PanelConfig } from '../../lib/endpoint/context.ts'
import { errorCatalogue } from '../../lib/endpoint/errors.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { openApi } from '../../lib/endpoint/openapi/document.ts'
import { DOCS_HEADERS } from './assets.ts'
import { type Codings, coded } from './codings.ts'

const PREFIX = { bearer: '/api', open: '/acceso', cron: '/cron' } as const

/** The full path of a handler, prefix included. */
export const fullPath = (handler: Pick<Handler, 'access' | 'path'>) =>
  PREFIX[handler.access.kind] + handler.path

const INITIALISER = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null, persistAuthorization: false })
})`

/** `/openapi.json`, `/docs` and `/docs/errores`; null for any other path. The texts are made once. */
export function documentation(
  config: PanelConfig,
  handlers: Handler[],
): (request: Request, codings?: Codings) => Response | null {
  const { origin, version } = config
  const answers = new Map<string, { type: string; body: string }>([
    ['/docs', { type: 'text/html; charset=utf-8', body: page() }],
    ['/docs/inicio.js', { type: 'text/javascript; charset=utf-8', body: INITIALISER }],
    ['/docs/errores', { type: 'text/html; charset=utf-8', body: errorsPage() }],
  ])
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  // Anybody may ask for these texts, which stay as they are: each is compressed once.
  const once = (path: string, codings: Codings): Codings =>
    Object.fromEntries(
      Object.entries(codings).map(([coding, compress]) => [
        coding,
        (body: Uint8Array) => {
          const known = kept.get(`${coding} ${path}`) ?? compress(body)
          kept.set(`${coding} ${path}`, known)
          return known
        },
      ]),
    )
  const made = () => JSON.stringify(openApi(handlers, { origin, version, fullPath }))
  return (request, codings) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/openapi.json' && !answers.has(pathname))
      answers.set(pathname, { type: 'application/json', body: made() })
    const known = answers.get(pathname)
    if (!known) return null
    const headers = new Headers({ ...DOCS_HEADERS, 'content-type': known.type, 'cache-control': 'no-cache' })
    const own = codings && once(pathname, codings)
    return new Response(coded(known.body, headers, { request, codings: own }), { headers })
  }
}

function page(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/inicio.js"></script></body></html>`
}

function errorsPage(): string {
  const rows = errorCatalogue()
    .map(
      ({ codigo, status, text }) =>
        `<dt id="${codigo}"><code>${codigo}</code> (${status})</dt><dd>${escapeHtml(text)}</dd>`,
    )
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Errors</title><link rel="icon" href="/icon.svg"></head><body><h1>Errors</h1><dl>${rows}</dl></body></html>`
}

const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
