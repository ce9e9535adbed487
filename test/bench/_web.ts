import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProcesses, waitUntil } from '../../deploy/node/services/process.ts'
import { freePort } from '../support/ports.ts'

/** Under which everything is measured: long enough for the kernel's hundredths of a second. */
const LOAD_SECONDS = 4

export type Pressure = { perSecond: number; nginxMicroseconds: number }

/** Requests a second, and nginx's own time for each, which other programs on the machine disturb less. */
export async function pressure(url: string, host: string, main: number): Promise<Pressure> {
  const argv = ['/usr/bin/wrk', '-t1', '-c32', `-d${LOAD_SECONDS}s`, '-H', `Host: ${host}`, url]
  const before = processorTicks(main)
  const child = Bun.spawn(argv, { stdout: 'pipe' })
  const text = await new Response(child.stdout).text()
  if (/Non-2xx/.test(text)) throw new Error(`not all were answered: ${text}`)
  const count = Number(/(\d+) requests in/.exec(text)?.[1])
  const microseconds = ((processorTicks(main) - before) * 10_000) / count
  return { perSecond: Math.round(count / LOAD_SECONDS), nginxMicroseconds: round(microseconds) }
}

/** Hundredths of a second that the workers of a main process have used. */
function processorTicks(main: number): number {
  return findProcesses(({ parent }) => parent === main)
    .map(({ pid }) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [])
    .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0)
}

export type Plan<T> = {
  blocks: string
  measure(running: { main: number; reload(blocks: string): Promise<void> }): Promise<T>
}

/** An nginx of server blocks as one would write them by hand, beside which the panel's is measured. */
export async function withNginx<T>(plan: (directory: string, port: number) => Promise<Plan<T>>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'))
  Bun.spawnSync(['/usr/bin/chmod', '0755', directory])
  const port = await freePort()
  const { blocks, measure } = await plan(directory, port)
  const path = join(directory, 'nginx.conf')
  const write = (text: string) => writeFile(path, plainConfig(directory, text))
  await mkdir(join(directory, 'tmp'))
  await write(blocks)
  const child = Bun.spawn(['/usr/sbin/nginx', '-c', path])
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) !== null)
    const reload = async (text: string) => {
      await write(text)
      if (Bun.spawnSync(['/usr/sbin/nginx', '-t', '-q', '-c', path]).exitCode !== 0)
        throw new Error('nginx -t')
      child.kill('SIGHUP')
    }
    return await measure({ main: child.pid, reload })
  } finally {
    child.kill('SIGTERM')
    await child.exited
    rmSync(directory, { recursive: true })
  }
}

function plainConfig(directory: string, blocks: string): string {
  const count = blocks.split('\n').length
  return `user www-data; daemon off; worker_processes auto; pid ${directory}/pid; error_log ${directory}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http { server_tokens off; sendfile on; access_log ${directory}/access.log; client_body_temp_path ${directory}/tmp;
server_names_hash_max_size 1048576; server_names_hash_bucket_size 128; add_header X-Blocks ${count} always;
${blocks}
}
`
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(condition, { timeoutMs: 30_000, everyMs: 1 }))) throw new Error('waited in vain')
}

export const round = (value: number) => Math.round(value * 100) / 100
