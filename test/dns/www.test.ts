import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const site = (domain: string, more: Record<string, unknown> = {}) =>
  world.done('POST /sitios', { body: { cliente: 'acme', domain, ...more } })
const aliases = (domain: string, list: string[]) =>
  world.done(`PATCH /sitios/${domain}`, { body: { aliases: list } })
/** The addresses that are answered for the `www` of a zone, IPv4 before IPv6. */
const www = async (zone: string) => [
  ...(await world.short(`www.${zone}`, 'A')),
  ...(await world.short(`www.${zone}`, 'AAAA')),
]
const HERE = ['192.0.2.1', '2001:db8::1']

describe('a site whose aliases are left out', () => {
  test('has www as its alias, and its zone publishes it', async () => {
    expect((await site('alba.es')).body.aliases).toEqual(['www.alba.es'])
    expect(await www('alba.es')).toEqual(HERE)
  })

  test('asked for again keeps the aliases that it has', async () => {
    await site('boda.es')
    await aliases('boda.es', ['otra-boda.es'])
    const again = await site('boda.es')
    expect([again.status, again.body.aliases]).toEqual([200, ['otra-boda.es']])
    expect(await www('boda.es')).toEqual([])
  })

  test('has none where another site of the client has that name, whose zone keeps answering for it', async () => {
    await site('www.dique.es', { aliases: [] })
    expect((await site('dique.es')).body.aliases).toEqual([])
    expect(await www('dique.es')).toEqual(HERE)
    const { body } = await world.done('GET /zonas/dique.es/registros')
    const names = (body.datos as { nombre: string }[]).map(({ nombre }) => nombre) // checked against the document
    expect(names).not.toContain('www')
  })
})

describe('a site with an empty list of aliases', () => {
  test('has none, and its zone publishes no www', async () => {
    expect((await site('faro.es', { aliases: [] })).body.aliases).toEqual([])
    expect(await world.short('faro.es', 'A')).toEqual(['192.0.2.1'])
    expect(await www('faro.es')).toEqual([])
  })
})

describe('the www of a zone', () => {
  test('comes and goes with the alias', async () => {
    await site('gato.es', { aliases: [] })
    await aliases('gato.es', ['www.gato.es'])
    expect(await www('gato.es')).toEqual(HERE)
    await aliases('gato.es', ['www.gato.es', 'gata.es'])
    expect(await www('gato.es')).toEqual(HERE)
    await aliases('gato.es', ['gata.es'])
    expect(await www('gato.es')).toEqual([])
    // The panel's own change does not make the zone the customer's: it goes with its site.
    await world.done('DELETE /sitios/gato.es')
    expect((await world.panel.call('GET /zonas/gato.es')).status).toBe(404)
  })

  test('stays as the customer set it', async () => {
    await site('hielo.es', { aliases: [] })
    await world.put('hielo.es', 'www/CNAME', 'otro.net.')
    await aliases('hielo.es', ['www.hielo.es'])
    await aliases('hielo.es', [])
    expect(await world.short('www.hielo.es', 'CNAME')).toEqual(['otro.net.'])
    await site('isla.es')
    await world.put('isla.es', 'www/A', '203.0.113.7')
    await aliases('isla.es', [])
    expect(await www('isla.es')).toEqual(['203.0.113.7'])
  })

  test('is added to a zone that was there before its site', async () => {
    await world.newZone('luna.es')
    expect(await www('luna.es')).toEqual([])
    await site('luna.es')
    expect(await www('luna.es')).toEqual(HERE)
  })

  test('is in a new zone whose www was served before', async () => {
    await site('mar.es', { aliases: [] })
    await world.done('DELETE /zonas/mar.es')
    await aliases('mar.es', ['www.mar.es'])
    await world.newZone('mar.es')
    expect(await www('mar.es')).toEqual(HERE)
  })
})

