import { randomBytes, randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { type PdnsService, pdnsService } from '../../deploy/node/dns/service.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { freePort } from '../support/ports.ts'

/** A real server with a directory of its own, on a loopback address of its own. */
export type RunningPdns = {
  service: PdnsService
  address: string
  port: number
  apiKey: Secret
  directory: string
  pid(): number
  log(): Promise<string>
  /** Ends the process by force; `start` brings it back on the same data. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Where to ask. */
export type NameServer = { address: string; port: number }

/** Starts a server as the service supervisor would, and waits until it answers. */
export async function startPdns(): Promise<RunningPdns> {
  const address = `127.${randomInt(1, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`
  const directory = await mkdtemp(`${tmpdir()}/pdns-test-`)
  await chmod(directory, 0o711)
  const [port, apiPort] = [await freePort(address), await freePort(address)]
  const apiKey = new Secret(randomBytes(32).toString('hex'))
  const user = process.getuid?.() === 0 ? { user: 'pdns' } : {}
  const service = pdnsService({
    directory: `${directory}/dns`,
    addresses: [address],
    port,
    apiPort: { current: () => apiPort, renew: async () => undefined },
    apiAddress: address,
    apiKey: { current: () => apiKey, renew: () => undefined },
    ...user,
  })
  const logFile = `${directory}/log`
  let child: Bun.Subprocess | undefined
  const start = async () => {
    child = Bun.spawn(service.argv, { stdout: Bun.file(logFile), stderr: Bun.file(logFile) })
    for (let tries = 0; !(await service.ready()); tries++) {
      if (child.exitCode !== null || tries > 400) throw new Error(await Bun.file(logFile).text())
      await Bun.sleep(25)
    }
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  await service.check()
  for (const file of service.files) await writeFile(file.path, file.content, { mode: file.mode })
  await start()
  return {
    service,
    address,
    port,
    apiKey,
    directory: `${directory}/dns`,
    pid: () => child?.pid ?? -1,
    log: () => Bun.file(logFile).text(),
    kill,
    start,
    stop: async () => {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** What `dig` says, one line an answer; `options` as dig takes them. */
export async function dig(server: NameServer, ...options: string[]): Promise<string[]> {
  const where = [`@${server.address}`, '-p', String(server.port), '+time=2', '+tries=2']
  const child = Bun.spawn(['dig', ...where, ...options], { stdout: 'pipe', stderr: 'pipe' })
  const text = await new Response(child.stdout).text()
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** The wire forms, in hexadecimal, of the data answered for a name and type. */
export async function wireAnswers(server: NameServer, name: string, type: string): Promise<string[]> {
  const lines = await dig(
    server,
    '+tcp',
    '+norec',
    '+unknownformat',
    '+noall',
    '+answer',
    '+authority',
    '-q',
    name,
    '-t',
    type,
  )
  // A name without the type gets its zone's SOA in the authority section.
  const own = lines.filter((line) => line.split(/\s/)[0] === `${name.toLowerCase()}.`)
  return own
    .map((line) => (/\\# \d+ ?(.*)$/.exec(line)?.[1] ?? line).replaceAll(' ', '').toLowerCase())
    .sort()
}
