/** The id of an entry of a bin: the ULID of the operation that put it there, by which it sorts, and its place in that. */
export const BIN_ENTRY = /^[0-9A-HJKMNP-TV-Z]{26}-[0-9]{3}$/

/** The same for each run of an operation. */
export const binEntryId = (operation: string, index: number): string =>
  `${operation.slice(-26)}-${String(index).padStart(3, '0')}`
