/**
 * The host name in an address that was pasted where a name is meant: `https://www.ejemplo.es/x` is
 * `www.ejemplo.es`. Anything else is left as it was typed.
 */
export function hostIn(text: string): string {
  const typed = text.trim()
  const [, authority] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#\s]+)/i.exec(typed) ?? []
  const [, before] = /^([^/?#\s@]+\.[^/?#\s@]+)\/\S*$/.exec(typed) ?? []
  const host = (authority ?? before)?.replace(/^.*@/, '').replace(/:\d*$/, '')
  return host && /^[^\s:[\]]+$/.test(host) ? host.toLowerCase() : text
}

/** Names one a line, or parted by blanks or commas. */
export const namesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
