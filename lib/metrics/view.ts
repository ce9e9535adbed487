import { HTTPS_STATES, MIRROR_STATES } from '../../schema/states.ts'
import { standingFault } from '../backups/destination/fault.ts'
import { NODE_SETTINGS } from '../nodes/nodes.ts'
import type { Metric, Sample } from './exposition.ts'
import type { MetricFacts } from './facts.ts'

const gauge = (name: string, help: string, samples: Sample[]): Metric => ({
  name: `controlpanel_${name}`,
  help,
  type: 'gauge',
  samples,
})

/** What the database knows, as metrics. No label is a client, a site, a zone or a path. */
export function databaseMetrics(facts: MetricFacts, now: Date): Metric[] {
  return [
    ...jobMetrics(facts, now),
    ...mailMetrics(facts, now),
    ...webhookMetrics(facts, now),
    ...mirrorMetrics(facts, now),
    ...certificateMetrics(facts, now),
    ...clientMetrics(facts),
    ...copyMetrics(facts, now),
    ...nodeMetrics(facts, now),
  ]
}

/** Never negative: a clock that was set back makes nothing younger than now. */
const secondsSince = (at: Date | number | null, now: Date): number | null =>
  at === null ? null : Math.max(0, (now.getTime() - Number(at)) / 1000)

const earliest = (dates: (Date | null)[]): Date | null =>
  dates.reduce((first, date) => (first === null || (date !== null && date < first) ? date : first), null)

function jobMetrics({ work }: MetricFacts, now: Date): Metric[] {
  const states = { pendiente: 'waiting', en_curso: 'running', fallida: 'failed' } as const
  const waiting = work.filter(({ state }) => state === 'pendiente')
  return [
    gauge(
      'jobs',
      'Background jobs that wait, run or were given up, by kind.',
      work.flatMap(({ kind, state, count }) =>
        state in states
          ? [{ labels: { kind, state: states[state as keyof typeof states] }, value: count }]
          : [],
      ),
    ),
    gauge('jobs_retried', 'Waiting jobs that failed before.', [
      { value: waiting.reduce((sum, { retried }) => sum + retried, 0) },
    ]),
    gauge('job_oldest_seconds', 'Age of the oldest waiting job; 0 if none waits.', [
      { value: secondsSince(earliest(waiting.map(({ oldest }) => oldest)), now) ?? 0 },
    ]),
  ]
}

function mailMetrics({ posts }: MetricFacts, now: Date): Metric[] {
  const failed = posts.find(({ state }) => state === 'fallido')
  const waiting = posts.filter(({ state }) => state !== 'fallido')
  return [
    gauge('mails', 'Mails of the panel that wait to be sent, or were given up.', [
      { labels: { state: 'waiting' }, value: waiting.reduce((sum, { count }) => sum + count, 0) },
      { labels: { state: 'failed' }, value: failed?.count ?? 0 },
    ]),
    gauge('mail_oldest_seconds', 'Age of the oldest waiting mail; 0 if none waits.', [
      { value: secondsSince(earliest(waiting.map(({ oldest }) => oldest)), now) ?? 0 },
    ]),
  ]
}

function webhookMetrics({ told, listeners }: MetricFacts, now: Date): Metric[] {
  const [waiting, retried] = [told?.waiting ?? 0, told?.retried ?? 0]
  const webhooks = (is: (row: (typeof listeners)[number]) => boolean) =>
    listeners.filter(is).reduce((sum, row) => sum + row.count, 0)
  const byItself = ['ya_no_existe', 'sin_entregas', 'demasiadas']
  return [
    gauge('webhooks', 'Webhooks that events are delivered to, or that are switched off.', [
      { labels: { state: 'on' }, value: webhooks(({ active }) => active) },
      { labels: { state: 'off' }, value: webhooks(({ active }) => !active) },
    ]),
    gauge('webhooks_stopped', 'Webhooks that were switched off because they took nothing.', [
      { value: webhooks(({ active, stopped }) => !active && byItself.includes(stopped ?? '')) },
    ]),
    gauge('webhook_deliveries', 'Events that wait to be delivered, by whether an attempt failed before.', [
      { labels: { state: 'waiting' }, value: waiting - retried },
      { labels: { state: 'failed' }, value: retried },
    ]),
    gauge('webhook_oldest_seconds', 'Age of the oldest event that waits to be delivered; 0 if none waits.', [
      { value: secondsSince(told?.oldest ?? null, now) ?? 0 },
    ]),
  ]
}

function mirrorMetrics({ mirrored, accounts }: MetricFacts, now: Date): Metric[] {
  const delays = mirrored
    // While a zone is synchronised, its time is only that of the lease.
    .filter(({ state }) => state !== 'sincronizando')
    .map(({ next }) => secondsSince(next, now) ?? 0)
  return [
    gauge(
      'mirror_zones',
      'Zones mirrored at a DNS provider, by state (as the API tells it).',
      MIRROR_STATES.map((state) => ({
        labels: { state },
        value: mirrored.find((row) => row.state === state)?.count ?? 0,
      })),
    ),
    gauge('mirror_queue_delay_seconds', 'How long the zone waits that has waited longest for its turn.', [
      { value: Math.max(0, ...delays) },
    ]),
    gauge(
      'mirror_account_refused',
      'Whether the DNS provider refuses the credential of a node.',
      accounts.map(({ node, refused }) => ({ labels: { node }, value: refused })),
    ),
  ]
}

