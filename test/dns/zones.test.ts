import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dig } from './pdns.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

describe('a zone', () => {
  test('is made from the template, published and shown', async () => {
    const { status, body, headers } = await world.newZone('made.es')
    expect([status, headers.location]).toEqual([201, '/api/zonas/made.es'])
    expect(body).toMatchObject({
      zona: 'made.es',
      cliente: 'acme',
      publicada: true,
      error: null,
      registros: 4,
      dnssec: { activo: false, ds: [] },
      espejo: null,
    })
    expect(String(body.serie)).toMatch(/^20\d{6}01$/)
    expect(await world.short('made.es', 'A')).toEqual(['192.0.2.1'])
    // No site is served under that name.
    expect(await world.short('www.made.es', 'A')).toEqual([])
    expect((await world.short('made.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns2.host.net.'])
    expect((await world.done('GET /zonas/made.es')).body).toEqual(body)
    const bare = await world.done('POST /zonas', {
      body: { cliente: 'acme', zona: 'bare.es', plantilla: 'vacia' },
    })
    expect(bare.body.registros).toBe(2)
  })

  test('has a name that is canonical, and that nobody else may have, nor above or below it', async () => {
    await world.newZone('Ñandú.es.')
    expect((await world.done('GET /zonas/ñandú.es')).body.zona).toBe('xn--and-6ma2c.es')
    await world.newZone('own.es')
    for (const zona of ['own.es', 'sub.own.es']) {
      const answer = await world.panel.call('POST /zonas', { body: { cliente: 'beta', zona } })
      expect([zona, answer.status, answer.body.codigo]).toEqual([zona, 409, 'dominio_ocupado'])
    }
    await world.newZone('deep.below.es')
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'beta', zona: 'below.es' } })).body.codigo,
    ).toBe('dominio_ocupado')
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'own.es' } })).body.codigo,
    ).toBe('ya_existe')
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
      expect([
        zona,
        (await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona } })).status,
      ]).toEqual([zona, 422])
    }
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'nobody', zona: 'x.es' } })).body.codigo,
    ).toBe('cliente_no_existe')
  })

  test('asked for by two clients at once goes to one', async () => {
    const wanted = Array.from({ length: 20 }, (_, at) =>
      world.panel.call('POST /zonas', { body: { cliente: at % 2 ? 'acme' : 'beta', zona: 'race.es' } }),
    )
    const answers = await Promise.all(wanted)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  })

  test('stays within the plan', async () => {
    await world.done('POST /clientes', { body: { cliente: 'gamma' } })
    await world.done('POST /planes', { body: { plan: 'one', zonas: 1 } })
    await world.done('POST /clientes/gamma/plan', { body: { plan: 'one' } })
    await world.newZone('first.es', 'gamma')
    const second = await world.panel.call('POST /zonas', { body: { cliente: 'gamma', zona: 'second.es' } })
    expect(second.body).toMatchObject({ codigo: 'limite_del_plan', recurso: 'zonas', limite: 1 })
    // A site does without a zone of its own then.
    expect(
      (await world.done('POST /sitios', { body: { cliente: 'gamma', domain: 'second.es' } })).body.zona,
    ).toBe(null)
    await world.done('POST /clientes/gamma/plan', { body: { plan: null } })
  })

  test('is listed by pages, filtered by client and prefix', async () => {
    for (const name of ['list1.es', 'list2.es', 'list3.es']) await world.newZone(name, 'beta')
    const first = (await world.done('GET /zonas?buscar=list&limite=2')).body
    expect(first).toMatchObject({
      datos: [{ zona: 'list1.es' }, { zona: 'list2.es' }],
      siguiente: 'list2.es',
    })
    expect((await world.done('GET /zonas?buscar=list&limite=2&desde=list2.es')).body).toMatchObject({
      datos: [{ zona: 'list3.es' }],
      siguiente: null,
    })
    expect((await world.done('GET /zonas?buscar=list&cliente=acme')).body.datos).toEqual([])
  })

  test('of another client looks like one that does not exist, to every operation', async () => {
    await world.newZone('mine.es', 'acme')
    const bearer = await world.panel.customerOf('beta')
    const body = { ttl: 300, valores: ['192.0.2.66'] }
    for (const operation of [
      'GET /zonas/mine.es',
      'DELETE /zonas/mine.es',
      'GET /zonas/mine.es/registros',
      'PUT /zonas/mine.es/registros/@/A',
      'DELETE /zonas/mine.es/registros/@/A',
      'GET /zonas/mine.es/exportar',
      'GET /zonas/mine.es/exportar?cambio=1',
      'GET /zonas/mine.es/historial',
      'GET /zonas/mine.es/conexion',
      'GET /zonas/mine.es/correo',
      'POST /zonas/mine.es/importar',
      'POST /zonas/mine.es/dnssec',
      'DELETE /zonas/mine.es/dnssec',
    ]) {
      const extra = operation.startsWith('PUT')
        ? { body }
        : operation.includes('importar')
          ? { file: 'a A 192.0.2.66' }
          : {}
      const answer = await world.panel.call(operation, { ...extra, bearer })
      expect([operation, answer.status, answer.body.codigo]).toEqual([operation, 404, 'zona_no_existe'])
    }
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'theirs.es' }, bearer })).body
        .codigo,
    ).toBe('cliente_no_existe')
    const listed = (await world.done('GET /zonas?limite=200', { bearer })).body.datos as { cliente: string }[]
    expect(new Set(listed.map(({ cliente }) => cliente))).toEqual(new Set(['beta']))
    expect((await world.done('PUT /zonas/list1.es/registros/own/A', { body, bearer })).status).toBe(200)
  })

  test('deleted is answered no more, and may be made again at once', async () => {
    await world.newZone('again.es')
    expect((await world.done('DELETE /zonas/again.es')).body).toEqual({ zona: 'again.es', eliminado: true })
    expect((await world.panel.call('DELETE /zonas/again.es')).body.codigo).toBe('zona_no_existe')
    expect((await dig(world.server, 'again.es', 'SOA')).join()).toContain('REFUSED')
    await world.newZone('again.es', 'beta')
    expect(await world.short('again.es', 'A')).toEqual(['192.0.2.1'])
  })

  test('wanted again while its removal waits is served again', async () => {
    await world.newZone('waiting.es')
    await world.server.kill()
    const removing = await world.panel.call('DELETE /zonas/waiting.es')
    expect(removing.body).toEqual({ zona: 'waiting.es', estado: 'eliminando' })
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'beta', zona: 'waiting.es' } })).body.codigo,
    ).toBe('dominio_ocupado')
    await world.server.start()
    await world.newZone('waiting.es')
    world.panel.advance(60_000)
    await world.panel.worker.runDue()
    expect(await world.short('waiting.es', 'A')).toEqual(['192.0.2.1'])
    expect((await world.done('GET /zonas/waiting.es')).body).toMatchObject({ publicada: true, registros: 4 })
  }, 60_000)
})

