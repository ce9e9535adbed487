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
