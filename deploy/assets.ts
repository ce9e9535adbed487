/** One file of the interface, with what it was compressed to when it was built. */
export type Asset = { type: string; body: Uint8Array; br?: Uint8Array; gzip?: Uint8Array; immutable: boolean }

/** Built files by path; `index` is answered for every address that the interface routes itself. */
export type Assets = { files: Map<string, Asset>; index: string }

/** The interface may load nothing from elsewhere and be framed by nobody. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'content-security-policy': CSP,
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** The file at a path, or the one page of the interface for its own addresses; null for anything else. */
export function serveAsset(assets: Assets, pathname: string, request: Request): Response | null {
  const known = assets.files.get(pathname)
  if (known) return send(known, request)
  if (!isPage(pathname)) return null
  const index = assets.files.get(assets.index)
  return index ? send(index, request) : null
}

const PAGE = /^(?:\/[\p{L}\p{N}._~@:+%-]+)*\/?$/u
const NOT_PAGE =
  /^\/(?:api|acceso|cron|assets|docs)|\.(?:js|css|map|png|svg|ico|json|txt|woff2|html|php|xml)$/i

/** Whether the interface routes an address itself: it has plain segments and no file's ending; `/API` and the like have no page. */
export function isPage(pathname: string): boolean {
  return PAGE.test(pathname) && !NOT_PAGE.test(pathname)
}

function send(asset: Asset, request: Request): Response {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding =
    asset.br && /\bbr\b/.test(accepted) ? 'br' : asset.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null
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
