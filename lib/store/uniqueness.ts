/** Whether a write failed because a unique value is taken. */
export function uniqueness(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (/UNIQUE constraint failed|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(at.message)) return true
  }
  return false
}
