import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { rangeFor } from '../../deploy/node/files/range.ts'
import { giveTree } from '../../deploy/node/files/tree.ts'
import { isAlive, readProcess } from '../../deploy/node/services/process.ts'
import { DEFAULT_USERS, ownerOf } from '../../deploy/node/users/users.ts'
import { startNode, step, type TestNode } from './support.ts'

let first: TestNode
let second: TestNode

beforeAll(async () => {
  first = await startNode()
  // Another panel on this machine, which calls its clients' users the same.
  second = await startNode({ users: first.options.users ?? DEFAULT_USERS })
  await first.client(1)
  await first.site(1, 10, 'uno.es')
  first.put(1, 10, 'quien.php', '<?php echo "soy ", posix_getuid();')
}, 60_000)
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

const account = (name: string) => spawnSync('/usr/bin/getent', ['passwd', name]).stdout.toString()

test('a user that another panel made is refused, and nothing is made under its number', async () => {
  expect(second.client(1)).rejects.toThrow("not this panel's")
  await second.client(1).catch(() => undefined)
  expect(existsSync(second.node.layout.client(1))).toBe(false)
})

test('deleting a client leaves another panel’s user of that name, its processes, PHP and files alone', async () => {
  const name = `${first.options.users?.prefix}1`
  const before = account(name)
  expect(before).toContain(first.node.layout.client(1))
  const uid = String(first.uid(1))
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  await using running = Bun.spawn(['/usr/bin/setpriv', ...user, '/usr/bin/sleep', '300'])
  const found = readProcess(running.pid)
  await second.node.removeClient({ clientId: 1, hosts: ['uno.es'], name: 'uno' }, step)
  expect(found !== null && isAlive(found)).toBe(true)
  expect(account(name)).toBe(before)
  expect(first.get('uno.es', '/quien.php').body).toBe(`soy ${uid}`)
  expect(statSync(first.path(1, 10, 'quien.php')).uid).toBe(Number(uid))
})

test('a user with the right name and number but somebody else’s home is neither used nor removed', async () => {
  const name = `${first.options.users?.prefix}9`
  const [uid, home] = [String(first.uid(9)), mkdtempSync(join(tmpdir(), 'ajeno-'))]
  spawnSync('/usr/sbin/groupadd', ['-g', uid, name])
  spawnSync('/usr/sbin/useradd', ['-u', uid, '-g', uid, '-d', home, '-M', '-N', name])
  expect(account(name)).toContain(home)
  expect(first.client(9)).rejects.toThrow("not this panel's")
  await first.client(9).catch(() => undefined)
  await first.node.removeClient({ clientId: 9, hosts: [], name: 'nueve' }, step)
  expect(account(name)).toContain(home)
  spawnSync('/usr/sbin/userdel', [name])
})

test('users of a panel whose directory was moved stay its own', async () => {
  const moved = await startNode()
  await moved.client(1)
  const before = account(`${moved.options.users?.prefix}1`)
  const base = `${moved.options.base}-movido`
  await moved.node.stop()
  renameSync(moved.options.base, base)
  await using after = await startNode({ ...moved.options, base })
  await after.client(1)
  const name = `${moved.options.users?.prefix}1`
  expect(account(name)).toBe(before.replace(`${moved.options.base}/`, `${base}/`))
  await after.node.removeClient({ clientId: 1, hosts: [], name: 'uno' }, step)
  expect(account(name)).toBe('')
})

test('files under the number of a new client go to the bin and are not served', async () => {
  const { layout } = first.node
  mkdirSync(layout.publicOf(3, 30), { recursive: true })
  writeFileSync(join(layout.publicOf(3, 30), 'secreto.txt'), 'de otro')
  mkdirSync(join(layout.client(3), 'sessions'))
  writeFileSync(join(layout.client(3), 'sessions', 'sess_x'), 'de otro')
  await first.client(3)
  await first.site(3, 30, 'nuevo.es')
  expect(first.get('nuevo.es', '/secreto.txt').status).toBe(404)
  expect(existsSync(join(layout.client(3), 'sessions', 'sess_x'))).toBe(false)
  expect(first.node.bin.list()).toContainEqual(expect.objectContaining({ id: 'cliente-3', name: '?' }))
})

test('files under the number of a new site go to the bin, and a served site keeps its files', async () => {
  const { layout } = first.node
  mkdirSync(layout.publicOf(1, 40), { recursive: true })
  writeFileSync(join(layout.publicOf(1, 40), 'secreto.txt'), 'de otro')
  await first.site(1, 40, 'otro.es')
  expect(first.get('otro.es', '/secreto.txt').status).toBe(404)
  first.put(1, 40, 'suyo.txt', 'suyo')
  await first.client(1)
  await first.site(1, 40, 'otro.es')
  expect(first.get('otro.es', '/suyo.txt').body).toBe('suyo')
  expect(first.node.bin.list()).toContainEqual(expect.objectContaining({ id: 'sitio-40', domain: '?' }))
})

