import { preload } from './preload.ts'
import { screenAt } from './screens.ts'

/**
 * The page's first script, which arrives long before the interface: whoever was signed in here gets the frame of the
 * panel, the renewal of the session and the parts of the screen at that address under way at once. It stands alone.
 */
const inside = /^\/(?:panel(?:\/|$)|$)/.test(location.pathname)

// The interface itself may have come first, and has begun by itself then.
if (!globalThis.boot) {
  const begins = wasSignedIn() && (inside || location.pathname.startsWith('/entrar'))
  globalThis.boot = { renewal: begins ? renewal() : null, parts: Object.values(PARTS).flat() }
  if (begins && inside) document.documentElement.dataset.frame = ''
  if (begins) for (const path of partsAt(location.pathname)) void preload(path)
}

/** As `api/session.ts` notes it. */
function wasSignedIn(): boolean {
  return stored('panel.sesion') !== null
}

/** Storage may be forbidden. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function renewal(): Promise<Response> {
  const language = stored('panel.idioma')
  const headers = language === null ? {} : { 'accept-language': language }
  const sent = fetch('/acceso/renovar', { method: 'POST', credentials: 'same-origin', headers })
  // Whoever takes it up hears of what went wrong; until then nobody is to be alarmed.
  sent.catch(() => undefined)
  return sent
}

function partsAt(path: string): string[] {
  const screen = screenAt(path)
  return [...new Set([...(PARTS['shell/panel'] ?? []), ...((screen && PARTS[screen]) || [])])]
}
