/** A person's look into one base by a browser, while the person's session lasts. */
export type NewView = {
  base: { databaseId: number; clientId: number; name: string }
  /** The session that it ends with. */
  session: string
  /** Whether nothing may be added. */
  restricted: boolean
  /** Of the screens that it is opened from. */
  language: 'es' | 'en'
}

export interface DatabaseViews {
  /** Answers a link that opens it once, within a minute. */
  open(view: NewView): Promise<string>
}