test('files of a site that was served here are its own after its names were lost', async () => {
  const { layout } = first.node
  await first.site(1, 41, 'vuelve.es')
  first.put(1, 41, 'suyo.txt', 'suyo')
  // Of the directories of a node that died, only the sites' own were copied back.
  for (const path of [layout.manifest(41), layout.host('vuelve.es')]) rmSync(path)
  await first.site(1, 41, 'vuelve.es', { known: true })
  expect(first.get('vuelve.es', '/suyo.txt').body).toBe('suyo')
  for (const path of [layout.manifest(41), layout.host('vuelve.es')]) rmSync(path)
  await first.site(1, 41, 'vuelve.es', { known: true, held: true, suspended: true })
  expect(existsSync(first.path(1, 41, 'suyo.txt'))).toBe(false)
})

test('a tree that changes hands has no file left that its former owner can write by another name', async () => {
  const { layout } = first.node
  await first.site(1, 42, 'antes.es')
  const [from, to] = [first.uid(1), first.uid(9)].map((uid) => ({ uid, gid: uid }))
  if (!from || !to) throw new Error('no owners')
  const kept = first.put(1, 10, 'suyo.php', 'de antes')
  const given = first.path(1, 42, 'suyo.php')
  linkSync(kept, given)
  chmodSync(given, 0o6666)
  const both = ['uno.txt', 'dos.txt'].map((name) => first.path(1, 42, name))
  first.put(1, 42, 'uno.txt', 'dos veces')
  linkSync(both[0] ?? '', both[1] ?? '')
  giveTree(layout.publicOf(1, 42), from, to)
  writeFileSync(kept, 'cambiado')
  const { uid, gid, mode, nlink } = statSync(given)
  expect([readFileSync(given, 'utf8'), uid, gid, mode & 0o7777, nlink]).toEqual([
    'de antes',
    to.uid,
    to.gid,
    0o666,
    1,
  ])
  expect(statSync(kept).uid).toBe(from.uid)
  expect(both.map((path) => [statSync(path).uid, statSync(path).nlink])).toEqual([
    [to.uid, 2],
    [to.uid, 2],
  ])
  expect(readdirSync(layout.publicOf(1, 42)).toSorted()).toEqual(['dos.txt', 'suyo.php', 'uno.txt'])
})

test('numbers in use are those of directories, the bin, users and groups, of other panels too', async () => {
  const { highestNumbers, layout } = first.node
  const before = highestNumbers()
  mkdirSync(layout.site(1, before.sites + 5))
  expect(highestNumbers().sites).toBe(before.sites + 5)
  await second.client(before.clients + 4)
  expect(highestNumbers().clients).toBe(before.clients + 4)
  spawnSync('/usr/sbin/groupadd', [`${first.options.users?.prefix}${before.clients + 6}`])
  expect(highestNumbers().clients).toBe(before.clients + 6)
  await first.client(before.clients + 8)
  await first.node.removeClient({ clientId: before.clients + 8, hosts: [], name: 'x' }, step)
  // Nothing was in its directory, so it lies in the bin empty; gone for good, nothing is left to be handed on.
  expect(highestNumbers().clients).toBe(before.clients + 8)
})

test('a client that the database lost is not served, runs nothing, and is served again once it is known', async () => {
  await first.client(11)
  await first.site(11, 110, 'perdido.es')
  first.put(11, 110, 'a.txt', 'suyo')
  const uid = String(first.uid(11))
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const running = Bun.spawn(['/usr/bin/setpriv', ...user, '/usr/bin/sleep', '300'])
  const { leftovers } = first.node
  const others = leftovers.clients().filter((id) => id !== 11)
  const known = new Map(others.map((id) => [id, 'activo' as const]))
  expect(await leftovers.keepOnly(known)).toEqual([11])
  expect(first.get('perdido.es', '/a.txt').status).toBe(404)
  expect(await running.exited).not.toBe(0)
  expect((await first.node.services()).find(({ name }) => name === 'restos')).toMatchObject({
    running: false,
  })
  expect(first.get('uno.es', '/quien.php').status).toBe(200)
  expect(await leftovers.keepOnly(new Map([...known, [11, 'activo' as const]]))).toEqual([])
  expect(first.get('perdido.es', '/a.txt').body).toBe('suyo')
  expect((await first.node.services()).some(({ name }) => name === 'restos')).toBe(false)
})

