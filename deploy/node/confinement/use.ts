import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { GroupUse } from '../../../lib/endpoint/node-port.ts'

/** A directory of each controller, in which a client's group is `cp<id>`; null if the kernel lacks the controller. */
export type ClientGroups = { version: 1 | 2; past: string } & Record<Controller, string | null>
type Controller = 'memory' | 'cpu' | 'cpuacct' | 'pids'

const directory = v.optional(v.nullable(v.pipe(v.string(), v.startsWith('/'))), null)
const told = v.variant('version', [
  v.object({
    version: v.literal(1),
    memory: directory,
    cpu: directory,
    cpuacct: directory,
    pids: directory,
  }),
  v.object({ version: v.literal(2), unified: v.pipe(v.string(), v.startsWith('/')) }),
])

/** The groups of this node's clients, as the keeper reports them; null if there are none. */
export function clientGroups(runDirectory: string): ClientGroups | null {
  const text = textOf(join(runDirectory, 'groups.json'))
  if (text === null) return null
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const read = v.safeParse(told, json)
  if (!read.success) return null
  const past = pastOf(runDirectory)
  return read.output.version === 1 ? { ...read.output, past } : { ...unified(read.output.unified), past }
}

/** What a client's former groups had counted, since a new group counts from zero. */
export const pastCounts = (runDirectory: string, clientId: number) =>
  join(pastOf(runDirectory), String(clientId))
const pastOf = (runDirectory: string) => join(runDirectory, 'past')

/** Version 2 has one tree: what it counts for the groups in it stands in their parent. */
function unified(parent: string): Omit<ClientGroups, 'past'> {
  const controllers = new Set((textOf(join(parent, 'cgroup.subtree_control')) ?? '').trim().split(/\s+/))
  const where = (name: string) => (controllers.has(name) ? parent : null)
  // Processor time is counted in every group, also without the controller.
  return { version: 2, memory: where('memory'), cpu: where('cpu'), cpuacct: parent, pids: where('pids') }
}

/** The directory that lists what runs of a client; null where the node has no groups. */
export function groupOf(runDirectory: string, clientId: number): string | null {
  const groups = clientGroups(runDirectory)
  const parent = groups && parentOf(groups)
  return parent === null ? null : join(parent, `cp${clientId}`)
}

const parentOf = ({ pids, cpuacct, memory, cpu }: ClientGroups) => pids ?? cpuacct ?? memory ?? cpu

/** Clients whose group has running processes, or was refused something before it ended. */
export function watchedClients(groups: ClientGroups): number[] {
  const parent = parentOf(groups)
  if (parent === null) return []
  return entriesOf(parent).flatMap((name) => {
    const found = /^cp([1-9][0-9]{0,14})$/.exec(name)?.[1]
    const id = Number(found)
    if (found === undefined) return []
    return textOf(join(parent, name, 'cgroup.procs')) || wasRefused(groups, id) ? [id] : []
  })
}

function wasRefused(groups: ClientGroups, clientId: number): boolean {
  const { memory, processes } = groupUse(groups, clientId).counters
  return (memory ?? 0) > 0 || (processes ?? 0) > 0
}

/** What runs of the clients given; empty where the node has no groups. */
export function measureGroups(runDirectory: string, clientIds: number[]): GroupUse[] {
  const groups = clientGroups(runDirectory)
  return groups === null ? [] : clientIds.map((id) => groupUse(groups, id))
}

/** What a client's group tells; all zero where it has none, since nothing runs. */
export function groupUse(groups: ClientGroups, clientId: number): GroupUse {
  const from = (controller: Controller) => {
    const parent = groups[controller]
    return parent === null ? null : join(parent, `cp${clientId}`)
  }
  const count = counting(textOf(join(groups.past, String(clientId))) ?? '')
  const counters = groups.version === 1 ? countersV1 : countersV2
  const places = { memory: from('memory'), cpu: from('cpu'), cpuacct: from('cpuacct') }
  return {
    clientId,
    ...memoryOf(groups, from('memory')),
    ...processesOf(from('pids')),
    counters: {
      ...counters(places, count),
      processes: count(from('pids'), 'pids.events', 'max'),
    },
  }
}

/** Memory use without what the kernel could free at once: a busy site fills its limit with cached files. */
function memoryOf({ version }: ClientGroups, group: string | null) {
  const [usage, limit, cache] =
    version === 1
      ? ['memory.usage_in_bytes', 'memory.limit_in_bytes', 'total_inactive_file']
      : ['memory.current', 'memory.max', 'inactive_file']
  const used = numberOf(group, usage)
  const idle = fieldOf(group, 'memory.stat', cache)
  return {
    memoryBytes: used === null ? null : Math.max(0, used - (idle ?? 0)),
    memoryLimit: limitOf(group, limit),
  }
}

const processesOf = (group: string | null) => ({
  processes: numberOf(group, 'pids.current'),
  processLimit: limitOf(group, 'pids.max'),
})

type Groups = Record<'memory' | 'cpu' | 'cpuacct', string | null>
type Count = (group: string | null, file: string, field?: string) => number | null

/** Adds what the client's former groups had counted, as the keeper noted it. */
const counting =
  (past: string): Count =>
  (group, file, field) => {
    const now = field === undefined ? numberOf(group, file) : fieldOf(group, file, field)
    return now === null ? null : now + lineOf(past, `${file} ${field ?? '-'}`)
  }

/**
 * A process that was ended counts as memory refused; `memory.failcnt` also counts each time that copies of files made
 * way (Linux, cgroup-v1/memory.rst, 2.2.1).
 */
const countersV1 = ({ memory, cpu, cpuacct }: Groups, count: Count) => ({
  cpuMicros: thousandth(count(cpuacct, 'cpuacct.usage')),
  memory: count(memory, 'memory.oom_control', 'oom_kill'),
  throttledMicros: thousandth(count(cpu, 'cpu.stat', 'throttled_time')),
})

const countersV2 = ({ memory, cpu, cpuacct }: Groups, count: Count) => ({
  cpuMicros: count(cpuacct, 'cpu.stat', 'usage_usec'),
  memory: count(memory, 'memory.events', 'oom_kill'),
  throttledMicros: count(cpu, 'cpu.stat', 'throttled_usec'),
})

const thousandth = (nanos: number | null) => (nanos === null ? null : Math.round(nanos / 1000))

/** A file that holds one number; 0 where the group is gone, null without a controller. */
function numberOf(group: string | null, file: string): number | null {
  if (group === null) return null
  return counted(textOf(join(group, file))?.trim())
}

/** One line of a file of `name number` lines. */
function fieldOf(group: string | null, file: string, name: string): number | null {
  if (group === null) return null
  return lineOf(textOf(join(group, file)) ?? '', name)
}

function lineOf(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return counted(line?.slice(name.length + 1).trim())
}

const counted = (text: string | undefined) => (text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : 0)

/** `max`, and in version 1 the largest number of pages, is no limit. */
function limitOf(group: string | null, file: string): number | null {
  const value = group === null ? undefined : textOf(join(group, file))?.trim()
  if (value === undefined || !/^[0-9]+$/.test(value)) return null
  const limit = Number(value)
  return limit > Number.MAX_SAFE_INTEGER ? null : limit
}

/** A group may end between any two looks. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
