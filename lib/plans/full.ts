/** Null means no limit, or not measured yet. */
type Limits = { diskBytes: number | null; inodes: number | null }

/** Whether a client had used up its space when it was last measured. Where no kernel quota stops it, the panel does. */
export function isFull(plan: Limits | null, used: Limits | null): boolean {
  const over = (limit: number | null | undefined, value: number | null | undefined) =>
    limit != null && value != null && value >= limit
  return over(plan?.diskBytes, used?.diskBytes) || over(plan?.inodes, used?.inodes)
}
