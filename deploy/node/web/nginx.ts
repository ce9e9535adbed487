import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { readIfThere, removeFile, writeWhole } from '../host/files.ts'
import type { ServiceDefinition } from '../services/definition.ts'
import { runProgram } from '../services/program.ts'
import { NGINX_ARGUMENTS, renderWebConfig } from './config.ts'

const PROGRAM = '/usr/sbin/nginx'
const MODULES = '/usr/lib/nginx/modules'
const OPEN_FILES_MAX = 65_536
const PROBE_MS = 3_000

export type NginxOptions = {
  layout: Layout
  bind: string[]
  httpPort: number
  httpsPort: number
  workerUser: string | null
}

/** nginx as a service of the panel, with a configuration of the panel's own. */
export function nginxService(options: NginxOptions): ServiceDefinition {
  const { layout } = options
  const path = join(layout.nginx, 'nginx.conf')
  const ipv6 = existsSync('/proc/net/if_inet6') && readFileSync('/proc/net/if_inet6', 'utf8') !== ''
  const content = renderWebConfig({
    ...options,
    openFiles: openFiles(),
    ipv6,
    brotliModules: brotliModules(),
  })
  const addresses = options.bind.length > 0 ? options.bind : ['0.0.0.0', ...(ipv6 ? ['::'] : [])]
  return {
    argv: [PROGRAM, '-c', path, ...NGINX_ARGUMENTS],
    files: [{ path, content, mode: 0o644 }],
    check: () => checkConfig(layout, { path, content }),
    ready: () => answersHttp(options),
    ports: addresses.flatMap((address) =>
      [options.httpPort, options.httpsPort].map((port) => ({ protocol: 'tcp' as const, address, port })),
    ),
    reloadSignal: 'SIGHUP',
    stopSignal: 'SIGQUIT',
    version: nginxVersion,
    package: 'nginx-light',
    distributionUnit: 'nginx.service',
    unitProperties: ['MemoryMax=2G', 'LimitNOFILE=65536', 'PrivateTmp=yes', 'ProtectSystem=full'],
  }
}

/** Debian's packages for them; both or none, and not on every machine. */
function brotliModules(): string[] {
  const paths = ['filter', 'static'].map((part) => `${MODULES}/ngx_http_brotli_${part}_module.so`)
  return paths.every((path) => existsSync(path)) ? paths : []
}

/** Throws with nginx's own words when it would not start with this configuration, or warns about it. */
async function checkConfig(
  layout: Layout,
  { path, content }: { path: string; content: string },
): Promise<void> {
  // One that is in its place already needs no room on a full disk.
  const isPresent = (await readIfThere(path)) === content
  const candidate = isPresent ? path : join(layout.nginx, 'candidate.conf')
  if (!isPresent) writeWhole({ path: candidate, content, mode: 0o600 }, layout.temporary)
  const result = await runProgram([PROGRAM, '-t', '-c', candidate, ...NGINX_ARGUMENTS])
  if (!isPresent) removeFile(candidate)
  if (result.code !== 0 || /\[(?:warn|error|crit|alert|emerg)\]/.test(result.output)) {
    throw new Error(`nginx refuses its configuration: ${result.output.slice(0, 500)}`)
  }
}

/** Any answer will do: the name in the request leads nowhere. */
async function answersHttp(options: NginxOptions): Promise<boolean> {
  return (await ask(options, 'HEAD')).status > 0
}

/** The page that a name of no site is answered with; null without an answer. */
export const askNowhere = (options: NginxOptions): Promise<string | null> =>
  ask(options, 'GET').then(
    (response) => response.text(),
    () => null,
  )

function ask({ bind, httpPort }: NginxOptions, method: 'GET' | 'HEAD'): Promise<Response> {
  const [address = '127.0.0.1'] = bind
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '[::1]' : bracketed(address)
  return fetch(`http://${host}:${httpPort}/`, {
    method,
    redirect: 'manual',
    keepalive: false,
    signal: AbortSignal.timeout(PROBE_MS),
  })
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

async function nginxVersion(): Promise<string | null> {
  const result = await runProgram([PROGRAM, '-v'])
  return /nginx\/([0-9.]+)/.exec(result.output)?.[1] ?? null
}

/** As many as this process may give on; root without the capability cannot raise it either. */
function openFiles(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const hard = /^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1]
  return Math.min(OPEN_FILES_MAX, hard === undefined ? 1024 : Number(hard))
}
