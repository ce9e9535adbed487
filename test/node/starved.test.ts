import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceDefinition } from '../../deploy/node/services/definition.ts'
import { processLauncher } from '../../deploy/node/services/launcher.ts'
import { createSupervisor } from '../../deploy/node/services/supervisor.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

const NAME = `starved-test-${process.pid}`
const CONTROLLER = existsSync('/sys/fs/cgroup/cpu') ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup'
const GROUP = join(CONTROLLER, NAME)
/** A thousandth of a processor, as the kernel of either version of control groups takes it. */
const QUOTA = existsSync('/sys/fs/cgroup/cpu')
  ? { 'cpu.cfs_period_us': '1000000', 'cpu.cfs_quota_us': '1000' }
  : { 'cpu.max': '1000 1000000' }

/** Answers each request, after some work; told to, it works for ever, or waits for ever. */
const SERVER = `
  use IO::Socket::INET;
  my $listening = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => shift, Listen => 9, ReuseAddr => 1) or die;
  $SIG{USR1} = sub { 1 while 1 };
  $SIG{USR2} = sub { sleep 1 while 1 };
  while (1) {
    my $one = $listening->accept or next;
    1 for 1 .. 50_000;
    print $one "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n";
    close $one;
  }
`

const DEADLINE_MS = 300

let directory = ''
let supervisor: ReturnType<typeof createSupervisor>
const told: string[] = []
let unanswered = 0
let holdingUp = false

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'starved-'))
  mkdirSync(GROUP)
  for (const [file, value] of Object.entries(QUOTA)) writeFileSync(join(GROUP, file), value)
  supervisor = createSupervisor({
    runDirectory: directory,
    temporaryDirectory: directory,
    launcher: processLauncher(directory),
    lend: (run) => run(),
    report: ({ message }) => told.push(message),
    watchMs: 50,
    probeMs: 100,
  })
  await supervisor.start('hungry', await definition())
})
afterAll(async () => {
  await supervisor.stopAll()
  await eventually(
    async () => readFileSync(join(GROUP, 'cgroup.procs'), 'utf8') === '',
    'the group to be empty',
  )
  rmdirSync(GROUP)
  rmSync(directory, { recursive: true })
})

async function definition(): Promise<ServiceDefinition> {
  const port = await freePort()
  const program = join(directory, 'server.pl')
  return {
    argv: ['/usr/bin/perl', program, String(port)],
    files: [{ path: program, content: SERVER, mode: 0o600 }],
    ports: [{ protocol: 'tcp', address: '127.0.0.1', port }],
    async ready() {
      const question = fetch(`http://127.0.0.1:${port}/`, {
        signal: AbortSignal.timeout(DEADLINE_MS),
        keepalive: false,
      })
      const answer = question.then(({ ok }) => ok).catch(() => false)
      if (holdingUp) Bun.sleepSync(2 * DEADLINE_MS)
      // By when the deadline is over, although the answer is there: which of them is told first is chance.
      const answered = (await answer) && !holdingUp
      if (!answered) unanswered++
      return answered
    },
  }
}

const pid = () => supervisor.processOf('hungry')?.pid ?? 0
const put = (group: string) => writeFileSync(join(group, 'cgroup.procs'), String(pid()))
const state = async () => (await supervisor.states())[0]

test('a service that gets no processor is told of and not started again, and goes on when it gets one', async () => {
  const before = pid()
  put(GROUP)
  const from = unanswered
  await eventually(async () => unanswered - from >= 6, 'six questions without an answer', 60_000)
  expect(await state()).toMatchObject({
    running: false,
    advice: { en: expect.stringContaining('short of processor') },
  })
  put(CONTROLLER)
  await eventually(async () => (await state())?.running, 'an answer')
  expect([pid(), told]).toEqual([before, []])
}, 90_000)

test.each([
  ['works for ever', 'SIGUSR1'],
  ['waits for ever', 'SIGUSR2'],
  ['was stopped', 'SIGSTOP'],
] as const)(
  'a service that %s while there is a processor for it is started again',
  async (_, signal) => {
    const before = pid()
    process.kill(before, signal)
    await eventually(async () => ![0, before].includes(pid()), 'another process', 60_000)
    await eventually(async () => (await state())?.running, 'an answer')
    expect(told.splice(0)).toEqual(['it no longer answers and is started again'])
  },
  90_000,
)

test('a panel that was itself held up while it asked a service does not count that as silence', async () => {
  const [before, from] = [pid(), unanswered]
  holdingUp = true
  await eventually(async () => unanswered - from >= 6, 'six answers that came too late', 60_000)
  holdingUp = false
  await eventually(async () => (await state())?.running, 'an answer')
  expect([pid(), told]).toEqual([before, []])
}, 90_000)
