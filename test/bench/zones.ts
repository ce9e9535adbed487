import { readFile } from 'node:fs/promises'
import { powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { diffRrsets } from '../../lib/dns/diff.ts'
import { canonicalRrset } from '../../lib/dns/rrset.ts'
import { siteZone, soaOf } from '../../lib/dns/template.ts'
import type { DesiredZone, RRset, Step } from '../../lib/endpoint/node-port.ts'
import { dig, type RunningPdns, startPdns } from '../dns/pdns.ts'
import { countingProxy } from '../dns/proxy.ts'

const direct: Step = (_, work) => work()
const DEFAULTS = { addresses: ['192.0.2.1', '2001:db8::1'], nameServers: ['ns1.host.net', 'ns2.host.net'] }

/**
 * Publishes, audits and repairs `count` zones on a real server, and measures canonical form and
 * difference of one zone of 10,000 RRsets. Prints one line of JSON a measurement.
 */
export async function run(count = 10_000): Promise<void> {
  pure()
  const server = await startPdns()
  const proxy = countingProxy(server.service.apiUrl())
  const driver = powerDnsDriver({ url: () => proxy.url, apiKey: () => server.apiKey })
  const all = () => zones(count)
  try {
    await measured(server, 'publish', count, async () => {
      for (const zone of all()) await driver.publishZone(zone, direct)
    })
    proxy.writes = []
    await measured(server, 'audit, nothing differs', count, async () => {
      const report = await driver.auditZones(all())
      if (report.repaired.length + report.failed.length + proxy.writes.length > 0) throw new Error('it wrote')
    })
    for (const zone of all())
      if (Number(zone.name.slice(1, -3)) % 10 === 0) await driver.removeZone(zone.name, direct)
    await measured(server, 'audit, one in ten missing', count, async () => {
      const report = await driver.auditZones(all())
      if (report.repaired.length !== count / 10) throw new Error(`repaired ${report.repaired.length}`)
    })
    const answer = await dig(server, '+short', 'www.z0.es', 'A')
    if (answer[0] !== '192.0.2.1') throw new Error('a repaired zone is not served')
  } finally {
    proxy.stop()
    await server.stop()
  }
}

function* zones(count: number): Generator<DesiredZone> {
  for (let at = 0; at < count; at++) {
    const name = `z${at}.es`
    yield {
      name,
      serial: 2026112101,
      soa: soaOf(name, DEFAULTS.nameServers),
      rrsets: siteZone(name, DEFAULTS, ['www']),
    }
  }
}

function pure(): void {
  const best = { canonical: Number.POSITIVE_INFINITY, difference: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 10; round++) {
    const [left, right] = [large(), large()]
    let started = performance.now()
    const canonical = left.map((rrset) => canonicalRrset('example.es', rrset))
    best.canonical = Math.min(best.canonical, performance.now() - started)
    started = performance.now()
    diffRrsets('example.es', canonical, right)
    best.difference = Math.min(best.difference, performance.now() - started)
  }
  print({ what: '10,000 RRsets', canonicalMs: round(best.canonical), differenceMs: round(best.difference) })
}

function large(): RRset[] {
  const shapes: [string, (at: number) => string][] = [
    ['A', (at) => `192.0.2.${at % 256}`],
    ['AAAA', (at) => `2001:DB8::${at % 9999}`],
    ['CNAME', () => 'target'],
    ['MX', () => '10 mail'],
    ['TXT', () => '"v=spf1 -all"'],
  ]
  return Array.from({ length: 10_000 }, (_, at) => {
    const [type, value] = shapes[at % shapes.length] ?? ['A', () => '192.0.2.1']
    return { name: `h${at}`, type, ttl: 3600, values: [value(at)] }
  })
}

async function measured(
  server: RunningPdns,
  what: string,
  count: number,
  work: () => Promise<void>,
): Promise<void> {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  print({
    what,
    zones: count,
    seconds: round(seconds),
    perSecond: Math.round(count / seconds),
    panelMiB: round(process.memoryUsage.rss() / 2 ** 20),
    serverMiB: await residentMiB(server.pid()),
  })
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}

const round = (value: number) => Math.round(value * 10) / 10

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

if (import.meta.main) await run(Number(process.argv[2] ?? 10_000))
