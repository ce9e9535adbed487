import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolversFrom } from '../../../deploy/node/resolver/index.ts'
import type { Resolver } from '../../../lib/endpoint/context.ts'
import { freePort } from '../ports.ts'
import { until } from './process.ts'

export type Unbound = { port: number; resolver: Resolver; stop: () => Promise<void> }

/**
 * A real unbound that recurses to the given authoritative servers by zone (`stub-zone`: a port of loopback, or
 * `address@port`) and keeps nothing in its cache, so that a change is seen at the next question.
 */
export async function startUnbound(
  stubs: Record<string, number | string>,
  extra: string[] = [],
): Promise<Unbound> {
  const directory = mkdtempSync(join(tmpdir(), 'unbound-'))
  const port = await freePort()
  const zones = Object.entries(stubs).flatMap(([zone, target]) => [
    'stub-zone:',
    `  name: "${zone}"`,
    `  stub-addr: ${typeof target === 'number' ? `127.0.0.1@${target}` : target}`,
    '  stub-no-cache: yes',
  ])
  const file = join(directory, 'unbound.conf')
  writeFileSync(
    file,
    [
      'server:',
      '  interface: 127.0.0.1',
      `  port: ${port}`,
      '  do-daemonize: no',
      '  use-syslog: no',
      '  logfile: ""',
      '  verbosity: 0',
      '  username: ""',
      '  chroot: ""',
      '  pidfile: ""',
      `  directory: "${directory}"`,
      '  do-not-query-localhost: no',
      '  module-config: "iterator"',
      '  cache-max-ttl: 0',
      '  cache-max-negative-ttl: 0',
      '  infra-host-ttl: 0',
      '  infra-keep-probing: yes',
      // Reserved names are answered by unbound itself unless it is told otherwise (RFC 6761).
      '  local-zone: "test." nodefault',
      '  access-control: 127.0.0.0/8 allow',
      ...extra.map((line) => `  ${line}`),
      ...zones,
      'remote-control:',
      '  control-enable: no',
      '',
    ].join('\n'),
  )
  const child = Bun.spawn(['/usr/sbin/unbound', '-d', '-p', '-c', file], { stdout: 'ignore', stderr: 'pipe' })
  const [resolver] = resolversFrom([`udp://127.0.0.1:${port}`])
  if (!resolver) throw new Error('no resolver')
  await until('unbound answers', async () => (await resolver.query('localhost', 'A', 500)).kind === 'answer')
  return {
    port,
    resolver,
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
