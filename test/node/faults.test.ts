import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../lib/node.ts'
import { APPLY_CLIENT, APPLY_SITE, REMOVE_CLIENT, REMOVE_SITE, SUSPEND } from './steps.ts'
import { startNode, step, type TestNode } from './support.ts'

let node: TestNode
let probing = true
const probes = { good: 0, bad: [] as string[] }
let prober: Promise<void>

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.site(1, 1, 'vecino.es')
  node.put(1, 1, 'index.php', '<?php echo "vecino";')
  prober = probe()
})
afterAll(() => node[Symbol.asyncDispose]())

/** Asks the neighbour's site all the time: nothing that happens to others may be felt there. */
async function probe(): Promise<void> {
  while (probing) {
    const response = await fetch(`http://127.0.0.1:${node.options.httpPort}/`, {
      headers: { host: 'vecino.es' },
    }).catch((error) => new Response(String(error), { status: 599 }))
    const body = await response.text()
    if (body === 'vecino') probes.good += 1
    else probes.bad.push(`${response.status} ${body}`)
  }
}

const client = (clientId: number, suspended = false) => ({
  clientId,
  name: `c${clientId}`,
  suspended,
  php: ['8.2'],
  diskBytes: null,
  inodes: null,
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

type Operation = 'applyClient' | 'applySite' | 'removeSite' | 'removeClient'

/** Runs an operation in a process that dies at one of its steps. Answers whether it lived to the end. */
async function killed(
  operation: Operation,
  argument: unknown,
  kill: { at: number; when: string },
): Promise<boolean> {
  const { now, selfSigned, ...options } = node.options
  const task = JSON.stringify({ options, operation, argument, kill })
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), task], {
    stderr: 'inherit',
    stdout: 'pipe',
  })
  const output = await new Response(child.stdout).text()
  await child.exited
  return output.includes('done')
}

/** Everything on the node that belongs to somebody. */
function state() {
  const { layout } = node.node
  const list = (path: string) => readdirSync(path).sort()
  const prefix = node.options.users?.prefix ?? ''
  const named = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.split(':')[0]?.slice(prefix.length))
  return {
    hosts: list(layout.hosts).filter((name) => name !== '_'),
    certificates: list(layout.certificates).filter((name) => name !== 'default'),
    redirects: list(layout.httpsOnly),
    php: list(layout.php),
    notes: list(layout.manifests),
    clients: list(layout.clients).map((one) => `${one}: ${list(join(layout.clients, one)).join()}`),
    links: list(layout.links),
    users: named('/etc/passwd').sort(),
    groups: named('/etc/group').sort(),
    temporary: list(layout.temporary),
  }
}

const NEIGHBOUR = {
  hosts: ['vecino.es'],
  certificates: ['s-1', 'vecino.es'],
  redirects: [],
  php: ['1'],
  notes: ['1.json'],
  clients: ['1: 1,logs,sessions,tmp'],
  links: ['1'],
  users: ['1'],
  groups: ['1'],
  temporary: [],
}

const KILLS = ['before', 'after'].flatMap((when) => [0, 1, 2, 3, 4, 5].map((at) => ({ at, when })))

