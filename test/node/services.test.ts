import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { portHolders } from '../../deploy/node/services/ports.ts'
import { isAlive, readProcess, waitUntil } from '../../deploy/node/services/process.ts'
import { nginxService } from '../../deploy/node/web/nginx.ts'
import { createWebNode } from '../../deploy/node/web/node.ts'
import { freePort } from '../support/ports.ts'
import { certificateFor, startNode, type TestNode } from './support.ts'

const nodes: TestNode[] = []
afterAll(async () => {
  for (const node of nodes) await node[Symbol.asyncDispose]()
})

/** A node with one site that runs PHP. */
async function served(): Promise<TestNode> {
  const node = await startNode({ probeMs: 50 })
  nodes.push(node)
  await node.client(1)
  await node.site(1, 1, 'uno.es')
  node.put(1, 1, 'index.php', '<?php echo "vivo";')
  expect(answers(node)).toBe(true)
  return node
}

const answers = (node: TestNode) => node.get('uno.es', '/', ['-m', '2']).body === 'vivo'
const mainOf = (node: TestNode, prefix: string) => {
  const name = node.node.supervisor.names().find((one) => one.startsWith(prefix)) ?? ''
  return node.node.supervisor.processOf(name)
}
const back = (node: TestNode) => waitUntil(() => answers(node), { timeoutMs: 10_000, everyMs: 50 })

/** Starts the same node in a process of its own, which can be killed. */
async function ownProcess(node: TestNode) {
  const { now, selfSigned, ...options } = node.options
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'child.ts'), JSON.stringify({ options })],
    { stdout: 'pipe' },
  )
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  return { child, pids: JSON.parse(new TextDecoder().decode(value)) as (number | undefined)[] } // printed by child.ts
}

describe('services', () => {
  test('outlive the panel’s crash, and the next start finds the same processes', async () => {
    const node = await served()
    node.node.supervisor.release()
    const before = [mainOf(node, 'nginx')?.pid, mainOf(node, 'php')?.pid]
    const first = await ownProcess(node)
    expect(first.pids).toEqual(before)
    first.child.kill('SIGKILL')
    await first.child.exited
    expect(answers(node)).toBe(true)
    const second = await ownProcess(node)
    expect(second.pids).toEqual(before)
    second.child.kill('SIGKILL')
    await second.child.exited
    // Killed before it could note them, or with a note that was cut short: the command line tells.
    for (const name of readdirSync(node.node.layout.run)) {
      if (name.endsWith('.json')) writeFileSync(join(node.node.layout.run, name), '{"pid":')
    }
    const third = await ownProcess(node)
    expect(third.pids).toEqual(before)
    third.child.kill('SIGKILL')
    await third.child.exited
    expect(answers(node)).toBe(true)
  }, 60_000)

  test('that were killed come back, with or without their workers', async () => {
    const node = await served()
    for (const prefix of ['nginx', 'php']) {
      const main = mainOf(node, prefix)
      process.kill(main?.pid ?? 0, 'SIGKILL')
      await waitUntil(() => main !== null && !isAlive(main), { timeoutMs: 10_000 })
      expect(await back(node)).toBe(true)
      expect(await waitUntil(() => mainOf(node, prefix) !== null, { timeoutMs: 10_000 })).toBe(true)
      expect(mainOf(node, prefix)?.pid).not.toBe(main?.pid)
      expect(
        await waitUntil(() => Bun.spawnSync(['/usr/bin/pgrep', '-s', String(main?.pid)]).exitCode === 1, {
          timeoutMs: 10_000,
        }),
      ).toBe(true)
    }
    // What serves may not have answered the panel yet.
    const run = async () => (await node.node.services()).every(({ running }) => running)
    expect(await waitUntil(run, { timeoutMs: 10_000 })).toBe(true)
  }, 60_000)

  test('that hang are started again', async () => {
    const node = await served()
    for (const prefix of ['nginx', 'php']) {
      const main = mainOf(node, prefix)
      const members = Bun.spawnSync(['/usr/bin/pgrep', '-s', String(main?.pid)])
        .stdout.toString()
        .trim()
        .split('\n')
      for (const pid of members) process.kill(Number(pid), 'SIGSTOP')
      expect(
        await waitUntil(() => mainOf(node, prefix) !== null && mainOf(node, prefix)?.pid !== main?.pid, {
          timeoutMs: 50_000,
        }),
      ).toBe(true)
      expect(await back(node)).toBe(true)
    }
  }, 150_000)

  test('that an earlier version started with other arguments are started anew', async () => {
    const node = await served()
    const { supervisor, layout } = node.node
    const definition = nginxService({ ...node.options, layout, workerUser: 'www-data' })
    await supervisor.stop('nginx')
    await supervisor.start('nginx', { ...definition, argv: definition.argv.slice(0, 3) })
    const before = mainOf(node, 'nginx')
    await supervisor.start('nginx', definition)
    expect(mainOf(node, 'nginx')?.pid).not.toBe(before?.pid)
    expect(answers(node)).toBe(true)
    const now = mainOf(node, 'nginx')
    await supervisor.start('nginx', definition)
    expect(mainOf(node, 'nginx')).toEqual(now)
  }, 60_000)

  test('survive a broken configuration planted in their place', async () => {
    const node = await served()
    const { layout } = node.node
    const nginx = join(layout.nginx, 'nginx.conf')
    const php = join(layout.fpm, 'keeper.conf')
    const good = [nginx, php].map((path) => readFileSync(path, 'utf8'))
    writeFileSync(nginx, 'http { nonsense')
    writeFileSync(php, 'cage no\nbroken')
    for (const prefix of ['nginx', 'php']) {
      const main = mainOf(node, prefix)
      process.kill(main?.pid ?? 0, 'SIGKILL')
      const anew = () => ![undefined, main?.pid].includes(mainOf(node, prefix)?.pid)
      expect(await waitUntil(anew, { timeoutMs: 10_000 })).toBe(true)
    }
    expect(await back(node)).toBe(true)
    expect([nginx, php].map((path, index) => readFileSync(path, 'utf8') === good[index])).toEqual([
      true,
      true,
    ])
  }, 60_000)

  test('end at an orderly stop, and leave no process and no port', async () => {
    const node = await served()
    const mains = ['nginx', 'php'].map((prefix) => mainOf(node, prefix)?.pid ?? 0)
    await node.node.stop()
    for (const pid of mains) {
      // Until this process has reaped it, the kernel keeps the number.
      expect(await waitUntil(() => readProcess(pid) === null, { timeoutMs: 10_000 })).toBe(true)
      expect(Bun.spawnSync(['/usr/bin/pgrep', '-s', String(pid)]).exitCode).toBe(1)
    }
    const ports = [node.options.httpPort, node.options.httpsPort].map((port) => ({
      protocol: 'tcp' as const,
      address: '127.0.0.1',
      port,
    }))
    expect(portHolders(ports)).toEqual([])
    expect(readdirSync(node.node.layout.run).filter((name) => name.endsWith('.json'))).toEqual([])
  }, 60_000)

  test('a note about a process that is another one by now harms nobody', async () => {
    const node = await startNode({}, false)
    nodes.push(node)
    await using bystander = Bun.spawn(['/usr/bin/sleep', '60'])
    mkdirSync(node.node.layout.base)
    mkdirSync(node.node.layout.run)
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const note = JSON.stringify({ pid: bystander.pid, startTicks: 1, boot })
    writeFileSync(join(node.node.layout.run, 'nginx.json'), note)
    await node.node.start()
    expect(mainOf(node, 'nginx')?.pid).not.toBe(bystander.pid)
    await node.node.stop()
    expect(bystander.exitCode).toBeNull()
  }, 60_000)
})

