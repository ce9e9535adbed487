import { afterEach, beforeEach, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { restore } from '../../deploy/node/commands/backup.ts'
import { backupInto } from '../../deploy/node/database/open.ts'
import { createWhole, putInPlace, syncDirectory, writeWhole } from '../../deploy/node/host/files.ts'
import { removeUnfinished } from '../../deploy/node/host/unfinished.ts'
import { readProcess } from '../../deploy/node/services/process.ts'
import { count } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { FailingDisk } from './failing-disk.ts'

setDefaultTimeout(60_000)

/** Every call by which files are written and named. */
const CALLS = [
  'openSync',
  'writeFileSync',
  'fchownSync',
  'fchmodSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
] as const

const FILES = resolve(import.meta.dir, '../../deploy/node/host/files.ts')
const OLD = 'old '.repeat(5_000)
const NEW = 'new '.repeat(6_000)
const OWNER = { uid: 4001, gid: 4002 }

let disk: FailingDisk
const spies: { mockRestore(): void }[] = []

beforeEach(() => {
  disk = new FailingDisk({ journal: true })
})

afterEach(() => {
  allow()
  disk.detach()
  disk.remove()
})

const allow = () => {
  for (const spy of spies.splice(0)) spy.mockRestore()
}
const pathOn = () => join(disk.mount, 'state')
const stateOf = (pid: number) => readProcess(pid)?.state
const fail = (error: Error): never => {
  throw error
}
const contentOf = (path: string) => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null)

/** Runs a write whose disk goes just before its n-th call; answers what a kill there leaves, or null for fewer calls. */
function cutAt(n: number, write: () => void): { left: string | null } | null {
  let calls = 0
  let found: { left: string | null } | null = null
  for (const name of CALLS) {
    const real = Reflect.get(fs, name) as (...all: unknown[]) => unknown
    const counted = (...all: unknown[]) => {
      if (calls++ === n) {
        allow()
        found = { left: contentOf(pathOn()) }
        disk.cut()
      }
      return real(...all)
    }
    spies.push(spyOn(fs, name).mockImplementation(counted as never))
  }
  try {
    write()
  } catch (error) {
    if (found === null) throw error
  }
  allow()
  return found
}

function afterPowerCut(): string | null {
  disk.detach()
  disk.attach()
  return contentOf(pathOn())
}

const writeOld = () => writeWhole({ path: pathOn(), content: OLD, mode: 0o640, owner: OWNER })

/** Cuts a write at each of its calls; answers all that was ever found in its place. */
function leftByCuts(prepare: () => void, write: () => void): (string | null)[] {
  const found: (string | null)[] = []
  for (let n = 0; ; n++) {
    prepare()
    const cut = cutAt(n, write)
    if (cut === null) break
    found.push(cut.left, afterPowerCut())
  }
  return found
}

const distinct = (found: (string | null)[]) => [...new Set(found)]

test('a write that ends at any of its calls leaves the old or the new file whole, by a kill or a power cut', () => {
  const found = leftByCuts(writeOld, () => writeWhole({ path: pathOn(), content: NEW, mode: 0o600 }))
  expect(found.length).toBeGreaterThanOrEqual(14)
  expect(distinct(found).toSorted()).toEqual([NEW, OLD])
})

test('a first write that ends at any of its calls leaves no file or the whole one', () => {
  const prepare = () => {
    fs.rmSync(pathOn(), { force: true })
    syncDirectory(disk.mount)
  }
  const found = leftByCuts(prepare, () => createWhole({ path: pathOn(), content: NEW, mode: 0o600 }))
  expect(distinct(found).toSorted()).toEqual([NEW, null] as never)
})

test('a file put in place that was not synced is the old or the new one whole after a power cut', () => {
  const made = `${pathOn()}.made`
  const prepare = () => {
    writeOld()
    fs.writeFileSync(made, NEW)
  }
  expect(distinct(leftByCuts(prepare, () => putInPlace(made, pathOn()))).toSorted()).toEqual([NEW, OLD])
})

