/** Null is no limit, or not measured yet. */
type Limits = { diskBytes: number | null; inodes: number | null }

/** Whether a client's space was used up when it was measured: where no quota of the kernel stops it, the panel does. */
export function isFull(plan: Limits | null, used: Limits | null): boolean {
  const over = (limit: number | null | undefined, value: number | null | undefined) =>
    limit != null && value != null && value >= limit
  return over(plan?.diskBytes, used?.diskBytes) || over(plan?.inodes, used?.inodes)
}
