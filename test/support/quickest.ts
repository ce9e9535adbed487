/** Milliseconds that some work takes: of a few times the shortest, which the machine's other work did not hold up. */
export async function quickest(work: () => unknown, times = 3): Promise<number> {
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const started = performance.now()
    await work()
    took.push(performance.now() - started)
  }
  return Math.min(...took)
}
