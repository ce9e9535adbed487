import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { heavyChecks } from '../../deploy/node/commands/doctor.ts'
import { clientGroups, measureGroups, watchedClients } from '../../deploy/node/confinement/use.ts'
import { addClient, NOW, testServices } from './store.ts'

const ROOT = '/sys/fs/cgroup'
const NAME = `use-test-${process.pid}`
const MIB = 1_048_576

/** A tenth of a processor, 64 MiB and 6 processes, as the kernel of either version takes them. */
const LIMITS_V1 = {
  cpu: { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': '10000' },
  memory: { 'memory.limit_in_bytes': String(64 * MIB) },
  pids: { 'pids.max': '6' },
  cpuacct: {},
}
const LIMITS_V2 = { 'cpu.max': '10000 100000', 'memory.max': String(64 * MIB), 'pids.max': '6' }

/** Burns processor time, has a child ended for want of memory, begins more processes than it may, and burns on. */
const HOG = `
  $| = 1;
  my $until = (times)[0] + 0.05; 1 while (times)[0] < $until;
  if (!fork) { my $much = 200 << 20; my $text = 'a' x $much; exit }
  wait;
  for (1 .. 12) { my $pid = fork; if (defined $pid && !$pid) { sleep 600; exit } }
  print "there\\n";
  1 while 1;
`

let base: Awaited<ReturnType<typeof testServices>>
let run: string
let groups: string[]
let hog: ReturnType<typeof start>

beforeAll(async () => {
  base = await testServices()
  await addClient(base.services, { name: 'acme' })
  run = join(base.directory, 'run')
  mkdirSync(run)
  groups = existsSync(join(ROOT, 'memory')) ? firstVersion() : secondVersion()
  hog = start()
})

afterAll(async () => {
  for (const pid of processes()) process.kill(pid, 'SIGKILL')
  await hog.exited
  while (processes().length > 0) await Bun.sleep(10)
  for (const group of groups) {
    rmdirSync(group)
    rmdirSync(dirname(group))
  }
  await base.close()
})

const processes = () =>
  readFileSync(join(groups[0] ?? '', 'cgroup.procs'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(Number)

function firstVersion(): string[] {
  const made = Object.entries(LIMITS_V1).map(([controller, limits]) => {
    const group = join(ROOT, controller, NAME, 'cp1')
    mkdirSync(group, { recursive: true })
    for (const [file, value] of Object.entries(limits)) writeFileSync(join(group, file), value)
    return group
  })
  const told = Object.keys(LIMITS_V1).map((controller) => [controller, join(ROOT, controller, NAME)])
  writeFileSync(join(run, 'groups.json'), JSON.stringify({ version: 1, ...Object.fromEntries(told) }))
  return made
}

function secondVersion(): string[] {
  const parent = join(ROOT, NAME)
  mkdirSync(parent)
  for (const path of [ROOT, parent]) writeFileSync(join(path, 'cgroup.subtree_control'), '+cpu +memory +pids')
  const group = join(parent, 'cp1')
  mkdirSync(group)
  for (const [file, value] of Object.entries(LIMITS_V2)) writeFileSync(join(group, file), value)
  writeFileSync(join(run, 'groups.json'), JSON.stringify({ version: 2, unified: parent }))
  return [group]
}

function start() {
  const enter = 'for group; do echo 0 > "$group/cgroup.procs"; done; exec perl -e "$HOG"'
  return Bun.spawn(['sh', '-c', enter, 'sh', ...groups], {
    env: { ...process.env, HOG },
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

test('a client that wants more than its groups give is told as the kernel counted it', async () => {
  const { value } = await hog.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('there\n')
  const told = clientGroups(run)
  expect(told && watchedClients(told)).toEqual([1])
  const [use] = measureGroups(run, [1])
  expect(use).toMatchObject({
    memoryLimit: 64 * MIB,
    processes: 6,
    processLimit: 6,
    counters: { memory: 1, processes: 7 },
  })
  expect(use?.memoryBytes).toBeWithin(1, 64 * MIB)
  expect(use?.counters.cpuMicros).toBeWithin(50_000, 5_000_000)
  expect(use?.counters.throttledMicros).toBeGreaterThan(10_000)
})

test('the doctor names a client that has all its processes, with what it burns in that second', async () => {
  const checks = await heavyChecks(base.services.db.read, base.directory, { now: NOW, node: 'nodo1' })
  expect(checks).toMatchObject([{ comprobacion: 'cliente acme', uso: { procesos: 6, rechazos: null } }])
  expect(checks[0]?.consejo).toMatch(
    /^\d+ % of a processor, [\d.]+ MB of 67.1 MB of memory, 6 of 6 processes$/,
  )
  expect(checks[0]?.uso.cpu_porcentaje).toBeWithin(0.5, 25)
})
