import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalRdata } from '../../lib/dns/rdata.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { type Answer, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { dig, type NameServer, wireAnswers } from './pdns.ts'

let panel: Panel
let server: NameServer
let bearer: string

beforeAll(async () => {
  panel = await Panel.start({
    env: { PANEL_IPS: '192.0.2.1,2001:db8::1', PANEL_NS: 'ns1.host.net,ns2.host.net' },
  })
  server = { address: '127.0.0.1', port: panel.dnsPort }
  bearer = await newToken(panel, await firstAdmin(panel))
  await done('POST', '/clientes', { cliente: 'acme' })
}, 60_000)
afterAll(async () => {
  await panel?.stop()
  if (panel) await rm(directory(), { recursive: true, force: true })
}, 60_000)

const call = (method: string, path: string, body?: unknown) => panel.api(method, path, { bearer, body })

async function done(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer
}

const short = (name: string, type: string) => dig(server, '+short', '-q', name, '-t', type)

/** Sends as many questions for names that nobody asked for before as it can, and waits for no answer. */
const FLOOD = `use Socket; my ($address, $port) = @ARGV; socket my $out, PF_INET, SOCK_DGRAM, 0;
connect $out, sockaddr_in($port, inet_aton($address));
for my $n (1 .. 150_000) {
  send $out, pack('n6', $n & 65535, 256, 1, 0, 0, 0) . chr(9) . sprintf('x%08d', $n * 2 + $$ % 2) . "\\6tienda\\2es\\0\\0\\1\\0\\1", 0;
}`

describe('the running panel', () => {
  test('answers for a new site, and for what its customer sets', async () => {
    expect((await done('POST', '/sitios', { cliente: 'acme', domain: 'tienda.es' })).body.zona).toBe(
      'tienda.es',
    )
    expect(await short('www.tienda.es', 'A')).toEqual(['192.0.2.1'])
    await done('PUT', '/zonas/tienda.es/registros/@/MX', { ttl: 300, valores: ['10 mail'] })
    expect(await short('tienda.es', 'MX')).toEqual(['10 mail.tienda.es.'])
    expect((await done('GET', '/zonas/tienda.es')).body).toMatchObject({ publicada: true, error: null })
  })

  test('leaves out what it cannot answer of a flood, and does not end of it', async () => {
    const argv = ['perl', '-e', FLOOD, server.address, String(server.port)]
    await Promise.all([1, 2, 3].map(() => Bun.spawn(argv).exited))
    await eventually(async () => (await short('www.tienda.es', 'A'))[0] === '192.0.2.1', 'an answer', 10_000)
    expect(panel.log).not.toMatch(/ended and is started again|respawning/)
  }, 60_000)

  const hostile: [string, string][] = [
    ['TXT', '"quote \\" backslash \\\\ newline \\010 zero \\000"'],
    ['TXT', '"$INCLUDE /etc/passwd"'],
    ['TXT', '"<img src=x onerror=alert(1)> \u202e ñ 日本"'],
    ['TXT', '"v=DKIM1; k=rsa; p=AAAA"'],
    ['TXT', `"${'x'.repeat(255)}"`],
    ['TXT', `"${'x'.repeat(256)}"`],
    ['TXT', `"${'x'.repeat(4096)}"`],
    ['TXT', '"raw \n newline"'],
    ['TXT', '"unclosed'],
    ['TXT', 'two words'],
    ['TXT', '"lone \ud800 surrogate"'],
    ['LUA', 'A "os.execute(\'id\')"'],
    ['SOA', 'a. b. 1 2 3 4 5'],
    ['NSEC', 'a. A'],
    ['TYPE65400', '\\# 1 00'],
    ['CNAME', 'a\\.b.es.'],
    ['MX', '10 $(id)'],
    ['CAA', '0 issue "; x=\\"y\\""'],
    ['A', '192.0.2.1; rm -rf'],
  ]
  test.each(hostile)('%s %s is answered exactly as stored, or refused', async (type, value) => {
    const name = 'h'.padEnd(1 + (hostile.findIndex((one) => one[1] === value) % 40), 'x')
    const path = `/zonas/tienda.es/registros/${name}/${type}`
    const answer = await call('PUT', path, { ttl: 300, valores: [value] })
    expect([200, 422]).toContain(answer.status)
    const stored: string[] = answer.status === 200 ? answer.body.valores : []
    const served = await wireAnswers(server, `${name}.tienda.es`, type)
    const wires = stored.map((one) =>
      Buffer.from(canonicalRdata(type, one, 'tienda.es').wire).toString('hex'),
    )
    expect(served).toEqual(wires)
  })

  test('killed, its names are answered on; started again, what somebody changed is put right', async () => {
    const audits = async () => {
      const { body } = await done('GET', '/tareas?limite=200&estado=hecha')
      return body.datos.filter((job: { tipo: string }) => job.tipo === 'zonas.auditar').length
    }
    // That of the start before is done already.
    const before = await audits()
    await panel.kill()
    expect(await short('www.tienda.es', 'A')).toEqual(['192.0.2.1'])
    await tamper('www.tienda.es.', '203.0.113.9')
    expect(await short('www.tienda.es', 'A')).toEqual(['203.0.113.9'])
    await panel.up()
    await eventually(async () => (await audits()) > before, 'the audit at the start')
    expect(await short('www.tienda.es', 'A')).toEqual(['192.0.2.1'])
    await done('DELETE', '/sitios/tienda.es')
    expect(await short('tienda.es', 'MX')).toEqual(['10 mail.tienda.es.'])
    await done('DELETE', '/clientes/acme')
    expect((await dig(server, 'tienda.es', 'SOA')).join()).toContain('REFUSED')
  }, 60_000)

  test('a server that hangs is ended and started again at the first try, and answers as before', async () => {
    await done('POST', '/clientes', { cliente: 'sigue' })
    await done('POST', '/sitios', { cliente: 'sigue', domain: 'sigue.es' })
    const marked = `pdns_server --config-dir=${directory()}`
    const [hung = 0] = Bun.spawnSync(['pgrep', '-f', marked]).stdout.toString().split('\n').map(Number)
    process.kill(hung, 'SIGSTOP')
    await eventually(async () => !existsSync(`/proc/${hung}`), 'its end')
    await eventually(async () => (await short('sigue.es', 'A')).length === 1, 'an answer')
    const told = panel.log.split('\n').filter((line) => line.includes('"service":"pdns"'))
    expect(told.map((line) => JSON.parse(line).reason)).toEqual(['it no longer answers and is started again'])
  }, 60_000)

  test('the daily comparison can be run by hand', async () => {
    const { status, lines } = await panel.command('cron', 'zonas')
    expect([status, lines.length]).toEqual([0, 1])
  })
})

