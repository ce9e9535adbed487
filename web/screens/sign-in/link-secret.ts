let read: string | null = null

/**
 * The secret of a one-time link, from the address's fragment, which no server sees. It is taken out of
 * the address bar and the history at once; the value stays in this memory until the page goes.
 */
export function linkSecret(): string | null {
  const fragment = location.hash.slice(1)
  if (fragment !== '') {
    read = /^[0-9A-Za-z]{20,200}$/.test(fragment) ? fragment : null
    history.replaceState(null, '', location.pathname)
  }
  return read
}

const SAVED = 'panel.contrasena'

/** Notes in this tab that a link's password is saved, while its account is not protected yet. */
export function notePasswordSaved(saved: boolean): void {
  if (saved) sessionStorage.setItem(SAVED, '1')
  else sessionStorage.removeItem(SAVED)
}

/** Whether a page that was loaded anew stands after that. */
export const isPasswordSaved = (): boolean => sessionStorage.getItem(SAVED) !== null