test('users that are missing at a start, as on a new machine, are made again before their PHP serves', async () => {
  const restored = await startNode()
  await restored.client(1)
  await restored.site(1, 10, 'vuelto.es')
  restored.put(1, 10, 'quien.php', '<?php echo "soy ", posix_getuid();')
  await restored.client(2, { suspended: true })
  const before = [1, 2].map((id) => account(`${restored.options.users?.prefix}${id}`))
  await restored.node.stop()
  for (const id of [1, 2])
    spawnSync('/usr/sbin/userdel', ['--force', `${restored.options.users?.prefix}${id}`])
  expect(account(`${restored.options.users?.prefix}1`)).toBe('')
  await using after = await startNode({ ...restored.options })
  expect([1, 2].map((id) => account(`${restored.options.users?.prefix}${id}`))).toEqual(before)
  expect(after.get('vuelto.es', '/quien.php').body).toBe(`soy ${after.uid(1)}`)
  for (const clientId of [1, 2]) {
    await after.node.removeClient({ clientId, hosts: ['vuelto.es'], name: 'x' }, step)
  }
})

test('nothing runs for a client whose user number is taken, and the panel says so, until the client has it again', async () => {
  const robbed = await startNode({ phpIdleSeconds: 1 })
  await robbed.client(1, { limits: { cpuPercent: 50, memoryBytes: 2 ** 28, processes: 40 } })
  await robbed.site(1, 10, 'robado.es')
  robbed.put(1, 10, 'quien.php', '<?php echo "soy ", posix_getuid();')
  robbed.put(1, 10, 'a.txt', 'suyo')
  const wanted = join(robbed.node.layout.fpmWanted, '1')
  const limits = readFileSync(wanted, 'utf8').match(/^(?:cpu|memory|processes) .*$/gm)
  expect(robbed.get('robado.es', '/quien.php').body).toBe(`soy ${robbed.uid(1)}`)
  const own = `${robbed.options.users?.prefix}1`
  // The keeper runs on, as under a panel that is replaced.
  robbed.node.supervisor.release()
  spawnSync('/usr/sbin/userdel', ['--force', own])
  const taken = ['-u', String(robbed.uid(1)), '-d', '/home/persona', '-M', '-N', 'persona']
  expect(spawnSync('/usr/sbin/useradd', taken).status).toBe(0)
  const reports: string[] = []
  const report = ({ message }: { message: string }) => void reports.push(message)
  const after = await startNode({ ...robbed.options, report })
  expect(after.get('robado.es', '/quien.php').status).toBe(503)
  expect(after.get('robado.es', '/a.txt').body).toBe('suyo')
  expect(after.site(1, 10, 'robado.es')).rejects.toThrow("not this panel's")
  await after.site(1, 10, 'robado.es').catch(() => undefined)
  expect(after.get('robado.es', '/quien.php').status).toBe(503)
  expect(reports.join()).toContain(
    `user persona (${robbed.uid(1)}, home /home/persona) has the name or number of ${own}`,
  )
  const told = (await after.node.services()).find(({ name }) => name === 'usuarios')
  expect([told?.running, told?.advice?.en.includes(own)]).toEqual([false, true])
  await after.node.stop()
  spawnSync('/usr/sbin/userdel', ['--force', 'persona'])
  await using mended = await startNode({ ...robbed.options })
  expect(mended.get('robado.es', '/quien.php').body).toBe(`soy ${robbed.uid(1)}`)
  expect(readFileSync(wanted, 'utf8').match(/^(?:cpu|memory|processes) .*$/gm)).toEqual(limits)
  expect((await mended.node.services()).some(({ name }) => name === 'usuarios')).toBe(false)
  await mended.node.removeClient({ clientId: 1, hosts: ['robado.es'], name: 'x' }, step)
})

test('a panel beside another that has the ordinary users takes a range of its own, and keeps it', () => {
  const base = mkdtempSync(join(tmpdir(), 'rango-'))
  const passwd = join(base, 'passwd')
  const line = (name: string, uid: number, home: string) => `${name}:x:${uid}:${uid}::${home}:/bin/false\n`
  const [one, two] = [createLayout(join(base, 'uno')), createLayout(join(base, 'dos'))]
  writeFileSync(passwd, line('root', 0, '/root'))
  expect(rangeFor(one, passwd)).toEqual(DEFAULT_USERS)
  writeFileSync(passwd, line('cp1', 20_001, one.client(1)))
  expect(rangeFor(one, passwd)).toEqual(DEFAULT_USERS)
  const other = rangeFor(two, passwd)
  expect(other.prefix).not.toBe(DEFAULT_USERS.prefix)
  expect(ownerOf(other, 1).uid).not.toBe(ownerOf(DEFAULT_USERS, 1).uid)
  writeFileSync(passwd, line('root', 0, '/root'))
  expect(rangeFor(two, passwd)).toEqual(other)
  // One that has clients under the ordinary names already keeps them.
  const old = createLayout(join(base, 'viejo'))
  mkdirSync(old.client(7), { recursive: true })
  writeFileSync(passwd, line('cp1', 20_001, one.client(1)))
  expect(rangeFor(old, passwd)).toEqual(DEFAULT_USERS)
  expect(readFileSync(join(two.base, 'users.json'), 'utf8')).toContain(other.prefix)
})
