import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clientGroups, measureGroups, watchedClients } from '../../deploy/node/confinement/use.ts'
import { compared } from '../../lib/usage/groups.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'groups-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function files(contents: Record<string, string>): void {
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** The files as Linux 6.18 writes them, with what a client at its limits shows. */
const V1 = {
  'memory/cp7/memory.usage_in_bytes': '268431360\n',
  'memory/cp7/memory.limit_in_bytes': '268435456\n',
  'memory/cp7/memory.failcnt': '90210\n',
  'memory/cp7/memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
  'memory/cp7/memory.stat': 'cache 9\ninactive_file 1\ntotal_cache 200\ntotal_inactive_file 68431360\n',
  'cpu/cp7/cpu.stat':
    'nr_periods 610\nnr_throttled 42\nthrottled_time 4200000499\nnr_bursts 0\nburst_time 0\n',
  'cpuacct/cp7/cpuacct.usage': '61000000499\n',
  'pids/cp7/cgroup.procs': '4711\n4712\n',
  'pids/cp7/pids.current': '96\n',
  'pids/cp7/pids.max': '100\n',
  'pids/cp7/pids.events': 'max 12\n',
}
const V2 = {
  'clients/cgroup.subtree_control': 'cpu memory pids\n',
  'clients/cp7/cgroup.procs': '4711\n4712\n',
  'clients/cp7/memory.current': '268431360\n',
  'clients/cp7/memory.max': '268435456\n',
  'clients/cp7/memory.stat': 'anon 200000000\nfile 68431360\ninactive_anon 5\ninactive_file 68431360\n',
  'clients/cp7/memory.events': 'low 0\nhigh 0\nmax 90210\noom 3\noom_kill 3\noom_group_kill 0\n',
  'clients/cp7/cpu.stat':
    'usage_usec 61000000\nuser_usec 1\nsystem_usec 2\nnr_periods 610\nnr_throttled 42\nthrottled_usec 4200000\n',
  'clients/cp7/pids.current': '96\n',
  'clients/cp7/pids.max': '100\n',
  'clients/cp7/pids.events': 'max 12\n',
}
const AT_ITS_LIMITS = {
  clientId: 7,
  memoryBytes: 200_000_000,
  memoryLimit: 268_435_456,
  processes: 96,
  processLimit: 100,
  counters: { cpuMicros: 61_000_000, memory: 3, processes: 12, throttledMicros: 4_200_000 },
}
const NOTHING = {
  memoryBytes: 0,
  memoryLimit: null,
  processes: 0,
  processLimit: null,
  counters: { cpuMicros: 0, memory: 0, processes: 0, throttledMicros: 0 },
}
const at = (name: string) => join(root, name)
const v1 = () => ({
  version: 1,
  memory: at('memory'),
  cpu: at('cpu'),
  cpuacct: at('cpuacct'),
  pids: at('pids'),
  freezer: at('freezer'),
})
const v2 = () => ({ version: 2, unified: at('clients') })
const tell = (groups: unknown) => files({ 'groups.json': JSON.stringify(groups) })

describe.each([
  [1, V1, v1],
  [2, V2, v2],
] as const)('groups of version %i', (_version, contents, told) => {
  test('tell memory without copies of files, processes, processor and refusals', () => {
    files(contents)
    tell(told())
    expect(measureGroups(root, [7])).toEqual([AT_ITS_LIMITS])
  })

  test('that a client does not have mean that nothing of the client runs', () => {
    files(contents)
    tell(told())
    expect(measureGroups(root, [8])).toEqual([{ clientId: 8, ...NOTHING }])
  })

  test('name the clients of which something runs or was refused before it ended, and no others', () => {
    const path = told().version === 1 ? 'pids' : 'clients'
    files({
      ...contents,
      [`${path}/cp8/cgroup.procs`]: '',
      [`${path}/cp09/cgroup.procs`]: '1\n',
      [`${path}/system/cgroup.procs`]: '1\n',
      [`${path}/cp12/cgroup.procs`]: '12\n',
      [`${path}/cp15/cgroup.procs`]: '',
      [`${path}/cp15/pids.events`]: 'max 3\n',
    })
    tell(told())
    const groups = clientGroups(root)
    expect(groups && watchedClients(groups).sort()).toEqual([12, 15, 7])
  })

  test('without a limit have none, whatever number stands for that', () => {
    files(contents)
    files({
      'memory/cp7/memory.limit_in_bytes': '9223372036854771712\n',
      'clients/cp7/memory.max': 'max\n',
      'pids/cp7/pids.max': 'max\n',
      'clients/cp7/pids.max': 'max\n',
    })
    tell(told())
    expect(measureGroups(root, [7])).toMatchObject([{ memoryLimit: null, processLimit: null }])
  })
})

test('a kernel without a memory controller counts no memory, and the rest', () => {
  files({ ...V1, ...V2, 'clients/cgroup.subtree_control': 'cpu pids\n' })
  const { memory: _, ...rest } = v1()
  for (const told of [rest, { ...v1(), memory: null }, v2()]) {
    tell(told)
    expect(measureGroups(root, [7, 8])).toMatchObject([
      { memoryBytes: null, processes: 96, counters: { memory: null, processes: 12, cpuMicros: 61_000_000 } },
      { memoryBytes: null, processes: 0, counters: { memory: null, processes: 0 } },
    ])
  }
})

test('a quota that the kernel has not got refuses nothing that could be counted', () => {
  files({ ...V1, ...V2, 'clients/cgroup.subtree_control': 'memory pids\n' })
  for (const told of [{ ...v1(), cpu: null }, v2()]) {
    tell(told)
    expect(measureGroups(root, [7])).toMatchObject([
      { counters: { cpuMicros: 61_000_000, throttledMicros: null } },
    ])
  }
})

test('where nothing shares a tree out, processor time is counted and no more', () => {
  files({ ...V2, 'clients/cgroup.subtree_control': '\n' })
  tell(v2())
  const counters = { cpuMicros: 61_000_000, memory: null, processes: null, throttledMicros: null }
  expect(measureGroups(root, [7])).toMatchObject([{ memoryBytes: null, processes: null, counters }])
})

test.each([
  ['no file', null],
  ['half a file', '{"version":1,"memo'],
  ['another version', '{"version":3,"tree":"/x"}'],
  ['a relative path', '{"version":2,"unified":"clients"}'],
])('%s is no groups', (_name, text) => {
  if (text !== null) files({ 'groups.json': text })
  expect(clientGroups(root)).toBeNull()
  expect(measureGroups(root, [7])).toEqual([])
})

const counters = (cpuMicros: number, memory = 0, processes = 0, throttledMicros = 0) => ({
  cpuMicros,
  memory,
  processes,
  throttledMicros,
})

test.each([
  ['half a processor', counters(0), counters(30_000_000), 60_000, { cpuPercent: 50 }],
  ['two processors', counters(5_000_000), counters(7_000_000), 1000, { cpuPercent: 200 }],
  ['next to nothing', counters(0), counters(40_000), 60_000, { cpuPercent: 0.1 }],
  [
    'refusals',
    counters(0, 3, 12, 1_000_000),
    counters(0, 4, 20, 4_400_000),
    60_000,
    { memory: 1, processes: 8, cpuSeconds: 3.4 },
  ],
  [
    'a group made anew since',
    counters(90_000_000, 9, 9, 9_000_000),
    counters(6_000_000, 1, 2, 100_000),
    60_000,
    { cpuPercent: 10, memory: 1, processes: 2, cpuSeconds: 0.1 },
  ],
])('%s between two readings', (_name, before, now, elapsedMs, expected) => {
  expect(compared(before, now, elapsedMs)).toMatchObject(expected)
})

test('a counter that is gone is reported as unknown, not as zero', () => {
  const none = { cpuMicros: null, memory: null, processes: null, throttledMicros: null }
  expect(compared(counters(1), none, 1000)).toEqual({
    cpuPercent: null,
    memory: null,
    processes: null,
    cpuSeconds: null,
  })
})
