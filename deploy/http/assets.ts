import { acceptedCoding } from './preferences.ts'

/** One file of the interface, with its compressed forms from the build. */
export type Asset = { type: string; body: Uint8Array; br?: Uint8Array; gzip?: Uint8Array; immutable: boolean }

/** Built files by path; `index` is answered for every address that the interface routes itself. */
export type Assets = { files: Map<string, Asset>; index: string }

/**
 * The interface may load nothing from elsewhere, be framed by nobody, run no text as code, and create no style
 * element. Its library's variables are in the style sheet, and positions are set through CSSOM, which a policy on
 * styles does not cover.
 */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

const csp = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

export const PAGE_HEADERS = {
  'content-security-policy': csp({
    ...POLICY,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** The API's documentation is Swagger UI, which writes markup, style elements and `data:` images. */
export const DOCS_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': csp({
    ...POLICY,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
  }),
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  json: 'application/json',
  woff2: 'font/woff2',
}

/** The media type of a file of the interface, by its name. */
export const typeOfFile = (path: string): string =>
  TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** Files whose name has a hash never change; the build gives one to all but the page. */
export const isImmutable = (path: string): boolean => /[-.][0-9a-z]{8,}\.\w+$/.test(path)

/** The file at a path, or the one page of the interface for its own addresses; null for anything else. */
export function serveAsset(assets: Assets, pathname: string, request: Request): Response | null {
  const known = assets.files.get(pathname)
  if (known) return send(known, request)
  if (!isPage(pathname)) return null
  const index = assets.files.get(assets.index)
  return index ? send(index, request) : null
}

/** Addresses that the interface routes itself (`web/app.tsx`); any other address that is no file is not found. */
const PAGE = /^\/(?:(?:enlace|entrar)\/?|panel(?:\/[\p{L}\p{N}._~@:+%-]+)*\/?)?$/u

/** Whether the interface routes an address itself. */
export function isPage(pathname: string): boolean {
  return PAGE.test(pathname)
}

function send(asset: Asset, request: Request): Response {
  const forms = (['br', 'gzip'] as const).filter((form) => asset[form])
  const encoding = acceptedCoding(request.headers.get('accept-encoding'), forms)
  const body = (encoding && asset[encoding]) || asset.body
  const headers: Record<string, string> = {
    ...PAGE_HEADERS,
    'content-type': asset.type,
    'cache-control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    'content-length': String(body.length),
  }
  if (encoding) headers['content-encoding'] = encoding
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers })
}
