/** The mail that clients' programs leave, in one directory per client. A message's name is unique within its client. */
export type MailSpool = {
  /** Clients that have left mail. */
  waiting(): number[]
  /** The client's messages that may be tried now, oldest first; all of them if no time is given. */
  due(clientId: number, now: Date | null): string[]
  /**
   * Tells the client's programs how many recipients they may still write to. Those of `counted`, a message that is
   * still there, have been counted already.
   */
  tell(clientId: number, left: number, counted?: string): void
  /**
   * Text of a message and the recipients that do not have it yet; null for a file that is no message, which is then
   * set aside.
   */
  read(clientId: number, name: string): { to: string[]; message: Uint8Array } | null
  /** Removes a message that the mail server has accepted, or sets it aside if some recipients were refused. */
  sent(clientId: number, name: string, refused: number): void
  /** Schedules another try for the recipients `later`; after the last try sets the message aside and answers false. */
  postpone(clientId: number, rest: { name: string; later: string[]; refused: number }, now: Date): boolean
  /** Sets aside a message that will not be sent, so that its client can see it. */
  putAside(clientId: number, name: string): void
  /** How many of the client's messages are set aside. */
  unsent(clientId: number): number
}
