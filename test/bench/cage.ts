import { startNode } from '../node/support.ts'

const RUNS = 60
const STREAMED_MIB = 256

/** An empty program in a client's cage beside the same started plainly, and what comes through a cage's stream. */
export async function run(): Promise<void> {
  await using node = await startNode()
  await node.client(1)
  await node.site(1, 10, 'c1.es')
  const client = { clientId: 1, sites: [{ siteId: 10, domain: 'c1.es' }] }
  const caged = (argv: [string, ...string[]]) =>
    node.node.runCaged({ client, sees: 'client', argv, deadlineMs: 60_000 })
  const plain = await median(async () => {
    await Bun.spawn(['/bin/true']).exited
  })
  const inCage = await median(async () => {
    await (await caged(['/bin/true'])).ended
  })
  console.log(`  empty program: ${inCage.toFixed(1)} ms in a cage, ${plain.toFixed(1)} ms plain`)
  const began = performance.now()
  const flood = await caged(['/usr/bin/head', '-c', `${STREAMED_MIB}M`, '/dev/zero'])
  for await (const _ of flood.stdout);
  const seconds = (performance.now() - began) / 1000
  console.log(`  its stream: ${Math.round(STREAMED_MIB / seconds)} MiB/s`)
}

async function median(once: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const began = performance.now()
    await once()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[RUNS / 2] ?? Number.NaN
}