describe('the settings of what zones publish', () => {
  let settled: Panel
  let own: NameServer
  let admin: string
  beforeAll(async () => {
    settled = await Panel.start({ env: { PANEL_IPS: '192.0.2.1', PANEL_NS: 'ns1.host.net' } })
    own = { address: '127.0.0.1', port: settled.dnsPort }
    admin = await newToken(settled, await firstAdmin(settled))
    await create('first.es')
  }, 60_000)
  afterAll(() => settled?.stop(), 60_000)

  const create = async (domain: string) => {
    const body = { cliente: domain.replace('.', '-'), correo: `a@${domain}`, domain, enviar: false }
    const { status } = await settled.api('PUT', `/altas/${domain}`, { bearer: admin, body })
    expect(status).toBe(201)
  }
  const asked = (name: string, type: string) => dig(own, '+short', '-q', name, '-t', type)
  const told = async () => {
    const { body } = await settled.api('GET', '/nodos', {
      bearer: admin,
      headers: { 'accept-language': 'en' },
    })
    const [node] = body.datos
    const advice = (name: string) =>
      node.servicios.find(({ servicio }: { servicio: string }) => servicio === name)?.consejo ?? null
    return { node, addresses: advice('direcciones'), servers: advice('servidores_dns') }
  }

  test('reach the zones that there are at the next start', async () => {
    expect(await asked('first.es', 'A')).toEqual(['192.0.2.1'])
    await settled.kill()
    await settled.up({ PANEL_IPS: '192.0.2.50', PANEL_NS: 'ns7.host.net' })
    await eventually(
      async () => (await asked('first.es', 'A')).join() === '192.0.2.50',
      'the new address in the zone',
    )
    expect(await asked('first.es', 'NS')).toEqual(['ns7.host.net.'])
    expect(await told()).toMatchObject({ addresses: null, servers: null })
  }, 60_000)

  test('left out, on a machine without a public address or name, publish neither, and that is told', async () => {
    await settled.kill()
    Object.assign(settled.env, { PANEL_IPS: '', PANEL_NS: '' })
    await settled.up()
    await create('second.es')
    expect(await asked('second.es', 'A')).toEqual([])
    expect(await asked('second.es', 'AAAA')).toEqual([])
    expect(await asked('second.es', 'NS')).toEqual(['ns1.second.es.'])
    const { node, addresses, servers } = await told()
    expect([node.direcciones, node.servidores_dns]).toEqual([[], []])
    expect([addresses, servers]).toEqual([
      expect.stringContaining('PANEL_IPS'),
      expect.stringContaining('PANEL_NS'),
    ])
    const doctor = await settled.command('doctor')
    const advice = doctor.lines[0].map(({ consejo }: { consejo: string | null }) => consejo ?? '').join()
    expect([advice.includes('PANEL_IPS'), advice.includes('PANEL_NS')]).toEqual([true, true])
  }, 60_000)
})

/** Changes a record behind the panel's back, with the key that the node keeps. */
async function tamper(name: string, address: string): Promise<void> {
  const [port, key] = await Promise.all(
    ['puerto', 'clave'].map((file) => readFile(join(directory(), file), 'utf8')),
  )
  const records = [{ content: address, disabled: false }]
  const rrsets = [{ name, type: 'A', ttl: 60, changetype: 'REPLACE', records }]
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/servers/localhost/zones/tienda.es.`, {
    method: 'PATCH',
    headers: { 'X-API-Key': key ?? '' },
    body: JSON.stringify({ rrsets }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Where the node keeps its name server: below the data directory, or beside it where users cannot pass. */
function directory(): string {
  const below = join(panel.dataDir, 'dns')
  const mark = Buffer.from(sha256(panel.dataDir).slice(0, 4)).toString('hex')
  return existsSync(below) ? below : `/srv/controlpanel-${mark}-dns`
}
