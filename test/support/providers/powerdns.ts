import { Database } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { until } from './process.ts'

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

export type PowerDns = {
  origin: string
  key: string
  dnsPort: number
  api: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: unknown }>
  stop: () => Promise<void>
}

/** A real pdns_server with the SQLite backend on free loopback ports. */
export async function startPowerDns(): Promise<PowerDns> {
  const directory = mkdtempSync(join(tmpdir(), 'pdns-'))
  const database = join(directory, 'pdns.sqlite')
  const created = new Database(database)
  created.exec(readFileSync(SCHEMA, 'utf8'))
  created.close()
  const key = 'test-key-1f0c9a7d'
  const [dnsPort, webPort] = [await freePort(), await freePort()]
  const child = Bun.spawn(
    [
      '/usr/sbin/pdns_server',
      `--config-dir=${directory}`,
      `--socket-dir=${directory}`,
      '--launch=gsqlite3',
      `--gsqlite3-database=${database}`,
      '--gsqlite3-pragma-synchronous=0',
      '--local-address=127.0.0.1',
      `--local-port=${dnsPort}`,
      '--api=yes',
      `--api-key=${key}`,
      '--webserver-address=127.0.0.1',
      `--webserver-port=${webPort}`,
      '--webserver-allow-from=127.0.0.1',
      '--daemon=no',
      '--guardian=no',
      '--disable-syslog=yes',
      '--loglevel=0',
      '--write-pid=no',
      '--zone-cache-refresh-interval=0',
      '--cache-ttl=0',
      '--query-cache-ttl=0',
      '--negquery-cache-ttl=0',
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  const origin = `http://127.0.0.1:${webPort}`
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api/v1/servers/localhost${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // Errors are plain text.
    const json = await response.json().catch(() => null)
    return { status: response.status, json }
  }
  await until('PowerDNS answers', async () => (await api('GET', '')).status === 200)
  return {
    origin,
    key,
    dnsPort,
    api,
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
