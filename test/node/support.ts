import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWebNode, type WebNode, type WebNodeOptions } from '../../deploy/node/web/node.ts'
import type { DesiredClient, DesiredSite, Step } from '../../lib/endpoint/node-port.ts'
import { freePort } from '../support/ports.ts'
import { selfSignedFor } from '../support/self-signed.ts'
import { isRangeFree, USERS } from '../support/users.ts'

export const step: Step = (_name, run) => run()

let made = 0

/** A range of users that no other test on this machine uses at the same time. */
function users() {
  let uidBase: number
  do {
    made += 1
    uidBase = 300_000 + ((process.pid + made) % 80_000) * USERS
  } while (!isRangeFree(uidBase))
  return { uidBase, prefix: `t${uidBase.toString(36)}x`, size: USERS }
}

export type TestNode = Awaited<ReturnType<typeof startNode>>

/** A real node on free ports with a data directory of its own. */
export async function startNode(extra: Partial<WebNodeOptions> = {}, start = true) {
  const directory = mkdtempSync(join(tmpdir(), 'node-'))
  chmodSync(directory, 0o711)
  const options: WebNodeOptions = {
    base: join(directory, 'web'),
    bind: ['127.0.0.1'],
    httpPort: await freePort(),
    httpsPort: await freePort(),
    phpWithoutIsolation: false,
    now: () => new Date(),
    selfSigned: selfSignedFor,
    users: users(),
    ...extra,
  }
  const node = createWebNode(options)
  if (start) await node.start()
  const clients = new Set<number>()
  return {
    node,
    options,
    directory,
    ...requests(options),
    ...shortcuts(node, clients),
    /** Path of a file in a site's document root. */
    path: (clientId: number, siteId: number, ...name: string[]) =>
      join(node.layout.publicOf(clientId, siteId), ...name),
    uid: (clientId: number) => (options.users?.uidBase ?? 0) + clientId,
    /** Puts a file into a site as its customer would have. */
    put(clientId: number, siteId: number, name: string, content: string) {
      const path = join(node.layout.publicOf(clientId, siteId), name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      const uid = (options.users?.uidBase ?? 0) + clientId
      chownSync(path, uid, uid)
      return path
    },
    async [Symbol.asyncDispose]() {
      await node.stop()
      for (const clientId of clients) await node.removeClient({ clientId, hosts: [], name: 'x' }, step)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function shortcuts(node: WebNode, clients: Set<number>) {
  return {
    client(clientId: number, more: Partial<DesiredClient> = {}) {
      clients.add(clientId)
      const php = node.phpVersions()
      const limits = { cpuPercent: null, memoryBytes: null, processes: null }
      const plain = {
        clientId,
        name: `c${clientId}`,
        suspended: false,
        php,
        diskBytes: null,
        inodes: null,
        limits,
      }
      return node.syncClient({ ...plain, ...more }, step)
    },
    site(clientId: number, siteId: number, domain: string, more: Partial<DesiredSite> = {}) {
      const php = node.phpVersions().at(-1) ?? null
      const plain = { siteId, clientId, domain, aliases: [], suspended: false, httpsOnly: false, php }
      return node.syncSite({ ...plain, ...more }, step)
    },
  }
}

export type Answer = { status: number; headers: string; body: string }

/** Requests by curl, which sends any path and name as it is told. */
function requests(options: Pick<WebNodeOptions, 'httpPort' | 'httpsPort'>) {
  return {
    get(host: string, path = '/', extra: string[] = []): Answer {
      return curl(`http://${host}:${options.httpPort}${path}`, [
        '--resolve',
        `${host}:${options.httpPort}:127.0.0.1`,
        ...extra,
      ])
    },
    getSecure(host: string, path = '/', extra: string[] = []): Answer {
      return curl(`https://${host}:${options.httpsPort}${path}`, [
        '--resolve',
        `${host}:${options.httpsPort}:127.0.0.1`,
        ...(extra.includes('--cacert') ? [] : ['-k']),
        ...extra,
      ])
    },
  }
}

/** Status 0 with curl's own message as the body when there was no answer. */
export function curl(url: string, extra: string[]): Answer {
  const result = spawnSync('/usr/bin/curl', [
    '-sS',
    '-i',
    '--path-as-is',
    '--globoff',
    '-m',
    '20',
    ...extra,
    url,
  ])
  const text = result.stdout.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (result.status !== 0 && end < 0) return { status: 0, headers: '', body: result.stderr.toString() }
  const headers = text.slice(0, end)
  const body = Buffer.from(text.slice(end + 4), 'latin1').toString()
  return { status: Number(/^HTTP\/\S+ (\d+)/.exec(headers)?.[1] ?? 0), headers, body }
}

/** A self-signed certificate by openssl. */
export function certificateFor(name: string): { certPem: string; keyPem: string } {
  const directory = mkdtempSync(join(tmpdir(), 'cert-'))
  const [key, cert] = [join(directory, 'key'), join(directory, 'cert')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${name}`, '-days', '30']
  spawnSync('/usr/bin/openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert])
  const result = { certPem: readFileSync(cert, 'utf8'), keyPem: readFileSync(key, 'utf8') }
  rmSync(directory, { recursive: true })
  return result
}
