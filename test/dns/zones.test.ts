import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import zonesCron from '../../handlers/cron/zones.ts'
import type { Actor } from '../../lib/context.ts'
import { runCron } from '../../lib/cron.ts'
import { audit, jobs, zones } from '../../schema/tables.ts'
import { type Called, startPanel, type TestPanel } from './panel.ts'
import { dig, type RunningPdns, startPdns } from './pdns.ts'

let server: RunningPdns
let panel: TestPanel

beforeAll(async () => {
  server = await startPdns()
  panel = await startPanel(server)
  for (const cliente of ['acme', 'beta', 'gamma']) await done('POST /clientes', { body: { cliente } })
})
afterAll(async () => {
  await panel?.stop()
  await server?.stop()
})

/** A call that must succeed. */
async function done(operation: string, options?: Parameters<TestPanel['call']>[1]): Promise<Called> {
  const answer = await panel.call(operation, options)
  if (answer.status >= 300) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`)
  return answer
}

const newZone = (zona: string, cliente = 'acme') => done('POST /zonas', { body: { cliente, zona } })
const put = (zona: string, at: string, ...valores: string[]) =>
  panel.call(`PUT /zonas/${zona}/registros/${at}`, { body: { ttl: 300, valores } })
const short = (name: string, type: string) => dig(server, '+short', '-q', name, '-t', type)
const field = ({ body }: Called) => body.campos?.map(({ campo, codigo }) => `${campo} ${codigo}`).join()

describe('a zone', () => {
  test('is made from the template, published and shown', async () => {
    const { status, body, headers } = await newZone('made.es')
    expect([status, headers.location]).toEqual([201, '/api/zonas/made.es'])
    expect(body).toMatchObject({
      zona: 'made.es',
      cliente: 'acme',
      publicada: true,
      error: null,
      registros: 6,
      dnssec: { activo: false, ds: [] },
      espejo: null,
    })
    expect(String(body.serie)).toMatch(/^20\d{6}01$/)
    expect(await short('www.made.es', 'A')).toEqual(['192.0.2.1'])
    expect((await short('made.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns2.host.net.'])
    expect((await done('GET /zonas/made.es')).body).toEqual(body)
    const bare = await done('POST /zonas', { body: { cliente: 'acme', zona: 'bare.es', plantilla: 'vacia' } })
    expect(bare.body.registros).toBe(2)
  })

  test('has a name that is canonical, and that nobody else may have, nor above or below it', async () => {
    await newZone('Ñandú.es.')
    expect((await done('GET /zonas/ñandú.es')).body.zona).toBe('xn--and-6ma2c.es')
    await newZone('own.es')
    for (const zona of ['own.es', 'sub.own.es']) {
      const answer = await panel.call('POST /zonas', { body: { cliente: 'beta', zona } })
      expect([zona, answer.status, answer.body.codigo]).toEqual([zona, 409, 'dominio_ocupado'])
    }
    await newZone('deep.below.es')
    expect(
      (await panel.call('POST /zonas', { body: { cliente: 'beta', zona: 'below.es' } })).body.codigo,
    ).toBe('dominio_ocupado')
    expect((await panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'own.es' } })).body.codigo).toBe(
      'ya_existe',
    )
    for (const zona of [
      'com.es',
      'panel.host.net',
      'host.net',
      'ns1.host.net',
      '2.0.192.in-addr.arpa',
      'localhost',
      '192.0.2.1',
      'a..es',
      '*.es',
      'es',
    ]) {
      expect([zona, (await panel.call('POST /zonas', { body: { cliente: 'acme', zona } })).status]).toEqual([
        zona,
        422,
      ])
    }
    expect((await panel.call('POST /zonas', { body: { cliente: 'nobody', zona: 'x.es' } })).body.codigo).toBe(
      'cliente_no_existe',
    )
  })

  test('asked for by two clients at once goes to one', async () => {
    const wanted = Array.from({ length: 20 }, (_, at) =>
      panel.call('POST /zonas', { body: { cliente: at % 2 ? 'acme' : 'beta', zona: 'race.es' } }),
    )
    const answers = await Promise.all(wanted)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  })

  test('stays within the plan', async () => {
    await done('POST /planes', { body: { plan: 'one', zonas: 1 } })
    await done('POST /clientes/gamma/plan', { body: { plan: 'one' } })
    await newZone('first.es', 'gamma')
    const second = await panel.call('POST /zonas', { body: { cliente: 'gamma', zona: 'second.es' } })
    expect(second.body).toMatchObject({ codigo: 'limite_del_plan', recurso: 'zonas', limite: 1 })
    // A site does without a zone of its own then.
    expect((await done('POST /sitios', { body: { cliente: 'gamma', domain: 'second.es' } })).body.zona).toBe(
      null,
    )
    await done('POST /clientes/gamma/plan', { body: { plan: null } })
  })

  test('is listed by pages, filtered by client and prefix', async () => {
    for (const name of ['list1.es', 'list2.es', 'list3.es']) await newZone(name, 'beta')
    const first = (await done('GET /zonas?buscar=list&limite=2')).body
    expect(first).toMatchObject({
      datos: [{ zona: 'list1.es' }, { zona: 'list2.es' }],
      siguiente: 'list2.es',
    })
    expect((await done('GET /zonas?buscar=list&limite=2&desde=list2.es')).body).toMatchObject({
      datos: [{ zona: 'list3.es' }],
      siguiente: null,
    })
    expect((await done('GET /zonas?buscar=list&cliente=acme')).body.datos).toEqual([])
  })

  test('of another client is as one that does not exist, for everything', async () => {
    await newZone('mine.es', 'acme')
    const row = await panel.services.db.read.query.clients.findFirst({
      where: (t, { eq }) => eq(t.name, 'beta'),
    })
    const actor: Actor = {
      kind: 'session',
      id: 's1',
      role: 'client',
      personId: 'p1',
      email: 'b@beta.es',
      client: { id: row?.id ?? 0, name: 'beta', state: 'activo' },
      impersonator: null,
      expiresAt: new Date('2030-01-01'),
    }
    const body = { ttl: 300, valores: ['192.0.2.66'] }
    for (const operation of [
      'GET /zonas/mine.es',
      'DELETE /zonas/mine.es',
      'GET /zonas/mine.es/registros',
      'PUT /zonas/mine.es/registros/@/A',
      'DELETE /zonas/mine.es/registros/@/A',
      'GET /zonas/mine.es/exportar',
      'POST /zonas/mine.es/importar',
      'POST /zonas/mine.es/dnssec',
      'DELETE /zonas/mine.es/dnssec',
    ]) {
      const extra = operation.startsWith('PUT')
        ? { body }
        : operation.includes('importar')
          ? { file: 'a A 192.0.2.66' }
          : {}
      const answer = await panel.call(operation, { ...extra, actor })
      expect([operation, answer.status, answer.body.codigo]).toEqual([operation, 404, 'zona_no_existe'])
    }
    expect(
      (await panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'theirs.es' }, actor })).body.codigo,
    ).toBe('cliente_no_existe')
    const listed = (await done('GET /zonas?limite=200', { actor })).body.datos as { cliente: string }[]
    expect(new Set(listed.map(({ cliente }) => cliente))).toEqual(new Set(['beta']))
    expect((await done('PUT /zonas/list1.es/registros/own/A', { body, actor })).status).toBe(200)
  })

  test('deleted is answered no more, and may be made again at once', async () => {
    await newZone('again.es')
    expect((await done('DELETE /zonas/again.es')).body).toEqual({ zona: 'again.es', eliminado: true })
    expect((await panel.call('DELETE /zonas/again.es')).body.codigo).toBe('zona_no_existe')
    expect((await dig(server, 'again.es', 'SOA')).join()).toContain('REFUSED')
    await newZone('again.es', 'beta')
    expect(await short('again.es', 'A')).toEqual(['192.0.2.1'])
  })

  test('wanted again while its removal waits is served again', async () => {
    await newZone('waiting.es')
    await server.kill()
    const removing = await panel.call('DELETE /zonas/waiting.es')
    expect(removing.body).toEqual({ zona: 'waiting.es', estado: 'eliminando' })
    expect(
      (await panel.call('POST /zonas', { body: { cliente: 'beta', zona: 'waiting.es' } })).body.codigo,
    ).toBe('dominio_ocupado')
    await server.start()
    await newZone('waiting.es')
    panel.advance(60_000)
    await panel.worker.runDue()
    expect(await short('waiting.es', 'A')).toEqual(['192.0.2.1'])
    expect((await done('GET /zonas/waiting.es')).body).toMatchObject({ publicada: true, registros: 6 })
  }, 20_000)
})

describe('records', () => {
  beforeAll(() => newZone('rec.es'))

  test('are set, answered as they are served, and deleted', async () => {
    const answer = await put('rec.es', 'Mail/mx', '10 mx', '20 MX2.rec.es.')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        nombre: 'mail',
        tipo: 'MX',
        ttl: 300,
        valores: ['10 mx.rec.es.', '20 mx2.rec.es.'],
        origen: 'usuario',
      },
    })
    expect((await short('mail.rec.es', 'MX')).sort()).toEqual(['10 mx.rec.es.', '20 mx2.rec.es.'])
    const { body, headers } = await done('GET /zonas/rec.es/registros')
    expect(headers.etag).toBe(answer.headers.etag)
    expect(body.datos).toContainEqual({ ...answer.body })
    await done('DELETE /zonas/rec.es/registros/mail/MX')
    expect(await short('mail.rec.es', 'MX')).toEqual([])
    expect((await panel.call('DELETE /zonas/rec.es/registros/mail/MX')).body.codigo).toBe(
      'registro_no_existe',
    )
  })

  test('set to what they are change no serial and write nothing', async () => {
    await put('rec.es', 'same/A', '192.0.2.5', '192.0.2.6')
    const before = (await done('GET /zonas/rec.es')).body.serie
    const queued = (await panel.services.db.read.select().from(jobs)).length
    const again = await put('rec.es', 'SAME.rec.es./a', '192.0.2.6', '192.0.2.5', '192.0.2.6')
    expect(again.status).toBe(200)
    expect((await done('GET /zonas/rec.es')).body.serie).toBe(before)
    expect((await panel.services.db.read.select().from(jobs)).length).toBe(queued)
  })

  test('are changed only from the state that If-Match names', async () => {
    const tag = (await done('GET /zonas/rec.es/registros')).headers.etag ?? ''
    const change = (etag: string, value: string) =>
      panel.call('PUT /zonas/rec.es/registros/match/A', {
        body: { ttl: 60, valores: [value] },
        headers: { 'if-match': etag },
      })
    expect((await change(tag, '192.0.2.1')).status).toBe(200)
    const stale = await change(tag, '192.0.2.2')
    expect([stale.status, stale.body.codigo]).toEqual([412, 'version_distinta'])
    expect((await change('*', '192.0.2.3')).status).toBe(200)
    expect(
      (await panel.call('DELETE /zonas/rec.es/registros/match/A', { headers: { 'if-match': tag } })).status,
    ).toBe(412)
    expect(await short('match.rec.es', 'A')).toEqual(['192.0.2.3'])
  })

  test.each<[string, string[], string]>([
    ['a/A', ['nonsense'], 'valores.0 direccion_invalida'],
    ['a/A', [], 'valores sin_valores'],
    ['a/TXT', ['v=spf1 -all'], 'valores.0 texto_sin_comillas'],
    ['a/TXT', ['"a\nb"'], 'valores.0 texto_invalido'],
    ['a/LUA', ['A "1"'], 'tipo tipo_no_servido'],
    ['@/SOA', ['a. b. 1 2 3 4 5'], 'tipo tipo_gestionado'],
    ['@/CNAME', ['b'], 'tipo cname_con_otros'],
    ['www/CNAME', ['b'], 'tipo cname_con_otros'],
    ['other.org./A', ['192.0.2.1'], 'nombre nombre_fuera_de_zona'],
    ['a..b/A', ['192.0.2.1'], 'nombre nombre_invalido'],
    ['%0a/A', ['192.0.2.1'], 'nombre nombre_invalido'],
    ['a%2f..%2fb/A', ['192.0.2.1'], 'nombre nombre_invalido'],
  ])('%s with %p is 422, and the zone stays', async (at, values, refusal) => {
    const before = (await done('GET /zonas/rec.es')).body
    const answer = await put('rec.es', at, ...values)
    expect([answer.status, field(answer)]).toEqual([422, refusal])
    expect((await done('GET /zonas/rec.es')).body).toEqual(before)
  })

  test('a TTL that is none, and the deletion of the apex NS, are 422', async () => {
    for (const ttl of [0, 2 ** 31, 1.5, '300', null]) {
      const answer = await panel.call('PUT /zonas/rec.es/registros/a/A', {
        body: { ttl, valores: ['192.0.2.1'] },
      })
      expect([ttl, answer.status]).toEqual([ttl, 422])
    }
    expect(field(await panel.call('DELETE /zonas/rec.es/registros/@/NS'))).toBe('tipo ns_de_la_raiz')
    expect((await put('rec.es', '@/NS', 'ns1.host.net.', 'ns9.elsewhere.net.')).status).toBe(200)
    expect((await short('rec.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns9.elsewhere.net.'])
  })

  test('of names that another zone of this server answers for are refused, both ways round', async () => {
    await newZone('outer.es')
    await put('outer.es', 'x.inner/A', '192.0.2.1')
    expect(
      (await panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'inner.outer.es' } })).body.codigo,
    ).toBe('dominio_ocupado')
    await done('DELETE /zonas/outer.es/registros/x.inner/A')
    await newZone('inner.outer.es')
    expect(field(await put('outer.es', 'x.inner/A', '192.0.2.1'))).toBe('nombre nombre_en_otra_zona')
    expect((await put('outer.es', 'inner/NS', 'ns1.host.net.')).status).toBe(200)
  })

  test('changed by many at once are all there, and the serial counts them', async () => {
    await newZone('busy.es')
    const before = Number((await done('GET /zonas/busy.es')).body.serie)
    const changes = Array.from({ length: 120 }, (_, at) => put('busy.es', `h${at}/A`, `192.0.2.${at}`))
    expect((await Promise.all(changes)).every(({ status }) => status === 200)).toBe(true)
    await panel.worker.runDue()
    const { body } = await done('GET /zonas/busy.es')
    expect(body).toMatchObject({ publicada: true, registros: 126 })
    expect(Number(body.serie)).toBeGreaterThanOrEqual(before + 120)
    expect((await short('busy.es', 'SOA'))[0]).toContain(` ${body.serie} `)
    expect(await short('h119.busy.es', 'A')).toEqual(['192.0.2.119'])
  }, 30_000)
})

describe('zone files', () => {
  beforeAll(() => newZone('file.es'))

  test('what is exported is imported without a difference', async () => {
    await put('file.es', 'txt/TXT', '"semi;colon \\"quoted\\"" "ñ"')
    const file = String((await done('GET /zonas/file.es/exportar')).body)
    expect(file).toContain('$ORIGIN file.es.')
    expect((await done('POST /zonas/file.es/importar', { file })).body).toEqual({
      anadidos: 0,
      cambiados: 0,
      borrados: 0,
      rechazados: [],
    })
  })

  test('an import replaces the zone but for its NS and SOA; a simulation changes nothing', async () => {
    const before = (await done('GET /zonas/file.es')).body
    const file = '$TTL 1h\n@ SOA a. b. 1 2 3 4 5\n@ NS ns1.foreign.net.\n@ A 192.0.2.50\nnew 300 TXT "x"\n'
    const simulated = (await done('POST /zonas/file.es/importar?simular=si', { file })).body
    expect(simulated).toEqual({ anadidos: 1, cambiados: 1, borrados: 4, rechazados: [] })
    expect((await done('GET /zonas/file.es')).body).toEqual(before)
    expect((await done('POST /zonas/file.es/importar', { file })).body).toEqual(simulated)
    expect(await short('file.es', 'A')).toEqual(['192.0.2.50'])
    expect(await short('www.file.es', 'A')).toEqual([])
    expect((await short('file.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns2.host.net.'])
  })

  test('one refused line refuses all of it, and is told', async () => {
    const before = (await done('GET /zonas/file.es/registros')).body
    const { body } = await done('POST /zonas/file.es/importar', {
      file: 'ok A 192.0.2.1\n$INCLUDE /etc/passwd\nbad A x\n',
    })
    expect(body).toMatchObject({
      anadidos: 0,
      cambiados: 0,
      borrados: 0,
      rechazados: [{ linea: 2 }, { linea: 3 }],
    })
    expect((await done('GET /zonas/file.es/registros')).body).toEqual(before)
    expect(
      (await panel.call('POST /zonas/file.es/importar', { file: Uint8Array.of(97, 32, 65, 32, 0xff) }))
        .status,
    ).toBe(422)
    expect((await panel.call('POST /zonas/file.es/importar', { body: {} })).status).toBe(415)
  })
})

describe('signing', () => {
  test('answers the DS once signed, again the same, and none when it ends', async () => {
    await newZone('dnssec.es')
    const on = (await done('POST /zonas/dnssec.es/dnssec')).body.dnssec as { activo: boolean; ds: string[] }
    expect([on.activo, on.ds.length]).toEqual([true, 2])
    expect((await done('POST /zonas/dnssec.es/dnssec')).body.dnssec).toEqual(on)
    await put('dnssec.es', 'new/A', '192.0.2.1')
    expect((await dig(server, '+dnssec', '+short', 'new.dnssec.es', 'A')).join()).toContain(
      ` ${on.ds[0]?.split(' ')[0]} dnssec.es. `,
    )
    expect((await done('DELETE /zonas/dnssec.es/dnssec')).body.dnssec).toEqual({ activo: false, ds: [] })
    expect((await dig(server, '+dnssec', '+short', 'www.dnssec.es', 'A')).join()).toBe('192.0.2.1')
  })
})

describe('a site', () => {
  const site = (domain: string, cliente = 'acme') => done('POST /sitios', { body: { cliente, domain } })

  test('brings its zone and takes it along', async () => {
    expect((await site('shop.es')).body).toMatchObject({ domain: 'shop.es', zona: 'shop.es' })
    expect(await short('www.shop.es', 'AAAA')).toEqual(['2001:db8::1'])
    await done('DELETE /sitios/shop.es')
    expect((await panel.call('GET /zonas/shop.es')).status).toBe(404)
    expect((await dig(server, 'shop.es', 'SOA')).join()).toContain('REFUSED')
    expect((await site('shop.es')).body.zona).toBe('shop.es')
  })

  test('inside a zone of the client brings none', async () => {
    await newZone('covering.es')
    expect((await site('blog.covering.es')).body.zona).toBe('covering.es')
    expect((await panel.call('GET /zonas/blog.covering.es')).status).toBe(404)
    await done('DELETE /sitios/blog.covering.es')
    expect((await panel.call('GET /zonas/covering.es')).status).toBe(200)
  })

  test('leaves its zone behind when the customer changed it, or another site has its name there', async () => {
    await site('kept.es')
    await put('kept.es', '@/MX', '10 mail.elsewhere.net.')
    await done('DELETE /sitios/kept.es')
    expect(await short('kept.es', 'MX')).toEqual(['10 mail.elsewhere.net.'])
    await site('shared.es')
    await site('blog.shared.es')
    await done('DELETE /sitios/shared.es')
    expect((await panel.call('GET /zonas/shared.es')).status).toBe(200)
  })

  test('and zones go with their client', async () => {
    await done('POST /clientes', { body: { cliente: 'leaving' } })
    await site('leaving.es', 'leaving')
    await newZone('leaving-too.es', 'leaving')
    await done('DELETE /clientes/leaving')
    for (const name of ['leaving.es', 'leaving-too.es']) {
      expect((await dig(server, name, 'SOA')).join()).toContain('REFUSED')
      await newZone(name, 'beta')
    }
  })
})

describe('faults and audit', () => {
  test('with the DNS server down a change is kept, shown as unpublished, and published later', async () => {
    await newZone('later.es')
    await server.kill()
    expect((await put('later.es', 'a/A', '192.0.2.1')).status).toBe(200)
    expect((await done('GET /zonas/later.es')).body).toMatchObject({ publicada: false })
    await server.start()
    panel.advance(3_600_000)
    await panel.worker.runDue()
    expect((await done('GET /zonas/later.es')).body).toMatchObject({ publicada: true, error: null })
    expect(await short('a.later.es', 'A')).toEqual(['192.0.2.1'])
  }, 20_000)

  test('the daily audit brings back what the DNS server lost, keys included, and removes what is nobody’s', async () => {
    await newZone('lost.es')
    await done('POST /zonas/lost.es/dnssec')
    const { driver } = panel.services
    await driver?.removeZone('lost.es', (_, run) => run())
    const stray = {
      name: 'stray.es',
      serial: 1,
      soa: { mname: 'a.es.', rname: 'b.es.', refresh: 1, retry: 1, expire: 1, minimum: 60 },
    }
    await driver?.publishZone(
      { ...stray, rrsets: [{ name: '@', type: 'NS', ttl: 60, values: ['a.es.'] }] },
      (_, run) => run(),
    )
    await runCron(panel.services, zonesCron.job)
    await panel.worker.runDue()
    const row = await panel.services.db.read.select().from(zones).where(eq(zones.name, 'lost.es')).get()
    const signature = (await dig(server, '+dnssec', '+short', 'lost.es', 'A')).join()
    expect(signature).toContain(` ${row?.ds[0]?.split(' ')[0]} lost.es. `)
    expect((await dig(server, 'stray.es', 'SOA')).join()).toContain('REFUSED')
  })

  test('every change is in the audit trail with its client and target', async () => {
    await newZone('told.es')
    await put('told.es', 'a/A', '192.0.2.1')
    await put('told.es', 'a/A', 'nonsense')
    const rows = await panel.services.db.read.select().from(audit).where(eq(audit.target, 'told.es'))
    expect(rows.map(({ operation, clientName, outcome }) => [operation, clientName, outcome])).toEqual([
      ['POST /zonas', 'acme', 'hecho'],
      ['PUT /zonas/<zona>/registros/<nombre>/<tipo>', 'acme', 'hecho'],
      ['PUT /zonas/<zona>/registros/<nombre>/<tipo>', 'acme', 'datos_invalidos'],
    ])
  })

  test.each([
    ['zona.publicar', 'dns.publicar'],
    ['zona.publicar', 'commit'],
    ['zona.firmar', 'dns.firmar'],
    ['zona.eliminar', 'dns.retirar'],
    ['zona.eliminar', 'commit'],
    ['zonas.auditar', 'dns.auditar'],
  ])('%s that ends before or after %s is brought to its end when it is tried again', async (kind, step) => {
    for (const phase of ['before', 'after'] as const) {
      const name = `${kind}-${step}-${phase}.es`.replaceAll('.', '-').replace(/-es$/, '.es')
      panel.failAt = { kind, step, phase }
      await panel.call('POST /zonas', { body: { cliente: 'acme', zona: name } })
      await panel.call(`POST /zonas/${name}/dnssec`)
      if (kind === 'zona.eliminar') await panel.call(`DELETE /zonas/${name}`)
      if (kind === 'zonas.auditar') await runCron(panel.services, zonesCron.job)
      await panel.worker.runDue()
      expect(panel.failAt === null).toBe(true)
      panel.advance(3_600_000)
      await panel.worker.runDue()
      const served = (await dig(server, '+dnssec', '+short', name, 'A')).join()
      const shown = await panel.call(`GET /zonas/${name}`)
      if (kind === 'zona.eliminar') expect([served, shown.status]).toEqual(['', 404])
      else {
        expect(shown.body).toMatchObject({ publicada: true, error: null, dnssec: { activo: true } })
        expect(served.split(',').sort()).toEqual(['192.0.2.1', expect.stringMatching(/^A 13 2 /)])
      }
    }
  })
})
