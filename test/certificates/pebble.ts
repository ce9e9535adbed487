import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

export type Pebble = {
  directoryUrl: string
  /** Trusts the authority's own HTTPS, for `caPem`. */
  caPem: string
  /** Its DNS server, `address:port`: what the authority sees. */
  dnsAddress: string
  /** Signs what it issues. */
  rootPem: () => Promise<string>
  /** Answers `name` with these addresses to the authority; every other name is 127.0.0.1. */
  setAddress: (name: string, address: string) => Promise<void>
  /** Takes connections from now on, and answers nothing. */
  hang: () => void
  stop: () => Promise<void>
}

/** Debian's test authority with a DNS server of its own; it validates HTTP-01 on `httpPort` of 127.0.0.1. */
export async function startPebble(
  httpPort: number,
  environment: Record<string, string> = {},
): Promise<Pebble> {
  const directory = await mkdtemp(join(tmpdir(), 'pebble-'))
  const [acmePort, managementPort] = [await freePort(), await freePort()]
  const [dnsPort, dnsManagementPort] = [await freePort(), await freePort()]
  const own = await selfSigned({ names: ['localhost'], addresses: ['127.0.0.1'], years: 1 })
  await Bun.write(join(directory, 'cert.pem'), own.certPem)
  await Bun.write(join(directory, 'key.pem'), own.keyPem)
  const config = {
    listenAddress: `127.0.0.1:${acmePort}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(directory, 'cert.pem'),
    privateKey: join(directory, 'key.pem'),
    httpPort,
    tlsPort: 1,
    externalAccountBindingRequired: false,
  }
  await Bun.write(join(directory, 'config.json'), JSON.stringify({ pebble: config }))
  const silent = { stdout: 'ignore', stderr: 'ignore' } as const
  const dnsAddress = `127.0.0.1:${dnsPort}`
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const management = ['-management', `127.0.0.1:${dnsManagementPort}`]
  const dns = Bun.spawn(['pebble-challtestsrv', ...off, ...management, '-dns01', dnsAddress], silent)
  const acme = Bun.spawn(['pebble', '-config', join(directory, 'config.json'), '-dnsserver', dnsAddress], {
    ...silent,
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', ...environment },
  })
  const tls = { ca: own.certPem }
  const directoryUrl = `https://127.0.0.1:${acmePort}/dir`
  const tell = async (path: string, body: object) => {
    const options = { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${dnsManagementPort}/${path}`, options)
    if (!answer.ok) throw new Error(`challtestsrv answered ${answer.status}`)
  }
  await answering(directoryUrl, { tls })
  await answering(`http://127.0.0.1:${dnsManagementPort}/`)
  return {
    directoryUrl,
    caPem: own.certPem,
    dnsAddress,
    rootPem: async () => (await fetch(`https://127.0.0.1:${managementPort}/roots/0`, { tls })).text(),
    setAddress: async (name, address) => {
      await tell('clear-a', { host: `${name}.` })
      await tell('add-a', { host: `${name}.`, addresses: [address] })
    },
    hang: () => acme.kill('SIGSTOP'),
    stop: async () => {
      acme.kill('SIGKILL')
      dns.kill()
      await Promise.all([acme.exited, dns.exited])
      await rm(directory, { recursive: true })
    },
  }
}

/** A real nginx that serves challenge files from `challenges` for every host name. */
export async function startNginx(
  port: number,
  directory: string,
  challenges: string,
): Promise<{ stop: () => Promise<void> }> {
  await mkdir(challenges, { recursive: true })
  const config = `daemon off; master_process off; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events {} http { access_log off; client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p;
fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
server { listen 127.0.0.1:${port}; location /.well-known/acme-challenge/ { alias ${challenges}/; default_type text/plain; }
location / { return 404; } } }`
  await Bun.write(join(directory, 'nginx.conf'), config)
  const argv = [
    'nginx',
    '-p',
    directory,
    '-c',
    join(directory, 'nginx.conf'),
    '-e',
    join(directory, 'error.log'),
  ]
  const child = Bun.spawn(argv, { stdout: 'ignore', stderr: 'ignore' })
  await answering(`http://127.0.0.1:${port}/`)
  return {
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** Waits until a server answers at all. */
export async function answering(url: string, options: BunFetchRequestInit = {}): Promise<void> {
  const asked = () => fetch(url, options).catch(() => null)
  await eventually(asked, `an answer of ${url}`)
}