describe('a name below a zone of the same client', () => {
  const at = (name: string) => world.short(name, 'A')

  test('has an address while it is an alias, and the zone stays as it was made', async () => {
    await site('palma.es')
    await aliases('palma.es', ['foro.palma.es', 'a.b.palma.es'])
    expect([await at('foro.palma.es'), await at('a.b.palma.es')]).toEqual([['192.0.2.1'], ['192.0.2.1']])
    expect(await world.short('foro.palma.es', 'AAAA')).toEqual(['2001:db8::1'])
    await aliases('palma.es', ['a.b.palma.es'])
    expect([await at('foro.palma.es'), await at('a.b.palma.es')]).toEqual([[], ['192.0.2.1']])
    await world.done('DELETE /sitios/palma.es')
    expect((await world.panel.call('GET /zonas/palma.es')).status).toBe(404)
  })

  test('has an address while it is a site of its own', async () => {
    await world.newZone('roca.es')
    await site('tienda.roca.es')
    expect([await at('tienda.roca.es'), await at('www.tienda.roca.es')]).toEqual([
      ['192.0.2.1'],
      ['192.0.2.1'],
    ])
    await world.done('DELETE /sitios/tienda.roca.es')
    expect([await at('tienda.roca.es'), await at('www.tienda.roca.es')]).toEqual([[], []])
  })

  test('stays as the customer set it', async () => {
    await site('sauce.es')
    await world.put('sauce.es', 'foro/CNAME', 'otro.net.')
    await aliases('sauce.es', ['foro.sauce.es', 'chat.sauce.es'])
    expect(await world.short('foro.sauce.es', 'CNAME')).toEqual(['otro.net.'])
    await world.put('sauce.es', 'chat/A', '203.0.113.7')
    await aliases('sauce.es', [])
    expect(await world.short('foro.sauce.es', 'CNAME')).toEqual(['otro.net.'])
    expect(await at('chat.sauce.es')).toEqual(['203.0.113.7'])
  })

  test('is in a zone that is made after it', async () => {
    await site('tilo.es')
    await aliases('tilo.es', ['foro.tilo.es'])
    await world.done('DELETE /zonas/tilo.es')
    expect(await at('foro.tilo.es')).toEqual([])
    await world.newZone('tilo.es')
    expect(await at('foro.tilo.es')).toEqual(['192.0.2.1'])
  })

  test('gets nothing in a zone of another client, and never takes a name of it', async () => {
    await world.done('POST /clientes', { body: { cliente: 'vecina' } })
    await world.done('POST /sitios', { body: { cliente: 'vecina', domain: 'uva.es' } })
    await site('vino.es')
    const refused = await world.panel.call('PATCH /sitios/vino.es', { body: { aliases: ['foro.uva.es'] } })
    expect(refused.status).toBe(409)
    expect(await at('foro.uva.es')).toEqual([])
  })
})

test('provisioning gives www by default, shows it in a dry run, and changes nothing when repeated', async () => {
  const put = (body: Record<string, unknown>, query = '') =>
    world.done(`PUT /altas/x:1${query}`, { body: { correo: 'n@cliente.es', enviar: false, ...body } })
  const sitio = ({ body }: { body: Record<string, unknown> }) => Object(body.sitio)
  const dry = await put({ domain: 'nube.es' }, '?simular=si')
  expect(sitio(dry).aliases).toEqual(['www.nube.es'])
  const made = await put({ domain: 'nube.es' })
  expect(sitio(made).aliases).toEqual(['www.nube.es'])
  expect(await www('nube.es')).toEqual(HERE)
  await aliases('nube.es', [])
  const again = await put({ domain: 'nube.es' })
  expect([again.status, again.body.hecho, sitio(again).aliases]).toEqual([200, [], []])
  expect(await www('nube.es')).toEqual([])
  await put({ domain: 'nube.es', aliases: ['www.nube.es'] })
  expect(await www('nube.es')).toEqual(HERE)
  const none = await put({ domain: 'onda.es', aliases: [] })
  expect(sitio(none).aliases).toEqual([])
})
