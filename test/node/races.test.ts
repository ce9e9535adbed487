import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { STAGING } from '../../deploy/node/files/layout.ts'
import { startNode, step, type TestNode } from './support.ts'

const NAMES = Array.from({ length: 300 }, (_, index) => `valioso${index}`)

let node: TestNode
let outside: string

beforeAll(async () => {
  node = await startNode()
  outside = join(node.directory, 'fuera')
  mkdirSync(outside, { mode: 0o755 })
  for (const name of NAMES) writeFileSync(join(outside, name), 'intacto', { mode: 0o600 })
  for (const clientId of [5, 6, 7]) await node.client(clientId)
}, 60_000)
afterAll(() => node[Symbol.asyncDispose]())

/** Owner, mode and content of everything outside. */
const surroundings = () =>
  [outside, ...readdirSync(outside).map((name) => join(outside, name))].map((path) => {
    const { uid, gid, mode } = lstatSync(path)
    return [path, uid, gid, mode, lstatSync(path).isFile() ? readFileSync(path, 'utf8') : null]
  })

/**
 * Staying inside: a directory and a link to the outside change places as fast as they can. Others may rename here
 * too, so that it goes on when the directory has another owner.
 */
const SWAPPER = `import ctypes,os,sys
os.mkdir("d"); os.symlink(sys.argv[1],"l"); os.chmod("d",0o777)
for index in range(300): open("d/valioso%d" % index,"w").write("propio")
libc = ctypes.CDLL(None); AT_FDCWD, EXCHANGE = -100, 2
print("listo", flush=True)
while True: libc.renameat2(AT_FDCWD, b"d", AT_FDCWD, b"l", EXCHANGE)`

/** Runs the swapper as a customer's user; root has handed it the directory, as another customer could. */
async function swapper(clientId: number, directory: string) {
  const uid = String(node.uid(clientId))
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const racer = Bun.spawn(['/usr/bin/setpriv', ...user, '/usr/bin/python3', '-c', SWAPPER, outside], {
    cwd: directory,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  await racer.stdout.getReader().read()
  return racer
}

type Deleted = { owner: number; racer: number; siteId: number }

/** A site that lies in the bin, with a process of a customer's at work in it. */
async function inBin({ owner, racer, siteId }: Deleted) {
  await node.site(owner, siteId, `s${siteId}.es`)
  const directory = join(node.path(owner, siteId), 'dentro')
  mkdirSync(directory)
  chmodSync(directory, 0o777)
  chownSync(directory, node.uid(owner), node.uid(owner))
  const running = await swapper(racer, directory)
  const host = `s${siteId}.es`
  await node.node.removeSite({ siteId, clientId: owner, hosts: [host], domain: host }, step)
  return running
}

/** Gives it to a site of client 6 that is made for it, and removes that one for good too. */
async function givenBack(siteId: number, look: (target: string) => void): Promise<void> {
  const [to, host] = [siteId + 1, 'destino.es']
  await node.site(6, to, host)
  look((await node.node.bin.restore(`sitio-${siteId}`, { clientId: 6, siteId: to })) ?? '')
  await node.node.removeSite({ siteId: to, clientId: 6, hosts: [host], domain: host }, step)
  await node.node.bin.purge({ before: new Date(Date.now() + 1000) })
}

// The former customer’s processes end before a file changes hands, which each round shows; those of a customer that it
// let in go on, and have to be met at the right moment.
test.each([
  { who: 'its former customer', racer: 5, rounds: 8 },
  { who: 'a customer that it let in', racer: 7, rounds: 25 },
])(
  'what is given back from the bin takes no file of root’s along while $who swaps directories',
  async ({ racer, rounds }) => {
    const before = surroundings()
    for (let round = 0; round < rounds; round++) {
      const siteId = 1000 * racer + 2 * round
      await using running = await inBin({ owner: 5, racer, siteId })
      await givenBack(siteId, (target) => {
        expect(surroundings()).toEqual(before)
        expect(statSync(target).uid).toBe(node.uid(6))
        expect(statSync(join(target, 'dentro')).uid).toBe(node.uid(6))
      })
      expect(surroundings()).toEqual(before)
      const left = Promise.race([running.exited, Bun.sleep(5000).then(() => 'at work')])
      if (racer === 5) expect(await left).not.toBe('at work')
    }
  },
  240_000,
)

test('files given back from another file system arrive whole or stay, and no link’s target is copied', async () => {
  const home = node.node.layout.client(8)
  mkdirSync(home)
  expect(spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'mode=711', 'tmpfs', home]).status).toBe(0)
  await node.client(8)
  const look = (target: string) => {
    const { uid, mode } = statSync(join(target, 'dentro'))
    expect([uid, mode & 0o7777]).toEqual([node.uid(6), 0o777])
    expect(spawnSync('/usr/bin/grep', ['-rlF', 'intacto', target]).stdout.toString()).toBe('')
  }
  try {
    for (let round = 0; round < 10; round++) {
      const siteId = 100 + 2 * round
      const running = await inBin({ owner: 8, racer: 7, siteId })
      const refused = await givenBack(siteId, look).then(
        () => null,
        (error: unknown) => String(error),
      )
      running.kill('SIGKILL')
      await running.exited
      if (refused === null) continue
      expect(refused).toContain('could not be copied')
      const site = join(node.path(6, siteId + 1), '..')
      expect(readdirSync(site).sort()).toEqual([STAGING, 'public', 'registros'])
      expect(readdirSync(join(site, STAGING))).toEqual([])
      // Nobody is in the way any more.
      await givenBack(siteId, (target) => {
        look(target)
        expect(statSync(join(target, 'dentro')).isDirectory()).toBe(true)
        const there = spawnSync('/usr/bin/grep', ['-rlF', 'propio', target]).stdout.toString()
        expect(there.trim().split('\n')).toHaveLength(NAMES.length)
      })
    }
  } finally {
    spawnSync('/usr/bin/umount', ['-l', home])
  }
}, 120_000)
