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