function certificateMetrics({ certificates }: MetricFacts, now: Date): Metric[] {
  const issued = certificates.filter(({ state }) => state !== 'autofirmado')
  const soonest = earliest(issued.map((row) => row.soonest))
  return [
    gauge(
      'site_certificates',
      'Sites by the state of their certificate (as the API tells it).',
      HTTPS_STATES.map((state) => ({
        labels: { state },
        value: certificates.find((row) => row.state === state)?.count ?? 0,
      })),
    ),
    gauge('site_certificates_ending', 'Issued certificates that end within 14 days, or have ended.', [
      { value: issued.reduce((sum, { soon }) => sum + soon, 0) },
    ]),
    gauge(
      'site_certificate_soonest_end_seconds',
      'Time until the first of them ends; negative after its end.',
      [{ value: soonest && (soonest.getTime() - now.getTime()) / 1000 }],
    ),
  ]
}

function clientMetrics({ people, limits }: MetricFacts): Metric[] {
  const resources = limits === undefined ? [] : Object.entries(limits)
  const of = (which: 'near' | 'reached') =>
    resources.map(([resource, sums]) => ({ labels: { resource }, value: sums[which] }))
  return [
    gauge(
      'clients',
      'Clients by state (as the API tells it).',
      people.map(({ state, count }) => ({ labels: { state }, value: count })),
    ),
    gauge(
      'clients_near_limit',
      'Clients from 80 % of a limit of their plan on, and still below it.',
      of('near'),
    ),
    gauge('clients_at_limit', 'Clients that have reached a limit of their plan.', of('reached')),
  ]
}

function copyMetrics({ kept, last, damaged }: MetricFacts, now: Date): Metric[] {
  return [
    gauge(
      'node_copy_age_seconds',
      'Age of the last copy of the node itself; before the first, of the destination.',
      kept.map(({ node, nodeCopiedAt, checkedAt }) => ({
        labels: { node },
        value: secondsSince(nodeCopiedAt ?? checkedAt, now),
      })),
    ),
    gauge(
      'copies_destination_failing',
      'Whether what was last written to the destination of copies failed because of it: doctor says why.',
      kept.map((one) => ({ labels: { node: one.node }, value: Number(standingFault(one, now) !== null) })),
    ),
    gauge(
      'clients_copies_damaged',
      'Clients of whose copies the destination has lost or changed something.',
      [{ value: damaged }],
    ),
    gauge('clients_copied', 'Clients that are copied every night.', [{ value: last?.clients ?? 0 }]),
    gauge('client_copy_oldest_seconds', "Age of the oldest of all clients' last good copies.", [
      { value: secondsSince(last?.oldest ?? null, now) },
    ]),
  ]
}

function nodeMetrics({ hosts }: MetricFacts, now: Date): Metric[] {
  type Host = MetricFacts['hosts'][number]
  const each = (name: string, help: string, figure: (host: Host) => number | null | undefined) =>
    gauge(
      name,
      help,
      hosts.map((host) => ({ labels: { node: host.name }, value: figure(host) ?? null })),
    )
  const data = "of the file system with the panel's data"
  return [
    gauge(
      'build_info',
      'The version of each node; always 1.',
      hosts.map(({ name, version }) => ({ labels: { node: name, version }, value: 1 })),
    ),
    serviceMetric(hosts),
    each(
      'node_start_seconds',
      "When the node's panel was started, in Unix time.",
      ({ startedAt }) => startedAt.getTime() / 1000,
    ),
    each('node_seen_age_seconds', 'Time since the node was last heard of.', ({ seenAt }) =>
      secondsSince(seenAt, now),
    ),
    each('node_load', 'Load average of one minute.', ({ capacity }) => capacity?.load),
    each('node_memory_bytes', 'Memory of the node.', ({ capacity }) => capacity?.memoryBytes),
    each('node_disk_bytes', `Size ${data}.`, ({ capacity }) => capacity?.diskBytes),
    each('node_disk_free_bytes', `Free bytes ${data}.`, ({ capacity }) => capacity?.diskFreeBytes),
    each('node_inodes', `Inodes ${data}, where it counts them.`, ({ capacity }) => capacity?.inodes),
    each('node_inodes_free', `Free inodes ${data}.`, ({ capacity }) => capacity?.inodesFree),
  ]
}

/** Settings that a node lists among its services are left out: not to set them is no failure. */
const serviceMetric = (hosts: MetricFacts['hosts']): Metric =>
  gauge(
    'service_up',
    'Whether a service of the node runs.',
    hosts.flatMap(({ name, services }) =>
      services
        .filter((service) => !NODE_SETTINGS.includes(service.name))
        .map(({ name: service, running }) => ({ labels: { node: name, service }, value: running ? 1 : 0 })),
    ),
  )
