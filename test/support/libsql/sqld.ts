import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { freePort } from '../ports.ts'
import { eventually } from '../wait.ts'
import { type Engine, refusal } from './engine.ts'

/** A libSQL server as operators run it, on loopback. */
export type Sqld = { url: string; child: Bun.Subprocess; stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> }

/** The server's program: one on the PATH, else the npm package's; null where there is neither. */
export function sqldProgram(): string | null {
  const found = Bun.which('sqld')
  if (found) return found
  try {
    return createRequire(import.meta.url).resolve(`@sqld/${process.platform}-${process.arch}/sqld`)
  } catch {
    return null
  }
}

/** Starts it on a folder of its own and waits until it answers. */
export async function startSqld(
  program: string,
  folder: string,
  argv: string[] = [],
  port?: number,
): Promise<Sqld> {
  const own = port ?? (await freePort())
  const child = Bun.spawn(
    [program, '--no-welcome', '--db-path', folder, '--http-listen-addr', `127.0.0.1:${own}`, ...argv],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  const url = `http://127.0.0.1:${own}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`)
    return fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, 'sqld')
  return {
    url,
    child,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await child.exited
    },
  }
}

/** The real server behind what the tests do to one; the database's own file is seen at `path`. */
export async function sqldEngine(program: string, path: string): Promise<Engine> {
  const sqld = await startSqld(program, `${path}.sqld`)
  await symlink(`${path}.sqld/dbs/default/data`, path)
  const batons = new Set<string>()
  return {
    async pipeline(body, signal) {
      const { baton } = JSON.parse(new TextDecoder().decode(body))
      if (baton && !batons.delete(baton)) return refusal(404, 'The stream has expired', 'STREAM_EXPIRED')
      const response = await fetch(`${sqld.url}/v2/pipeline`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array(body),
        signal,
      })
      const text = await response.text()
      const next = response.ok ? JSON.parse(text).baton : null
      if (next) batons.add(next)
      return new Response(text, {
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? 'text/plain' },
      })
    },
    forgetStreams: () => batons.clear(),
    streams: () => batons.size,
    close: () => sqld.stop(),
  }
}
