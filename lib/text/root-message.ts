/**
 * The innermost message of an error, at most 300 characters: drizzle's own message contains the statement's
 * parameters, which must be neither logged nor stored.
 */
export function rootMessage(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  return error instanceof Error ? error.message.slice(0, 300) : 'unknown'
}

/** Whether an error means that the file system is full or a quota used up (ENOSPC, EDQUOT). */
export function isOutOfSpace(thrown: unknown): boolean {
  return /ENOSPC|EDQUOT|No space left|Disk quota exceeded|database or disk is full/i.test(rootMessage(thrown))
}
