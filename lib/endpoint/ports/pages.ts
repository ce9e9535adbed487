/** What the web server answers by itself: for a site without content, for a suspended one, for a name of no site. */
export const PAGE_KINDS = ['placeholder', 'suspended', 'missing'] as const
export type PageKind = (typeof PAGE_KINDS)[number]

/** A page of the operator's own, in plain text: a blank line of `text` ends a paragraph. */
export type DesiredPage = {
  title: string
  text: string
  /** The operator's name, colour (`#rrggbb`) and address for help (`https:` or `mailto:`). */
  name: string | null
  colour: string | null
  support: string | null
}

/** null where the panel's own page is shown. */
export type DesiredPages = Record<PageKind, DesiredPage | null>

/** The first page of a site as the node's own web server answers it. */
export type FirstPage = {
  /** What was asked for at last, after redirects among the site's own names. */
  address: string
  /** Null where nothing was answered in time. */
  status: number | null
  title: string | null
  /** What came of it; null without an answer. */
  bytes: number | null
  /** The whole of it came, and it was not cut off at the most that is read. */
  whole: boolean
  /** Where it sends visitors on, where that is none of the site's names. */
  redirect: string | null
  ms: number
}

/** `domain` is asked for; no other of its names is, unless a redirect leads there. */
export type AskedSite = { domain: string; names: readonly string[] }
