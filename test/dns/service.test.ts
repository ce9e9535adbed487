import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { type PdnsOptions, renderPdnsConf } from '../../deploy/node/dns/config.ts'
import { powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { apiKeyIn } from '../../deploy/node/dns/key.ts'
import { dnsNode } from '../../deploy/node/dns/node.ts'
import { dnsAddresses } from '../../deploy/node/dns/service.ts'
import { soaOf } from '../../lib/dns/template.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { run, set, zone } from './desired.ts'
import { dig, type RunningPdns, startPdns } from './pdns.ts'

let server: RunningPdns
beforeAll(async () => {
  server = await startPdns()
})
afterAll(() => server?.stop())

const options = {
  directory: '/srv/dns',
  addresses: ['127.0.0.1'],
  port: 53,
  apiPort: 8081,
  apiKey: new Secret('k'),
}

describe('the configuration', () => {
  test.each<Partial<PdnsOptions>>([
    { directory: '/srv/d\nns' },
    { directory: '/srv/dns#x' },
    { directory: '/srv/dns\\' },
    { addresses: [] },
    { addresses: ['0.0.0.0\nenable-lua-records=yes'] },
    { addresses: ['ns1.example.es'] },
    { apiAddress: '0.0.0.0' },
    { apiAddress: '192.0.2.1' },
    { apiKey: new Secret('a\nb') },
    { user: 'root\nsetgid=root' },
    { port: 0 },
    { apiPort: 70_000 },
  ])('%p is refused', (wrong) => expect(() => renderPdnsConf({ ...options, ...wrong })).toThrow())

  test('without addresses all of the machine are answered, except a local resolver', () => {
    expect(dnsAddresses(['192.0.2.1'])).toEqual(['192.0.2.1'])
    const found = dnsAddresses([])
    expect(found).toContain('127.0.0.1')
    expect(found.filter((address) => /^127\.0\.0\.5[34]$|^fe80/.test(address))).toEqual([])
  })
})

describe('the running server', () => {
  test('does not run as root, and its key is readable by root alone', async () => {
    const status = await readFile(`/proc/${server.pid()}/status`, 'utf8')
    expect(status).not.toMatch(/^Uid:\s+0\b/m)
    expect((await stat(`${server.directory}/pdns.conf`)).mode & 0o777).toBe(0o600)
    expect((await stat(server.directory)).mode & 0o777).toBe(0o711)
    expect((await stat(`${server.directory}/datos`)).mode & 0o777).toBe(0o700)
    if (process.getuid?.() === 0) expect((await stat(server.directory)).uid).toBe(0)
  })

  test('tells nothing about itself, transfers nothing, recurses for nobody', async () => {
    for (const name of ['version.bind', 'version.pdns'])
      expect([name, ...(await dig(server, '+short', name, 'CH', 'TXT'))]).toEqual([name, '"none"'])
    for (const name of ['id.server', 'hostname.bind'])
      expect((await dig(server, name, 'CH', 'TXT')).join()).toMatch(/status: REFUSED.*ANSWER: 0/)
    await powerDnsDriver({ url: server.service.apiUrl, apiKey: () => server.apiKey }).publishZone(
      {
        name: 'axfr.es',
        serial: 1,
        soa: soaOf('axfr.es', ['ns1.host.net']),
        rrsets: [{ name: '@', type: 'NS', ttl: 60, values: ['ns1.host.net.'] }],
      },
      (_, work) => work(),
    )
    expect((await dig(server, 'axfr.es', 'AXFR')).join()).toContain('Transfer failed')
    expect((await dig(server, 'example.org', 'A')).join()).toContain('REFUSED')
  })

  test('answers nothing over HTTP without its key, not even its status page', async () => {
    for (const path of [
      '/',
      '/metrics',
      '/api',
      '/api/v1/servers/localhost/zones',
      '/api/v1/servers/localhost/config',
    ]) {
      const answer = await fetch(server.service.apiUrl() + path, { headers: { 'X-API-Key': 'guess' } })
      expect([path, answer.status]).toEqual([path, 401])
      expect(await answer.text()).not.toMatch(/4\.7/)
    }
  })

  test('killed and started again, it serves what was acknowledged', async () => {
    const driver = powerDnsDriver({ url: server.service.apiUrl, apiKey: () => server.apiKey })
    const zone = {
      name: 'kept.es',
      serial: 7,
      soa: soaOf('kept.es', ['ns1.host.net']),
      rrsets: [{ name: '@', type: 'NS', ttl: 60, values: ['ns1.host.net.'] }],
    }
    await driver.publishZone(zone, (_, work) => work())
    await server.kill()
    expect(await server.service.ready()).toBe(false)
    await server.service.check()
    await server.start()
    expect((await dig(server, '+short', 'kept.es', 'SOA'))[0]).toContain(' 7 ')
    expect(await driver.publishZone(zone, (_, work) => work())).toEqual({ serial: 7 })
  })
})

test('killed and started again amid writes, it answers nothing but what it holds of a zone', async () => {
  const own = await startPdns()
  const driver = powerDnsDriver({ url: own.service.apiUrl, apiKey: () => own.apiKey })
  await driver.publishZone(zone('kept.es', 7, set('@', 'A', '192.0.2.7')), run)
  const seen = new Set<string>()
  let asked = 0
  const socket = createSocket('udp4').on('message', (answer) => {
    asked++
    seen.add(`code ${(answer[3] ?? 15) & 15}, ${answer.readUInt16BE(6)} answers`)
  })
  // An id, one question: kept.es, A, IN.
  const question = Buffer.from(
    '123400000001000000000000046b65707402657300 0001 0001'.replaceAll(' ', ''),
    'hex',
  )
  const asking = setInterval(() => socket.send(question, own.port, own.address), 1)
  let made = 0
  const writing = { on: true }
  const writer = (async () => {
    while (writing.on) {
      await driver.publishZone(zone(`z${made}.es`, 1), run).then(
        () => made++,
        () => Bun.sleep(1),
      )
    }
  })()
  try {
    for (let round = 0; round < 8; round++) {
      const [before, madeBefore] = [asked, made]
      await until(async () => asked > before + 20 && made > madeBefore)
      await own.kill()
      await own.start()
    }
  } finally {
    writing.on = false
    clearInterval(asking)
    await writer
    socket.close()
    await own.stop()
  }
  expect([...seen]).toEqual(['code 0, 1 answers'])
}, 60_000)

test('the key is made once, by however many ask at once, and a damaged one is not used', async () => {
  const directory = await mkdtemp(`${tmpdir()}/pdns-key-`)
  try {
    const ask = `import { apiKeyIn } from '${import.meta.dir}/../../deploy/node/dns/key.ts'
      process.stdout.write(apiKeyIn('${directory}/key').current().reveal())`
    const processes = Array.from({ length: 5 }, () => Bun.spawn([process.execPath, '-e', ask]))
    const keys = await Promise.all(processes.map(({ stdout }) => new Response(stdout).text()))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect((await stat(`${directory}/key`)).mode & 0o777).toBe(0o600)
    await Bun.write(`${directory}/bad`, 'short')
    expect(() => apiKeyIn(`${directory}/bad`).current()).toThrow('damaged')
    const key = apiKeyIn(`${directory}/key`)
    key.renew()
    expect([key.current().reveal(), keys].flat().filter((one) => one === keys[0])).toHaveLength(5)
    expect((await stat(`${directory}/key`)).mode & 0o777).toBe(0o600)
    expect((await readdir(directory)).sort()).toEqual(['bad', 'key'])
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('a server that outlived the panel is found again on its port, and a port that was taken is changed', async () => {
  const directory = await mkdtemp(`${tmpdir()}/pdns-node-`)
  const holder = createServer()
  let child: Bun.Subprocess | undefined
  try {
    await chmod(directory, 0o711)
    const options = { directory: `${directory}/dns`, bind: [server.address], port: server.port + 1 }
    const first = await dnsNode(options)
    await first.service.check()
    for (const file of first.service.files) await writeFile(file.path, file.content, { mode: file.mode })
    const again = await dnsNode(options)
    expect(again.service.files).toEqual(first.service.files)
    child = Bun.spawn(again.service.argv, { stdout: 'ignore', stderr: 'ignore' })
    await until(() => again.service.ready())
    expect(await again.driver.version()).toMatch(/^4\./)
    expect((await dnsNode(options)).service.files).toEqual(first.service.files)
    child.kill('SIGKILL')
    await child.exited
    const lost = first.service.apiUrl()
    await again.service.renew()
    expect(again.service.apiUrl()).toBe(lost)
    await new Promise<void>((resolve) => holder.listen(Number(new URL(lost).port), '127.0.0.1', resolve))
    await again.service.renew()
    expect(again.service.apiUrl()).not.toBe(lost)
    expect((await dnsNode(options)).service.apiUrl()).toBe(again.service.apiUrl())
  } finally {
    child?.kill('SIGKILL')
    holder.close()
    await rm(directory, { recursive: true })
  }
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 400) throw new Error('it did not come about')
    await Bun.sleep(25)
  }
}