test.each([
  ['written', () => writeWhole({ path: pathOn(), content: NEW, mode: 0o600 })],
  ['created', () => expect(createWhole({ path: pathOn(), content: NEW, mode: 0o600 })).toBe(true)],
] as const)('a file that was %s is there after a power cut', (_, write) => {
  write()
  disk.cut()
  expect(afterPowerCut()).toBe(NEW)
})

test('owner and mode are there with the name, whatever the umask', () => {
  const before = process.umask(0o077)
  try {
    writeOld()
  } finally {
    process.umask(before)
  }
  const { uid, gid, mode } = fs.statSync(pathOn())
  expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ ...OWNER, mode: 0o640 })
})

test('a file is made under its name once: a second maker changes nothing and leaves nothing', () => {
  writeOld()
  expect(createWhole({ path: pathOn(), content: NEW, mode: 0o600 })).toBe(false)
  expect(contentOf(pathOn())).toBe(OLD)
  expect(fs.readdirSync(disk.mount).toSorted()).toEqual(['lost+found', 'state'])
})

test('the unfinished file of a killed process is removed, that of a paused one stays', async () => {
  const directory = fs.mkdtempSync(join(tmpdir(), 'written-'))
  const path = join(directory, 'state')
  const program = `const { writeWhole } = await import('${FILES}')
    for (const content = 'x'.repeat(8e6);;) writeWhole({ path: '${path}', content, mode: 0o600 })`
  const writer = Bun.spawn(['bun', '-e', program])
  const unfinished = () => fs.readdirSync(directory).filter((name) => name !== 'state')
  await eventually(async () => {
    writer.kill('SIGSTOP')
    await eventually(async () => stateOf(writer.pid) === 'T', 'the writer to stop')
    if (unfinished().length > 0) return true
    writer.kill('SIGCONT')
    return false
  }, 'a file that is half made')
  const left = unfinished()
  removeUnfinished([directory])
  expect([unfinished(), left.length]).toEqual([left, 1])
  writer.kill('SIGKILL')
  await writer.exited
  removeUnfinished([directory, join(directory, 'absent')])
  expect(unfinished()).toEqual([])
  fs.rmSync(directory, { recursive: true })
})

test('a file is written whose name is as long as a name can be', () => {
  const path = join(disk.mount, 'a'.repeat(255))
  writeWhole({ path, content: NEW, mode: 0o600 })
  expect(contentOf(path)).toBe(NEW)
})

test('a write that the disk refuses leaves the old file and nothing beside it', () => {
  writeOld()
  disk.exhaust()
  const large = 'x'.repeat(8 * 1024 * 1024)
  expect(() => writeWhole({ path: pathOn(), content: large, mode: 0o600 })).toThrow()
  expect(contentOf(pathOn())).toBe(OLD)
  expect(fs.readdirSync(disk.mount).toSorted()).toEqual(['lost+found', 'state'])
})

test('a restore that ends before the backup has its place leaves the database with all that it had', async () => {
  const panel = await Panel.start()
  const copy = join(disk.mount, 'copia.db')
  expect((await panel.command('backup', copy)).status).toBe(0)
  await firstAdmin(panel)
  await panel.kill()
  expect(fs.statSync(join(panel.dataDir, 'panel.db-wal')).size).toBeGreaterThan(0)
  const { env } = process
  const stopped = new Error('stopped')
  spies.push(spyOn(fs, 'renameSync').mockImplementation(() => fail(stopped)))
  try {
    process.env = { ...panel.env }
    await expect(restore(new Map([['FILE', copy]]), { line() {} })).rejects.toBe(stopped)
  } finally {
    process.env = env
  }
  expect(count(panel, 'select count(*) from persons')).toBe(1)
  await panel.stop()
})

test('a backup that ends halfway has no name that a restore would be given, and no others can read it', async () => {
  const path = join(disk.mount, 'copia.db')
  const seen: fs.Stats[] = []
  const execute = async ({ args: [made] }: { args: string[] }) => {
    seen.push(fs.statSync(String(made)))
    fs.writeFileSync(String(made), 'half')
    throw new Error('the disk is full')
  }
  await expect(backupInto({ execute } as never, path)).rejects.toThrow('the disk is full')
  expect(seen.map(({ mode }) => mode & 0o777)).toEqual([0o600])
  expect(fs.readdirSync(disk.mount)).toEqual(['lost+found'])
})
