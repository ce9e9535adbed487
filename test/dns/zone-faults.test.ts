import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import zonesCron from '../../handlers/cron/zones.ts'
import { runCron } from '../../lib/work/cron.ts'
import { audit, zones } from '../../schema/tables.ts'
import { dig } from './pdns.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

describe('faults and audit', () => {
  test('with the DNS server down a change is kept, shown as unpublished, and published later', async () => {
    await world.newZone('later.es')
    await world.server.kill()
    expect((await world.put('later.es', 'a/A', '192.0.2.1')).status).toBe(200)
    expect((await world.done('GET /zonas/later.es')).body).toMatchObject({ publicada: false })
    await world.server.start()
    world.panel.advance(3_600_000)
    await world.panel.worker.runDue()
    expect((await world.done('GET /zonas/later.es')).body).toMatchObject({ publicada: true, error: null })
    expect(await world.short('a.later.es', 'A')).toEqual(['192.0.2.1'])
  }, 60_000)

  test('the daily audit brings back what the DNS server lost, keys included, and removes what is nobody’s', async () => {
    await world.newZone('lost.es')
    await world.done('POST /zonas/lost.es/dnssec')
    const { driver } = world.panel.services
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
    await runCron(world.panel.services, zonesCron.job)
    await world.panel.worker.runDue()
    const row = await world.panel.services.db.read.select().from(zones).where(eq(zones.name, 'lost.es')).get()
    const signature = (await dig(world.server, '+dnssec', '+short', 'lost.es', 'A')).join()
    expect(signature).toContain(` ${row?.ds[0]?.split(' ')[0]} lost.es. `)
    expect((await dig(world.server, 'stray.es', 'SOA')).join()).toContain('REFUSED')
  })

  test('every change is in the audit trail with its client and target', async () => {
    await world.newZone('told.es')
    await world.put('told.es', 'a/A', '192.0.2.1')
    await world.put('told.es', 'a/A', 'nonsense')
    const rows = await world.panel.services.db.read.select().from(audit).where(eq(audit.target, 'told.es'))
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
      world.panel.failAt = { kind, step, phase }
      await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona: name } })
      await world.panel.call(`POST /zonas/${name}/dnssec`)
      if (kind === 'zona.eliminar') await world.panel.call(`DELETE /zonas/${name}`)
      if (kind === 'zonas.auditar') await runCron(world.panel.services, zonesCron.job)
      await world.panel.worker.runDue()
      expect(world.panel.failAt === null).toBe(true)
      world.panel.advance(3_600_000)
      await world.panel.worker.runDue()
      const served = (await dig(world.server, '+dnssec', '+short', name, 'A')).join()
      const shown = await world.panel.call(`GET /zonas/${name}`)
      if (kind === 'zona.eliminar') expect([served, shown.status]).toEqual(['', 404])
      else {
        expect(shown.body).toMatchObject({ publicada: true, error: null, dnssec: { activo: true } })
        expect(served.split(',').sort()).toEqual(['192.0.2.1', expect.stringMatching(/^A 13 2 /)])
      }
    }
  })
})
