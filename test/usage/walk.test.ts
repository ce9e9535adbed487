import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, link, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Walked, walkTree } from '../../deploy/node/usage/walk.ts'
import { walkDirectories } from '../../deploy/node/usage/walker.ts'

let base: string
let tree: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'walk-'))
  tree = join(base, 'tree')
  await mkdir(tree)
})
// The library's own removal goes by paths, which may be too long here.
afterEach(async () => {
  await Bun.spawn(['rm', '-rf', base]).exited
})

/** What GNU du says: the independent count of the same thing. */
async function du(path: string): Promise<{ diskBytes: number; inodes: number }> {
  const ask = async (...options: string[]) =>
    Number((await new Response(Bun.spawn(['du', '-s', ...options, path]).stdout).text()).split('\t')[0])
  return { diskBytes: (await ask('-k')) * 1024, inodes: await ask('--inodes') }
}

test('a tree counts as du counts it: occupied blocks, sparse files and hard links once', async () => {
  await mkdir(join(tree, 'a/b/c'), { recursive: true })
  await writeFile(join(tree, 'a/data'), Buffer.alloc(300_000, 1))
  await link(join(tree, 'a/data'), join(tree, 'a/b/same'))
  await link(join(tree, 'a/data'), join(tree, 'a/b/c/same'))
  await Bun.spawn(['truncate', '-s', '1G', join(tree, 'sparse')]).exited
  await Promise.all(
    Array.from({ length: 200 }, (_, n) => writeFile(join(tree, 'a/b', `f${n}`), 'x'.repeat(n * 50))),
  )
  const walked = walkTree(tree)
  expect(walked).toEqual({ ...(await du(tree)), nestedBytes: 0, complete: true })
  expect(walked?.diskBytes).toBeLessThan(2_000_000)
})

test('names with newlines, leading dashes, quotes, shell text and invalid UTF-8 are counted as any other', async () => {
  for (const name of ['-rf', '$(touch x)', '`id`', 'a\nb', '"', "'", '..a', '*', '\u202e']) {
    await mkdir(join(tree, name))
    await writeFile(join(tree, name, 'file'), 'x'.repeat(5000))
  }
  const raw = Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe, 0x0a])])
  await mkdir(raw)
  await writeFile(Buffer.concat([raw, Buffer.from('/file')]), 'x'.repeat(5000))
  expect(walkTree(tree)).toEqual({ ...(await du(tree)), nestedBytes: 0, complete: true })
})

test('a symlink is counted as itself and never followed, neither below nor as the tree', async () => {
  await mkdir(join(base, 'outside'))
  await writeFile(join(base, 'outside/big'), Buffer.alloc(1_000_000, 1))
  await symlink(join(base, 'outside'), join(tree, 'link'))
  await symlink(tree, join(tree, 'loop'))
  expect(walkTree(tree)).toEqual({ ...(await du(tree)), nestedBytes: 0, complete: true })
  expect(walkTree(tree)?.diskBytes).toBeLessThan(100_000)
  await symlink(tree, join(base, 'entry'))
  expect(walkTree(join(base, 'entry'))).toBeNull()
})

test('a directory swapped for a symlink in a loop never brings anything outside into the count', async () => {
  const outside = join(base, 'outside')
  await mkdir(outside)
  for (let n = 0; n < 50; n += 1) await writeFile(join(outside, `big${n}`), Buffer.alloc(200_000, 1))
  await mkdir(join(tree, 'own'))
  const swap = `import { renameSync } from 'node:fs'
    for (;;) { renameSync('own', 'real'); renameSync('fake', 'own'); renameSync('own', 'fake'); renameSync('real', 'own') }`
  await symlink(outside, join(tree, 'fake'))
  const swapper = Bun.spawn([process.execPath, '-e', swap], { cwd: tree, stdout: 'ignore', stderr: 'ignore' })
  try {
    for (let round = 0; round < 3000; round += 1) expect(walkTree(tree)?.diskBytes).toBeLessThan(100_000)
  } finally {
    swapper.kill('SIGKILL')
    await swapper.exited
  }
})

