import { isSerialAhead } from '../../../lib/dns/serial.ts'
import type { DesiredZone, ZoneAuditOptions, ZoneAuditReport } from '../../../lib/endpoint/node-port.ts'
import type { ApiZoneSummary, PowerDnsApi } from './api.ts'
import { ACCOUNT, driftOf, hasDrift } from './drift.ts'

export type AuditTools = {
  api: PowerDnsApi
  /** Publishes; says whether something was written, and the serial served. To be called in turn. */
  publish(zone: DesiredZone): Promise<{ written: boolean; serial: number }>
  /** Runs when no other write does. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
}

/**
 * Compares every zone with what is served, and repairs what differs; where nothing does, nothing is
 * written. One zone that fails stops no other. Zones that the panel made and no longer has are removed
 * where `mayRemove` agrees.
 */
export async function auditZones(
  tools: AuditTools,
  zones: AsyncIterable<DesiredZone> | Iterable<DesiredZone>,
  options: ZoneAuditOptions = {},
): Promise<ZoneAuditReport> {
  const report: ZoneAuditReport = { compared: 0, repaired: [], removed: [], foreign: [], failed: [] }
  const served = new Map<string, ApiZoneSummary>()
  for (const zone of await tools.api.zones()) served.set(zone.name.replace(/\.$/, ''), zone)
  await eachOf(zones, options.parallel ?? 4, async (zone) => {
    const summary = served.get(zone.name)
    served.delete(zone.name)
    report.compared++
    await guarded(report, zone.name, () => auditOne(tools, zone, summary, { options, report }))
  })
  for (const [name, { account }] of served) {
    await guarded(report, name, () => auditUnknown(tools, { name, account }, { options, report }))
  }
  return report
}

type Run = { options: ZoneAuditOptions; report: ZoneAuditReport }

async function auditOne(
  tools: AuditTools,
  zone: DesiredZone,
  summary: ApiZoneSummary | undefined,
  { options, report }: Run,
): Promise<void> {
  if (summary && !isSerialAhead(zone.serial, summary.serial)) {
    const served = await tools.api.zone(zone.name)
    if (served && !hasDrift(driftOf(zone, served))) return
  }
  // The zone is read again in turn with writes, so that this reading does not undo a newer publication.
  const published = await tools.inTurn(async () => {
    const wanted = options.reload ? await options.reload(zone.name) : zone
    return wanted && tools.publish(wanted)
  })
  if (published?.written) report.repaired.push({ zone: zone.name, serial: published.serial })
}

async function auditUnknown(
  tools: AuditTools,
  zone: { name: string; account: string },
  { options, report }: Run,
): Promise<void> {
  if (zone.account !== ACCOUNT) {
    report.foreign.push(zone.name)
    return
  }
  const removed = await tools.inTurn(async () => {
    const may = await options.mayRemove?.(zone.name)
    return may === true && tools.api.remove(zone.name)
  })
  if (removed) report.removed.push(zone.name)
}

async function guarded(report: ZoneAuditReport, zone: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    report.failed.push({ zone, error })
  }
}

/** Runs `work` over all items, at most `parallel` at once, without holding more of them than that. */
async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  for await (const item of items) {
    const one = work(item).finally(() => running.delete(one))
    running.add(one)
    if (running.size >= parallel) await Promise.race(running)
  }
  await Promise.all(running)
}
