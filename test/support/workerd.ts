import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from './ports.ts'

const WORKERD = resolve(import.meta.dir, '../../node_modules/.bin/workerd')

/** A worker of a configuration: its module's text and its text bindings. */
export type WorkerOf = { name: string; script: string; bindings: Record<string, string> }

/** workerd itself, without anything around it, with each worker on a port of its own. */
export type Workerd = { ports: Record<string, number>; stop(): Promise<void> }

/** Starts workerd with these workers and waits until the first of them answers; plain HTTP on loopback. */
export async function startWorkerd(workers: WorkerOf[]): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'))
  const ports: Record<string, number> = {}
  for (const { name, script } of workers) {
    ports[name] = await freePort()
    await writeFile(join(folder, `${name}.js`), script)
  }
  await writeFile(join(folder, 'config.capnp'), configOf(workers, ports))
  const running = await serveConfig(join(folder, 'config.capnp'), [], ports[workers[0]?.name ?? ''] ?? 0)
  return {
    ports,
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** `workerd serve` on a configuration; resolves once the port answers. */
export async function serveConfig(
  path: string,
  argv: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<{ stop(): Promise<void> }> {
  const child = Bun.spawn([WORKERD, 'serve', path, ...argv], {
    cwd: resolve(path, '..'),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const deadline = performance.now() + 20_000
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill()
      throw new Error(`workerd did not start: ${await new Response(child.stderr).text()}`)
    }
  }
  return {
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

/** Any answer at all: the worker was loaded and ran. */
async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/nada`)
    await response.arrayBuffer()
    return true
  } catch {
    await Bun.sleep(1)
    return false
  }
}

function configOf(workers: WorkerOf[], ports: Record<string, number>): string {
  const text = (value: string) => JSON.stringify(value)
  const services = workers.map(({ name }) => `(name = ${text(name)}, worker = .${name})`)
  const sockets = workers.map(
    ({ name }) =>
      `(name = ${text(name)}, address = "127.0.0.1:${ports[name]}", http = (), service = ${text(name)})`,
  )
  const constants = workers.map(({ name, bindings }) => {
    const list = Object.entries(bindings).map(
      ([key, value]) => `(name = ${text(key)}, text = ${text(value)})`,
    )
    return `const ${name} :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${text(`${name}.js`)})],
  compatibilityDate = "2026-07-01",
  bindings = [${list.join(', ')}],
);`
  })
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(', ')}, (name = "internet", network = (allow = ["public", "private"]))],
  sockets = [${sockets.join(', ')}],
);
${constants.join('\n')}
`
}