test('files that come and go during the walk do not end it', async () => {
  const churn = `import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
    for (let n = 0; ; n = (n + 1) % 50) { const d = 'd' + n; mkdirSync(d + '/e', { recursive: true }); writeFileSync(d + '/e/f', 'x'); rmSync(d, { recursive: true }) }`
  await mkdir(join(tree, 'steady'))
  await writeFile(join(tree, 'steady/file'), Buffer.alloc(50_000, 1))
  const child = Bun.spawn([process.execPath, '-e', churn], { cwd: tree, stdout: 'ignore', stderr: 'ignore' })
  try {
    for (let round = 0; round < 1000; round += 1) {
      const walked = walkTree(tree)
      expect(walked?.complete).toBe(true)
      expect(walked?.diskBytes).toBeGreaterThanOrEqual(50_000)
      expect(walked?.diskBytes).toBeLessThan(600_000)
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

/** Directories in each other, with a file at every one's end: past any path length, and more than a process may open. */
async function dig(levels: number): Promise<void> {
  const program = `import os
for n in range(${levels}):
    os.mkdir('deep-directory-name'); os.chdir('deep-directory-name'); open('z', 'w').close()
open('file', 'w').write('x' * 100000)`
  expect(await Bun.spawn(['python3', '-c', program], { cwd: tree }).exited).toBe(0)
}

test('a tree 1,000 levels deep is counted to its end by a walk that may open 160 files', async () => {
  await dig(1000)
  const walk = join(import.meta.dir, '../../deploy/node/usage/walk.ts')
  const argv = ['/bin/sh', '-c', 'ulimit -n 160; exec "$@"', 'sh', process.execPath, walk]
  const child = Bun.spawn(argv, {
    stdin: Buffer.from(JSON.stringify([{ path: tree, group: null }])),
    stdout: 'pipe',
  })
  const walked = JSON.parse(await new Response(child.stdout).text())
  expect(walked).toMatchObject({ inodes: 2002, nestedBytes: 0, complete: true })
  expect(walked.diskBytes).toBeGreaterThanOrEqual(1000 * 4096 + 100_000)
})

test('a directory that is moved out of a deep tree and back brings nothing of elsewhere into the count', async () => {
  await dig(400)
  const outside = join(base, 'outside')
  await mkdir(outside)
  for (let n = 0; n < 50; n += 1) await writeFile(join(outside, `big${n}`), Buffer.alloc(200_000, 1))
  const move = `import { renameSync } from 'node:fs'
    for (;;) { renameSync('tree/deep-directory-name/deep-directory-name', 'outside/moved'); renameSync('outside/moved', 'tree/deep-directory-name/deep-directory-name') }`
  const mover = Bun.spawn([process.execPath, '-e', move], { cwd: base, stdout: 'ignore', stderr: 'ignore' })
  try {
    for (let round = 0; round < 60; round += 1) {
      const walked = walkTree(tree)
      expect(walked?.diskBytes).toBeLessThan(402 * 4096 + 200_000)
      if (walked?.complete) expect(walked.inodes).toBeOneOf([3, 802])
    }
  } finally {
    mover.kill('SIGKILL')
    await mover.exited
  }
})

test('the walk runs in a process of its own at the lowest priority, without the panel’s environment', async () => {
  await writeFile(join(tree, 'file'), 'x')
  const second = join(base, 'with\nnewline')
  await mkdir(second)
  const planted = join(base, 'planted')
  await mkdir(planted)
  for (const name of ['nice', 'ionice', 'bun']) {
    await writeFile(join(planted, name), `#!/bin/sh\ntouch ${base}/ran\n`)
    await chmod(join(planted, name), 0o755)
  }
  const path = process.env.PATH
  process.env.PATH = `${planted}:${path}`
  const found: [number, Walked | null][] = []
  const seen: { nice: number; environment: string[] }[] = []
  const note = (index: number, walked: Walked | null) => {
    if (index < 3) found.push([index, walked])
    const child = childRunning('walk.ts')
    if (child) seen.push(child)
  }
  try {
    const absent = join(base, 'absent')
    const rest = Array.from({ length: 100 }, () => '/usr/share/doc')
    await walkDirectories([tree, absent, second, ...rest], { deadlineMs: 400, found: note })
  } finally {
    process.env.PATH = path
  }
  expect(found).toEqual([
    [0, walkTree(tree)],
    [1, null],
    [2, walkTree(second)],
  ])
  expect(seen.length).toBeGreaterThan(0)
  for (const child of seen) expect(child).toEqual({ nice: 19, environment: ['PATH=/usr/bin:/bin'] })
  expect(await Bun.file(join(base, 'ran')).exists()).toBe(false)
})

function childRunning(program: string): { nice: number; environment: string[] } | null {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      const own = fields[1] === String(process.pid)
      if (!own || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) continue
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
      return { nice: Number(fields[16]), environment }
    } catch {
      // Ended meanwhile.
    }
  }
  return null
}

test('a walk that reaches its deadline keeps what it found', async () => {
  const many = Array.from({ length: 20_000 }, () => '/usr/share/doc')
  const found: number[] = []
  await walkDirectories([tree, ...many], { deadlineMs: 1_500, found: (index) => found.push(index) })
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(many.length)
})