describe('a process killed before or after any step, and run again from the start, leaves the same result:', () => {
  test('creation of client and site', async () => {
    for (const kill of KILLS) {
      // Four steps each: beyond them the process lives.
      expect(await killed('applyClient', client(2), kill)).toBe(kill.at >= 4)
      await node.node.applyClient(client(2), step)
      expect(await killed('applySite', site(20, ['www.s20.es'], true), kill)).toBe(kill.at >= 4)
      await node.node.applySite(site(20, ['www.s20.es'], true), step)
      expect([kill, state()]).toEqual([
        kill,
        {
          hosts: ['s20.es', 'vecino.es', 'www.s20.es'],
          certificates: ['s-1', 's-20', 's20.es', 'vecino.es', 'www.s20.es'],
          redirects: ['s20.es', 'www.s20.es'],
          php: ['1', '20'],
          notes: ['1.json', '20.json'],
          clients: ['1: 1,logs,sessions,tmp', '2: 20,logs,sessions,tmp'],
          links: ['1', '2'],
          users: ['1', '2'],
          groups: ['1', '2'],
          temporary: [],
        },
      ])
      expect(node.getSecure('www.s20.es').status).toBe(200)
      await node.node.removeClient({ clientId: 2, hosts: ['s20.es'], name: 'c2' }, step)
      expect([kill, state()]).toEqual([kill, NEIGHBOUR])
    }
  }, 120_000)

  test('change of names', async () => {
    await node.client(2)
    for (const kill of KILLS.slice(0, 6)) {
      await node.node.applySite(site(20, ['viejo.es'], true), step)
      await killed('applySite', site(20, ['nuevo.es']), kill)
      await node.node.applySite(site(20, ['nuevo.es']), step)
      expect([kill, state().hosts, state().redirects, state().certificates]).toEqual([
        kill,
        ['nuevo.es', 's20.es', 'vecino.es'],
        [],
        ['nuevo.es', 's-1', 's-20', 's20.es', 'vecino.es'],
      ])
    }
  }, 60_000)

  test('suspension and activation', async () => {
    await node.node.applySite(site(20, []), step)
    node.put(2, 20, 'index.html', 'igual')
    for (const kill of KILLS) {
      const ended = await killed('applyClient', client(2, true), kill)
      // Suspension is the first step: whoever got that far has suspended.
      if (kill.at > 0 || kill.when === 'after' || ended) expect(node.get('s20.es').status).toBe(503)
      await node.node.applyClient(client(2, true), step)
      expect(node.get('s20.es').status).toBe(503)
      await killed('applyClient', client(2), kill)
      await node.node.applyClient(client(2), step)
      expect(node.get('s20.es').body).toBe('igual')
    }
  }, 120_000)

  test('deletion of a site and of a client', async () => {
    await node.node.bin.purge({ before: new Date(Date.now() + 1000) })
    for (const kill of KILLS) {
      await node.client(2)
      await node.node.applySite(site(20, ['www.s20.es']), step)
      await node.node.applySite(site(21, []), step)
      node.put(2, 20, 'index.html', `sitio ${kill.at} ${kill.when}`)
      node.put(2, 21, 'index.html', `cliente ${kill.at} ${kill.when}`)
      const gone = { siteId: 20, clientId: 2, hosts: ['s20.es', 'www.s20.es'], domain: 's20.es' }
      await killed('removeSite', gone, kill)
      if (kill.at > 0) expect(node.get('www.s20.es').status).toBe(404)
      await node.node.removeSite(gone, step)
      expect([kill, state().hosts, state().clients]).toEqual([
        kill,
        ['s21.es', 'vecino.es'],
        ['1: 1,logs,sessions,tmp', '2: 21,logs,sessions,tmp'],
      ])
      await killed('removeClient', { clientId: 2, hosts: ['s21.es'], name: 'c2' }, kill)
      if (kill.at > 0) expect(node.get('s21.es').status).toBe(404)
      await node.node.removeClient({ clientId: 2, hosts: ['s21.es'], name: 'c2' }, step)
      expect([kill, state()]).toEqual([kill, NEIGHBOUR])
      const bin = node.node.bin.list()
      expect([kill, bin.map(({ id }) => id)]).toEqual([kill, ['sitio-20', 'cliente-2']])
      const kept = (id: string, ...path: string[]) =>
        readFileSync(join(node.node.layout.bin, id, 'files', ...path), 'utf8')
      expect(kept('sitio-20', 'public/index.html')).toBe(`sitio ${kill.at} ${kill.when}`)
      expect(kept('cliente-2', '21/public/index.html')).toBe(`cliente ${kill.at} ${kill.when}`)
      await node.node.bin.purge({ before: new Date(Date.now() + 1000) })
      expect(readdirSync(node.node.layout.bin)).toEqual([])
    }
  }, 120_000)

  test('and no step is missing from those', async () => {
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
    expect(await seen(node.node.applyClient(client(2), noted))).toEqual(APPLY_CLIENT)
    expect(await seen(node.node.applySite(site(20, []), noted))).toEqual(APPLY_SITE)
    expect(await seen(node.node.applyClient(client(2, true), noted))).toEqual([SUSPEND, ...APPLY_CLIENT])
    expect(await seen(node.node.removeSite(gone, noted))).toEqual(REMOVE_SITE)
    expect(await seen(node.node.removeClient({ ...gone, name: 'c2' }, noted))).toEqual(REMOVE_CLIENT)
  })

  test('the neighbour was answered throughout', async () => {
    probing = false
    await prober
    expect(probes.bad).toEqual([])
    expect(probes.good).toBeGreaterThan(1000)
  })
})
