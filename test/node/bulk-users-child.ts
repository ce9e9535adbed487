import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { createAccounts } from '../../deploy/node/users/accounts.ts'
import { identityOf } from '../../deploy/node/users/identity.ts'
import { ensureUser, ownerOf, type UserRange, usersIn } from '../../deploy/node/users/users.ts'

const FILES = ['passwd', 'group', 'shadow', 'gshadow'].map((name) => `/etc/${name}`)
const MANY = 1000
const base = mkdtempSync(join(tmpdir(), 'bulk-'))
afterAll(() => rmSync(base, { recursive: true }))

/** Run by bulk-users.test.ts on a copy of /etc that nobody else sees. */

/** Clients that are served here, of a range of users of their own. */
function world(uidBase: number, clientIds: number[]) {
  const users: UserRange = { uidBase, prefix: `b${uidBase}x`, size: 10_000 }
  const layout = createLayout(join(base, String(uidBase)))
  for (const path of [layout.clients, layout.links, layout.suspended]) mkdirSync(path, { recursive: true })
  for (const id of clientIds) {
    mkdirSync(layout.client(id))
    symlinkSync(layout.client(id), layout.clientLink(id))
  }
  const told: string[] = []
  const accounts = createAccounts({
    layout,
    identity: identityOf(users),
    users,
    report: (one) => told.push(one),
  })
  return { users, layout, accounts, told }
}
const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const listed = (path: string) => usersIn(readFileSync(path, 'utf8'))
const modes = () => FILES.map((path) => [lstatSync(path).mode, lstatSync(path).uid, lstatSync(path).gid])

test('the users of a thousand clients are made sooner than useradd makes twenty, as it makes them', async () => {
  const [single, many] = [world(600_000, ids(20)), world(610_000, ids(MANY))]
  const [subordinate, before] = [readFileSync('/etc/subuid', 'utf8'), modes()]
  const began = performance.now()
  for (const id of ids(20)) await ensureUser(single.users, id, single.layout.client(id))
  const between = performance.now()
  expect(await many.accounts.restore()).toEqual(new Set())
  expect(performance.now() - between).toBeLessThan(between - began)
  const found = listed('/etc/passwd').filter(({ name }) => name.startsWith(many.users.prefix))
  expect(found).toEqual(
    ids(MANY).map((id) => ({
      name: `${many.users.prefix}${id}`,
      ...ownerOf(many.users, id),
      home: many.layout.client(id),
    })),
  )
  const line = (path: string, users: UserRange) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${users.prefix}7:`))
      ?.replaceAll(String(users.uidBase).slice(0, 3), '###')
  for (const path of FILES) expect([path, line(path, many.users)]).toEqual([path, line(path, single.users)])
  expect([readFileSync('/etc/subuid', 'utf8'), modes()]).toEqual([subordinate, before])
  expect(readdirSync('/etc').filter((name) => name.endsWith('.panel'))).toEqual([])
}, 60_000)

test('users that other programs make meanwhile are lost to nobody', async () => {
  const { users, accounts, layout } = world(620_000, ids(300))
  const others = Array.from(
    { length: 12 },
    async (_, n) =>
      Bun.spawn(['/usr/sbin/useradd', '-M', '-N', '-u', String(630_000 + n), `otro${n}`]).exited,
  )
  const rounds = [1, 2, 3, 4].map(() => accounts.restore())
  await Promise.all([...others, ...rounds])
  const names = listed('/etc/passwd').map(({ name }) => name)
  expect(names.filter((name) => name.startsWith(users.prefix)).sort()).toEqual(
    ids(300)
      .map((id) => `${users.prefix}${id}`)
      .sort(),
  )
  expect((await Promise.all(others)).filter((code) => code === 0)).toHaveLength(
    names.filter((name) => /^otro\d+$/.test(name)).length,
  )
  expect(names.filter((name) => /^otro\d+$/.test(name)).length).toBeGreaterThan(0)
  expect(layout.client(1)).toBe(
    listed('/etc/passwd').find(({ name }) => name === `${users.prefix}1`)?.home ?? '',
  )
}, 60_000)

test('a client whose name or number is taken does not keep the others from getting their users', async () => {
  const { users, accounts, told } = world(640_000, ids(40))
  spawnSync('/usr/sbin/groupadd', ['-g', String(ownerOf(users, 3).uid), 'ajeno'])
  spawnSync('/usr/sbin/useradd', ['-M', '-N', `${users.prefix}9`])
  expect(await accounts.restore()).toEqual(new Set([3, 9]))
  expect(told).toHaveLength(2)
  const made = listed('/etc/passwd').filter(({ uid }) => uid > 640_000 && uid <= 640_040)
  expect(made).toHaveLength(38)
})
