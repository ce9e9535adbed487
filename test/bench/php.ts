import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { commandLine, findProcesses, waitUntil } from '../../deploy/node/services/process.ts'
import { startNode, type TestNode } from '../node/support.ts'
import { freePort } from '../support/ports.ts'
import { putBlog } from './_blog.ts'
import { compareKeptPage } from './_kept.ts'
import { round, until } from './_web.ts'

const TURNS = 3
const TURN_SECONDS = 3
const VISITORS = 4
const HOST = 'blog.es'

/** Debian's PHP looks every two seconds whether a file was changed; the panel's once a second. */
const PLAIN = {
  'Debian’s settings': [],
  'settings that look at a file once a second': ['-d', 'opcache.revalidate_freq=1'],
}

type Place = 'panel' | 'plain'

/**
 * Pages of a program of a blog's size, made anew each time, by way of the panel's nginx and the client's PHP, beside
 * those of an nginx and a PHP-FPM as Debian sets them up, for the same files and user and without `open_basedir`. They
 * take turns, and the least of each counts: what else the machine does only ever adds. Then a kept page beside a file.
 */
export async function run(): Promise<void> {
  await using node = await startNode()
  // The plain one has all processors; a client whose plan says nothing leaves one to the others.
  const limits = { cpuPercent: 100 * availableParallelism(), memoryBytes: null, processes: null }
  await node.client(1, { limits })
  await node.site(1, 11, HOST)
  putBlog(node, 1, 11)
  for (const [what, settings] of Object.entries(PLAIN)) await beside(node, what, settings)
  await compareKeptPage(node)
}

async function beside(node: TestNode, what: string, settings: string[]): Promise<void> {
  const plain = await startPlain(node, settings)
  try {
    const places = { panel: node.options.httpPort, plain: plain.port }
    await requireSamePage(places)
    const costs: Record<Place, number[]> = { panel: [], plain: [] }
    for (let turn = 0; turn < TURNS; turn++) {
      for (const name of ['panel', 'plain'] as const) costs[name].push(await millisecondsOfPage(places[name]))
    }
    const [panel, bare] = [Math.min(...costs.panel), Math.min(...costs.plain)]
    const milliseconds = { panel: round(panel), plain: round(bare) }
    console.log(
      JSON.stringify({ what: `page made anew, beside ${what}`, milliseconds, rate: round(bare / panel) }),
    )
  } finally {
    await plain.stop()
  }
}

/** nginx and PHP-FPM as Debian's own snippets set them up. */
async function startPlain({ directory, path, uid }: TestNode, settings: string[]) {
  const at = (name: string) => join(directory, 'plain', name)
  mkdirSync(at(''), { mode: 0o755, recursive: true })
  const port = await freePort()
  writeFileSync(
    at('nginx.conf'),
    `user www-data; daemon off; worker_processes auto; pid ${at('pid')}; error_log ${at('error.log')};
events { worker_connections 1024; }
http {
  access_log ${at('access.log')}; fastcgi_temp_path ${at('fastcgi')}; client_body_temp_path ${at('body')};
  proxy_temp_path ${at('proxy')}; uwsgi_temp_path ${at('uwsgi')}; scgi_temp_path ${at('scgi')};
  server {
    listen 127.0.0.1:${port}; root ${path(1, 11)}; index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi.conf; fastcgi_pass unix:${at('php.sock')}; }
  }
}`,
  )
  const user = uid(1)
  writeFileSync(
    at('fpm.conf'),
    `[global]\nerror_log = ${at('fpm.log')}\n[www]\nuser = ${user}\ngroup = ${user}\nlisten = ${at('php.sock')}
listen.owner = www-data\npm = ondemand\npm.max_children = 8\npm.process_idle_timeout = 5s\n`,
  )
  const processes = [
    spawn('/usr/sbin/php-fpm8.2', ['--nodaemonize', ...settings, '--fpm-config', at('fpm.conf')], {
      stdio: 'ignore',
    }),
    spawn('/usr/sbin/nginx', ['-c', at('nginx.conf')], { stdio: 'ignore' }),
  ]
  await waitUntil(() => existsSync(at('php.sock')), { timeoutMs: 10_000 })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.status === 200)
  return { port, stop: () => stop(processes) }
}

async function stop(processes: ChildProcess[]): Promise<void> {
  for (const one of processes) one.kill('SIGTERM')
  await Promise.all(
    processes.map((one) => one.exitCode ?? new Promise((resolve) => one.once('exit', resolve))),
  )
}

/** Faster is no merit where something else is answered. */
async function requireSamePage(places: Record<string, number>): Promise<void> {
  const pages = await Promise.all(
    Object.values(places).map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/2026/hola`, { headers: { host: HOST } })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  const [first = ''] = pages
  if (!first.startsWith('200') || first.length < 20_000 || pages.some((page) => page !== first)) {
    throw new Error(`the pages differ: ${pages.map((page) => page.slice(0, 200)).join('\n')}`)
  }
}

/** Of PHP's processor: how many a second there are depends on what else runs here, and in whose control group. */
async function millisecondsOfPage(port: number): Promise<number> {
  const url = `http://127.0.0.1:${port}/2026/hola`
  const argv = ['/usr/bin/wrk', '-t1', `-c${VISITORS}`, `-d${TURN_SECONDS}s`, '-H', `Host: ${HOST}`, url]
  const before = processorTicks()
  const text = await new Response(Bun.spawn(argv, { stdout: 'pipe' }).stdout).text()
  if (/Non-2xx/.test(text)) throw new Error(`not all were answered: ${text}`)
  return ((processorTicks() - before) * 10) / Number(/(\d+) requests in/.exec(text)?.[1])
}

/** Hundredths of a second of all PHP-FPM, also of workers that have ended: their main process has inherited them. */
function processorTicks(): number {
  return findProcesses(({ pid }) => commandLine(pid).startsWith('php-fpm'))
    .map(({ pid }) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [])
    .flatMap((fields) => fields.slice(11, 15).map(Number))
    .reduce((sum, one) => sum + one, 0)
}
