import type { RRset } from '../../lib/endpoint/node-port.ts'
import { desiredRRsets, difference } from '../../lib/mirror/difference.ts'
import type { RemoteRRset } from '../../lib/providers/types.ts'
import { type Panel, startPanel } from '../support/providers/panel.ts'
import { providerOf, WORLDS, type World } from '../support/providers/world.ts'

const ZONE = 'ejemplo.es'
const DAY_MS = 86_400_000

/**
 * Canonical form and difference of a zone of 10,000 RRsets, and the calls that each provider needs for no
 * change, one and a thousand. Prints one line of JSON a measurement.
 */
export async function run(): Promise<void> {
  pure()
  for (const kind of Object.keys(WORLDS)) await calls(kind)
}

function pure(): void {
  const rules = { limits: LIMITS, refuses: () => null }
  const echoed = () => remote(large(), (value) => value)
  // Upper-case names and another spelling of every value: nothing is the same text.
  const respelt = () => remote(large(), (value) => (value.startsWith('"') ? value : value.toUpperCase()))
  print({ what: 'difference of 10,000 RRsets, values as sent', ms: best(() => compare(rules, echoed())) })
  print({
    what: 'difference of 10,000 RRsets, every value spelt otherwise',
    ms: best(() => compare(rules, respelt())),
  })
  print({ what: 'memory', panelMiB: round(process.memoryUsage.rss() / 2 ** 20) })
}

const LIMITS = {
  types: new Set<string>(),
  ttlSeconds: { min: 60, max: 86_400 },
  batch: { changes: 200, bytes: 1_000_000 },
  atomic: true,
  marker: false,
  txtBounds: true,
}
const NOWHERE = {
  id: '1',
  name: ZONE,
  servers: [],
  marker: null,
  createdMs: null,
  warning: null,
  minimumTtlSeconds: null,
}

function compare(rules: Parameters<typeof desiredRRsets>[1], held: RemoteRRset[]): () => void {
  const zone = large()
  return () => {
    const { rrsets } = desiredRRsets(zone, rules, NOWHERE)
    if (difference(rrsets, held, { zone: ZONE, txtBounds: true }).length > 0) throw new Error('it differs')
  }
}

/** The best of ten, since the machine is shared. */
function best(prepare: () => () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < 10; at++) {
    const work = prepare()
    const startedMs = performance.now()
    work()
    least = Math.min(least, performance.now() - startedMs)
  }
  return round(least)
}

function remote(rrsets: RRset[], spell: (value: string) => string): RemoteRRset[] {
  return rrsets.map((set) => ({ ...set, values: set.values.map(spell), handles: [] }))
}

function large(count = 10_000): RRset[] {
  const shapes: [string, (at: number) => string][] = [
    ['A', (at) => `192.0.${at >> 8}.${at & 255}`],
    ['AAAA', (at) => `2001:db8::${(at + 1).toString(16)}`],
    ['CNAME', () => 'target.other.net.'],
    ['MX', () => '10 mail.other.net.'],
    ['TXT', () => '"v=spf1 -all"'],
  ]
  return Array.from({ length: count }, (_, at) => {
    const [type, value] = shapes[at % shapes.length] ?? ['A', () => '192.0.2.1']
    return { name: `h${at}`, type, ttl: 3600, values: [value(at)] }
  })
}

async function calls(kind: string): Promise<void> {
  const panel = await startPanel()
  const start = WORLDS[kind]
  if (!start) throw new Error(kind)
  const world = await start(() => panel.clock.ms)
  await panel.addAccount(world)
  const base = large(2_000)
  await panel.addZone(ZONE, base)
  await panel.addMirror(ZONE)
  await measured(kind, 'create and fill 2,000', panel, world)
  panel.clock.ms += DAY_MS
  await measured(kind, 'no change', panel, world)
  await panel.setRecords(ZONE, changed(base, 1))
  await measured(kind, '1 change', panel, world)
  await panel.setRecords(ZONE, changed(base, 1_001))
  await measured(kind, '1,000 changes', panel, world)
  if (world.deviations().length > 0) throw new Error(world.deviations()[0])
  await world.stop()
  await panel.stop()
}

/** Other addresses and texts for the first so many record sets. */
function changed(rrsets: RRset[], count: number): RRset[] {
  return rrsets.map((set, at) => (at < count ? { ...set, ttl: 7_200 } : set))
}

async function measured(kind: string, what: string, panel: Panel, world: World): Promise<void> {
  world.proxy.calls.length = 0
  const startedMs = performance.now()
  // Fakes answer at once, so a provider's own pace is not in the time.
  const done = await panel.run(world, { open: async () => providerOf(world) })
  if (done?.outcome !== 'synced') throw new Error(`${kind}, ${what}: ${done?.outcome}`)
  const writes = world.proxy.writes().length
  print({
    provider: kind,
    what,
    reads: world.proxy.calls.length - writes,
    writes,
    ms: Math.round(performance.now() - startedMs),
    panelMiB: round(process.memoryUsage.rss() / 2 ** 20),
  })
}

const round = (value: number) => Math.round(value * 10) / 10

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

if (import.meta.main) await run()
