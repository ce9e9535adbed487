import { useIsOperator } from '../look/wire.tsx'

/** So many rows are seen at once: nobody has to search, order or save them. */
const SHORT = 8

type Listed = { rows: unknown[]; more: boolean }

/** Whether a customer sees all of a listing at once; one that is narrowed down keeps what narrows it. */
export function useIsShort({ rows, more }: Listed, narrowed: boolean): boolean {
  return !useIsOperator() && !narrowed && !more && rows.length <= SHORT
}