describe('signing', () => {
  test('answers the DS once signed, again the same, and none when it ends', async () => {
    await world.newZone('dnssec.es')
    const on = (await world.done('POST /zonas/dnssec.es/dnssec')).body.dnssec as {
      activo: boolean
      ds: string[]
    }
    expect([on.activo, on.ds.length]).toEqual([true, 2])
    expect((await world.done('POST /zonas/dnssec.es/dnssec')).body.dnssec).toEqual(on)
    await world.put('dnssec.es', 'new/A', '192.0.2.1')
    expect((await dig(world.server, '+dnssec', '+short', 'new.dnssec.es', 'A')).join()).toContain(
      ` ${on.ds[0]?.split(' ')[0]} dnssec.es. `,
    )
    expect((await world.done('DELETE /zonas/dnssec.es/dnssec')).body.dnssec).toEqual({
      activo: false,
      ds: [],
    })
    expect((await dig(world.server, '+dnssec', '+short', 'dnssec.es', 'A')).join()).toBe('192.0.2.1')
  })
})

describe('a site', () => {
  const site = (domain: string, cliente = 'acme') => world.done('POST /sitios', { body: { cliente, domain } })

  test('brings its zone and takes it along', async () => {
    expect((await site('shop.es')).body).toMatchObject({ domain: 'shop.es', zona: 'shop.es' })
    expect(await world.short('www.shop.es', 'AAAA')).toEqual(['2001:db8::1'])
    await world.done('DELETE /sitios/shop.es')
    expect((await world.panel.call('GET /zonas/shop.es')).status).toBe(404)
    expect((await dig(world.server, 'shop.es', 'SOA')).join()).toContain('REFUSED')
    expect((await site('shop.es')).body.zona).toBe('shop.es')
  })

  test('inside a zone of the client brings none', async () => {
    await world.newZone('covering.es')
    expect((await site('blog.covering.es')).body.zona).toBe('covering.es')
    expect((await world.panel.call('GET /zonas/blog.covering.es')).status).toBe(404)
    await world.done('DELETE /sitios/blog.covering.es')
    expect((await world.panel.call('GET /zonas/covering.es')).status).toBe(200)
  })

  test('leaves its zone behind when the customer changed it, or another site has its name there', async () => {
    await site('kept.es')
    await world.put('kept.es', '@/MX', '10 mail.elsewhere.net.')
    await world.done('DELETE /sitios/kept.es')
    expect(await world.short('kept.es', 'MX')).toEqual(['10 mail.elsewhere.net.'])
    await site('shared.es')
    await site('blog.shared.es')
    await world.done('DELETE /sitios/shared.es')
    expect((await world.panel.call('GET /zonas/shared.es')).status).toBe(200)
  })

  test('and zones go with their client', async () => {
    await world.done('POST /clientes', { body: { cliente: 'leaving' } })
    await site('leaving.es', 'leaving')
    await world.newZone('leaving-too.es', 'leaving')
    await world.done('DELETE /clientes/leaving')
    for (const name of ['leaving.es', 'leaving-too.es']) {
      expect((await dig(world.server, name, 'SOA')).join()).toContain('REFUSED')
      await world.newZone(name, 'beta')
    }
  })
})
