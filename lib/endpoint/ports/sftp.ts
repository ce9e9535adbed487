/**
 * An account that may sign in with one of these keys, each in the form `type base64`, or with the password of this
 * hash.
 */
export type DesiredSftpAccount = {
  name: string
  /** The only site that it sees; null for all of the client's. */
  siteId: number | null
  keys: string[]
  passwordHash: string | null
  readOnly: boolean
}
