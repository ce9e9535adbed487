import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredSite, Step } from '../../lib/endpoint/node-port.ts'
import { REMOVE_CLIENT, REMOVE_SITE, SUSPEND, SYNC_CLIENT, SYNC_SITE } from './steps.ts'
import { startNode, step, type TestNode } from './support.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node[Symbol.asyncDispose]())

const client = (clientId: number, suspended = false) => ({
  clientId,
  name: `c${clientId}`,
  suspended,
  php: ['8.2'],
  diskBytes: null,
  inodes: null,
  limits: { cpuPercent: null, memoryBytes: null, processes: null },
})
const site = (siteId: number, aliases: string[], httpsOnly = false) => ({
  siteId,
  clientId: 2,
  domain: `s${siteId}.es`,
  aliases,
  suspended: false,
  httpsOnly,
  php: '8.2',
})

/** Applies a site in a process that dies at one of its steps. Answers whether it lived to the end. */
async function killed(desired: DesiredSite, kill: { at: number; when: string }): Promise<boolean> {
  const { now, selfSigned, ...options } = node.options
  const task = JSON.stringify({ options, site: desired, kill })
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), task], {
    stderr: 'inherit',
    stdout: 'pipe',
  })
  const output = await new Response(child.stdout).text()
  await child.exited
  return output.includes('done')
}

/** Everything on the node that bears the name of a site. */
function names() {
  const { layout } = node.node
  const list = (path: string) => readdirSync(path).sort()
  return {
    hosts: list(layout.hosts).filter((name) => name !== '_'),
    redirects: list(layout.httpsOnly),
    certificates: list(layout.certificates).filter((name) => name !== 'default'),
    temporary: list(layout.temporary),
  }
}

const KILLS = ['before', 'after'].flatMap((when) => SYNC_SITE.map((_, at) => ({ at, when })))

/** The other operations are killed at each step by test/faults/node-kill, with the panel's own work around them. */
test('a change of names that is killed before or after any step, and run again from the start, leaves the same result', async () => {
  await node.client(2)
  for (const kill of KILLS) {
    await node.node.syncSite(site(20, ['viejo.es'], true), step)
    expect(await killed(site(20, ['nuevo.es']), kill)).toBe(false)
    await node.node.syncSite(site(20, ['nuevo.es']), step)
    expect([kill, names()]).toEqual([
      kill,
      {
        hosts: ['nuevo.es', 's20.es'],
        redirects: [],
        certificates: ['nuevo.es', 's-20', 's20.es'],
        temporary: [],
      },
    ])
  }
}, 60_000)

test('an operation has the steps that the tests kill it at, and no other', async () => {
  const names: string[] = []
  const noted: Step = (name, run) => {
    names.push(name)
    return run()
  }
  const seen = async (work: Promise<unknown>) => {
    await work
    return names.splice(0)
  }
  const gone = { siteId: 20, clientId: 2, hosts: [], domain: 's20.es' }
  expect(await seen(node.node.syncClient(client(2), noted))).toEqual(SYNC_CLIENT)
  expect(await seen(node.node.syncSite(site(20, []), noted))).toEqual(SYNC_SITE)
  expect(await seen(node.node.syncClient(client(2, true), noted))).toEqual([SUSPEND, ...SYNC_CLIENT])
  expect(await seen(node.node.removeSite(gone, noted))).toEqual(REMOVE_SITE)
  expect(await seen(node.node.removeClient({ ...gone, name: 'c2' }, noted))).toEqual(REMOVE_CLIENT)
})
