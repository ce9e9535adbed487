/** Runs one named step; the name is stable, since the fault tests kill the process before and after it. */
export type Step = (name: string, run: () => Promise<void>) => Promise<void>