describe('a port that is taken', () => {
  test('stops the start with the name of who holds it, who is left alone', async () => {
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    const node = await startNode({ httpPort: port }, false)
    nodes.push(node)
    const failed = node.node.start()
    expect(failed).rejects.toThrow(`port ${port}/tcp on 127.0.0.1 is held by`)
    expect(failed).rejects.toThrow(`(process ${process.pid})`)
    await failed.catch(() => undefined)
    const nginx = (await node.node.services()).find(({ name }) => name === 'nginx')
    expect(nginx).toMatchObject({
      running: false,
      advice: { en: expect.stringContaining('End that program') },
    })
    holder.close()
    // It is tried again without being asked.
    expect(
      await waitUntil(
        async () => (await node.node.services()).some(({ name, running }) => name === 'nginx' && running),
        { timeoutMs: 10_000, everyMs: 50 },
      ),
    ).toBe(true)
  }, 60_000)

  test('for a moment alone, as by a program that is just being started with it open, stops nothing', async () => {
    const port = await freePort()
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve))
    const reports: string[] = []
    const report = ({ message }: { message: string }) => void reports.push(message)
    const node = await startNode({ httpPort: port, report }, false)
    nodes.push(node)
    setTimeout(() => holder.close(), 200)
    await node.node.start()
    expect(reports).toEqual([])
    await node.node.stop()
  }, 60_000)

  test('is recognised on any address that covers it', async () => {
    const port = await freePort()
    const seen = (address: string) => portHolders([{ protocol: 'tcp', address, port }]).length
    const anywhere = createServer()
    await new Promise<void>((resolve) => anywhere.listen(port, '0.0.0.0', resolve))
    expect(['127.0.0.1', '0.0.0.0', '127.9.9.9'].map(seen)).toEqual([1, 1, 1])
    await new Promise((resolve) => anywhere.close(resolve))
    const local = createServer()
    await new Promise<void>((resolve) => local.listen(port, '127.0.0.2', resolve))
    expect(['127.0.0.1', '127.0.0.2', '0.0.0.0'].map(seen)).toEqual([0, 1, 1])
    await new Promise((resolve) => local.close(resolve))
    const six = createServer()
    await new Promise<void>((resolve) => six.listen(port, '::1', resolve))
    expect(['127.0.0.1', '::1', '::'].map(seen)).toEqual([0, 1, 1])
    expect(portHolders([{ protocol: 'tcp', address: '::1', port }])[0]?.pid).toBe(process.pid)
    await new Promise((resolve) => six.close(resolve))
  })
})

describe('a directory that cannot be used', () => {
  test('because the web server’s user may not pass keeps the web server from starting, and says what to do', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'node-'))
    chmodSync(directory, 0o700)
    const options = {
      bind: ['127.0.0.1'],
      httpPort: 1,
      httpsPort: 2,
      phpWithoutIsolation: false,
      now: () => new Date(),
      selfSigned: async () => certificateFor('localhost'),
    }
    const node = createWebNode({ ...options, base: join(directory, 'web') })
    await node.start()
    const [web] = await node.services()
    expect(web).toMatchObject({
      name: 'nginx',
      running: false,
      advice: { en: expect.stringContaining(`chmod o+x ${directory}`) },
    })
    await node.stop()
    rmSync(directory, { recursive: true })
  })

  test('because of its name is refused before anything is rendered', () => {
    for (const base of ['relative', '/a b', '/a;b', '/a/../b', '/a"', '/a\nb', '/$x', `/${'x'.repeat(80)}`]) {
      expect(() => createLayout(base)).toThrow(TypeError)
    }
  })
})
