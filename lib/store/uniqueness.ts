/** Whether a write failed because a unique value is taken. */
export const uniqueness = (error: unknown): boolean =>
  says(error, /UNIQUE constraint failed|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/)

/** Whether a write failed because the row that it refers to is gone. */
export const orphaned = (error: unknown): boolean =>
  says(error, /FOREIGN KEY constraint failed|SQLITE_CONSTRAINT_FOREIGNKEY/)

function says(error: unknown, what: RegExp): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (what.test(at.message)) return true
  return false
}
