import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { behindSites } from '../../deploy/node/confinement/behind.ts'
import { clientGroups } from '../../deploy/node/confinement/use.ts'
import { count } from '../api/store.ts'
import { partDirectory, settled } from '../support/consistency.ts'
import { daemon, giveNative } from '../support/native.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

const MIB = 1024 * 1024
/** An emulated machine takes its time. */
const SLOW_MS = 240_000
export const PLAN = { plan: 'preso', cpu_porcentaje: 50, memoria_bytes: 96 * MIB, procesos: 20 }

/** What is seen of a whole panel in a machine with control groups of version 2 alone, for groups.test.ts to judge. */
export type Seen = Awaited<ReturnType<typeof look>>

/** More than a process of this machine may have open unless it asks for more. */
const IDLE = 6000

/** What the panel answers while one peer holds so many connections open that say nothing. */
async function idleOf(panel: Panel, bearer: string) {
  const hold = `$| = 1; my @held; while (@held < ${IDLE}) { socket(my $one, 2, 1, 0) or last;
    connect($one, pack('SnC4x8', 2, ${panel.port}, 127, 0, 0, 1)) or last; push @held, $one }
    print scalar(@held), "\\n"; sleep 60`
  const argv = ['/usr/bin/prlimit', '--nofile=16384:16384', '/usr/bin/perl', '-e', hold]
  const holder = Bun.spawn(argv, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  try {
    const { value } = await holder.stdout.getReader().read()
    const held = Number(new TextDecoder().decode(value))
    return { held, status: (await panel.api('GET', '/conexion', { bearer })).status }
  } finally {
    holder.kill()
    await holder.exited
  }
}

type Prisoner = { uid: number; group: string; root: string }

async function look(panel: Panel, token: string) {
  const done = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
    // It is answered before its work has ended, which takes longer than a caller waits.
    if (method !== 'GET') await settled(panel, SLOW_MS)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const page = (name: string) => pageOf(panel, name, '/quien.php')
  const addClient = async (name: string, extra = {}): Promise<string> => {
    const body = {
      cliente: name,
      correo: `${name}@cliente.es`,
      domain: `${name}.es`,
      enviar: false,
      ...extra,
    }
    const root: string = (await done('PUT', `/altas/${name}`, body)).sitio.raiz
    writeFileSync(join(root, 'quien.php'), '<?php echo posix_getuid();', { mode: 0o644 })
    return root
  }
  await done('POST', '/planes', PLAN)
  const root = await addClient('preso', { plan: PLAN.plan })
  await addClient('vecino')
  giveNative(root)
  const groups = clientGroups(join(partDirectory(panel, 'web'), 'run'))
  if (groups?.pids == null) throw new Error('the panel has no control groups that count processes')
  const first = await page('preso')
  const group = join(groups.pids, `cp${count(panel, "select id from clients where name = 'preso'")}`)
  const prisoner = { uid: Number(first.split(' ')[1]), group, root }
  const idle = await idleOf(panel, token)
  return {
    version: groups.version,
    idle,
    first,
    limits: limitsOf(group),
    behind: await behindOf(panel, groups.pids),
    crowd: { ...(await crowdOf(panel, prisoner)), neighbour: await page('vecino') },
    suspended: {
      ...((await done('POST', '/clientes/preso/suspender', {})) && leftOf(prisoner)),
      page: await page('preso'),
    },
    again: (await done('POST', '/clientes/preso/activar')) && (await page('preso')),
    greedy: await greedyOf(panel, prisoner),
    afterwards: await eventually(
      async () => {
        const answer = await page('preso')
        return answer.startsWith('200') && answer
      },
      'PHP after its memory was refused',
      SLOW_MS,
    ),
    use: (await panel.command('cron', 'uso')) && (await done('GET', '/clientes/preso/uso')),
    task: await taskOf(done),
    deleted: await deletedOf(panel, prisoner, () => done('DELETE', '/clientes/preso')),
  }
}

/** Where a program runs that stays behind what is served, and the share that it has. */
async function behindOf(panel: Panel, clients: string) {
  const { words } = behindSites({ run: join(partDirectory(panel, 'web'), 'run') })
  const child = Bun.spawn([...words, '/usr/bin/cat', '/proc/self/cgroup'], { stdout: 'pipe' })
  const path = /^0::(.*)$/m.exec(await new Response(child.stdout).text())?.[1] ?? ''
  const group = `${dirname(clients)}-behind`
  return { joined: group.endsWith(path) && path.length > 1, weight: textOf(join(group, 'cpu.weight')).trim() }
}

const limitsOf = (group: string) =>
  Object.fromEntries(
    ['memory.max', 'pids.max', 'cpu.max'].map((file) => [file, textOf(join(group, file)).trim()]),
  )

/** A native program that wants sixty processes. */
async function crowdOf(panel: Panel, prisoner: Prisoner) {
  await native(panel, prisoner, daemon('for i in $(seq 60); do sleep 900 & done; wait'))
  const refused = () => Number(/^max (\d+)/m.exec(textOf(join(prisoner.group, 'pids.events')))?.[1] ?? 0)
  await eventually(async () => refused() > 0, 'a process that is refused', SLOW_MS)
  const inside = numbersOf(join(prisoner.group, 'cgroup.procs'))
  const processes = processesOf(prisoner.uid)
  return { processes: processes.length, outside: processes.filter((pid) => !inside.includes(pid)) }
}

const greedyOf = (panel: Panel, prisoner: Prisoner) =>
  native(panel, prisoner, `perl -e 'my $x = "a" x (300 << 20); print length $x'; echo " $?"`)

async function taskOf(done: (method: string, path: string, body?: unknown) => Promise<Json>): Promise<Json> {
  const path = '/sitios/preso.es/programadas'
  const { id } = await done('POST', path, { cuando: '0 3 1 1 *', orden: ['php8.2', 'public/quien.php'] })
  await done('POST', `${path}/${id}/ejecutar`)
  return eventually(
    async () => {
      const [run] = (await done('GET', `${path}/${id}/ejecuciones`)).datos
      return run && run.motivo !== null && run
    },
    'the run of a task',
    SLOW_MS,
  )
}

async function deletedOf(panel: Panel, prisoner: Prisoner, remove: () => Promise<unknown>) {
  await native(panel, prisoner, daemon('trap "" TERM HUP; while :; do sleep 1; done'))
  await remove()
  await eventually(async () => processesOf(prisoner.uid).length === 0, 'the end of all processes', SLOW_MS)
  return leftOf(prisoner)
}

const leftOf = ({ uid, group }: Prisoner) => ({ processes: processesOf(uid), group: existsSync(group) })

/** Runs a shell's command as native code inside the client's PHP, and answers what it printed. */
async function native(panel: Panel, { root }: Prisoner, order: string): Promise<string> {
  const note = join(root, `n-${crypto.randomUUID()}`)
  const answer = await pageOf(panel, 'preso', '/n.php', `(${order}) > ${note} 2>&1`)
  if (answer !== '200 mailed') throw new Error(`no native code: ${answer}`)
  return readFileSync(note, 'utf8')
}

async function pageOf(panel: Panel, name: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, {
    headers: { host: `${name}.es` },
    keepalive: false,
    signal: AbortSignal.timeout(SLOW_MS),
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  return `${answer.status} ${(await answer.text()).slice(0, 100)}`
}

const processesOf = (uid: number): number[] =>
  readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? textOf(`/proc/${name}/status`) : ''
    return new RegExp(`^Uid:\\s+${uid}\\b`, 'm').test(status) && !/^State:\s+Z/m.test(status)
      ? [Number(name)]
      : []
  })

const numbersOf = (file: string): number[] => textOf(file).split('\n').filter(Boolean).map(Number)

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) {
  const panel = await Panel.start()
  try {
    const token = await newToken(panel, await firstAdmin(panel))
    console.log(`seen ${JSON.stringify(await look(panel, token))}`)
  } catch (error) {
    console.log(`${error}\n${panel.log}`)
  } finally {
    await panel.stop()
  }
}
