import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jobs } from '../../schema/tables.ts'
import { field, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

describe('records', () => {
  beforeAll(() => world.newZone('rec.es'))

  test('are set, answered as they are served, and deleted', async () => {
    const answer = await world.put('rec.es', 'Mail/mx', '10 mx', '20 MX2.rec.es.')
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
    expect((await world.short('mail.rec.es', 'MX')).sort()).toEqual(['10 mx.rec.es.', '20 mx2.rec.es.'])
    const { body, headers } = await world.done('GET /zonas/rec.es/registros')
    expect(headers.etag).toBe(answer.headers.etag)
    expect(body.datos).toContainEqual({ ...answer.body })
    await world.done('DELETE /zonas/rec.es/registros/mail/MX')
    expect(await world.short('mail.rec.es', 'MX')).toEqual([])
    expect((await world.panel.call('DELETE /zonas/rec.es/registros/mail/MX')).body.codigo).toBe(
      'registro_no_existe',
    )
  })

  test('set to what they are change no serial and write nothing', async () => {
    await world.put('rec.es', 'same/A', '192.0.2.5', '192.0.2.6')
    const before = (await world.done('GET /zonas/rec.es')).body.serie
    const queued = (await world.panel.services.db.read.select().from(jobs)).length
    const again = await world.put('rec.es', 'SAME.rec.es./a', '192.0.2.6', '192.0.2.5', '192.0.2.6')
    expect(again.status).toBe(200)
    expect((await world.done('GET /zonas/rec.es')).body.serie).toBe(before)
    expect((await world.panel.services.db.read.select().from(jobs)).length).toBe(queued)
  })

  test('are changed only from the state that If-Match names', async () => {
    const tag = (await world.done('GET /zonas/rec.es/registros')).headers.etag ?? ''
    const change = (etag: string, value: string) =>
      world.panel.call('PUT /zonas/rec.es/registros/match/A', {
        body: { ttl: 60, valores: [value] },
        headers: { 'if-match': etag },
      })
    expect((await change(tag, '192.0.2.1')).status).toBe(200)
    const stale = await change(tag, '192.0.2.2')
    expect([stale.status, stale.body.codigo]).toEqual([412, 'version_distinta'])
    expect((await change('*', '192.0.2.3')).status).toBe(200)
    expect(
      (await world.panel.call('DELETE /zonas/rec.es/registros/match/A', { headers: { 'if-match': tag } }))
        .status,
    ).toBe(412)
    expect(await world.short('match.rec.es', 'A')).toEqual(['192.0.2.3'])
  })

  test.each<[string, string[], string]>([
    ['a/A', ['nonsense'], 'valores.0 direccion_invalida'],
    ['a/A', [], 'valores sin_valores'],
    ['a/TXT', ['"a\nb"'], 'valores.0 texto_invalido'],
    ['a..b/A', ['192.0.2.1'], 'nombre nombre_invalido'],
    ['%0a/A', ['192.0.2.1'], 'nombre nombre_invalido'],
    ['a%2f..%2fb/A', ['192.0.2.1'], 'nombre nombre_invalido'],
  ])('%s with %p is 422, and the zone stays', async (at, values, refusal) => {
    const before = (await world.done('GET /zonas/rec.es')).body
    const answer = await world.put('rec.es', at, ...values)
    expect([answer.status, field(answer)]).toEqual([422, refusal])
    expect((await world.done('GET /zonas/rec.es')).body).toEqual(before)
  })

  test('a TTL that is none, and the deletion of the apex NS, are 422', async () => {
    for (const ttl of [0, 2 ** 31, 1.5, '300', null]) {
      const answer = await world.panel.call('PUT /zonas/rec.es/registros/a/A', {
        body: { ttl, valores: ['192.0.2.1'] },
      })
      expect([ttl, answer.status]).toEqual([ttl, 422])
    }
    expect(field(await world.panel.call('DELETE /zonas/rec.es/registros/@/NS'))).toBe('tipo ns_de_la_raiz')
    expect((await world.put('rec.es', '@/NS', 'ns1.host.net.', 'ns9.elsewhere.net.')).status).toBe(200)
    expect((await world.short('rec.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns9.elsewhere.net.'])
  })

  test('of names that another zone of this server answers for are refused, both ways round', async () => {
    await world.newZone('outer.es')
    await world.put('outer.es', 'x.inner/A', '192.0.2.1')
    expect(
      (await world.panel.call('POST /zonas', { body: { cliente: 'acme', zona: 'inner.outer.es' } })).body
        .codigo,
    ).toBe('dominio_ocupado')
    await world.done('DELETE /zonas/outer.es/registros/x.inner/A')
    await world.newZone('inner.outer.es')
    expect(field(await world.put('outer.es', 'x.inner/A', '192.0.2.1'))).toBe('nombre nombre_en_otra_zona')
    expect((await world.put('outer.es', 'inner/NS', 'ns1.host.net.')).status).toBe(200)
  })

  test('changed by many at once are all there, and the serial counts them', async () => {
    await world.newZone('busy.es')
    const before = Number((await world.done('GET /zonas/busy.es')).body.serie)
    const changes = Array.from({ length: 120 }, (_, at) => world.put('busy.es', `h${at}/A`, `192.0.2.${at}`))
    expect((await Promise.all(changes)).every(({ status }) => status === 200)).toBe(true)
    await world.panel.worker.runDue()
    const { body } = await world.done('GET /zonas/busy.es')
    expect(body).toMatchObject({ publicada: true, registros: 124 })
    expect(Number(body.serie)).toBeGreaterThanOrEqual(before + 120)
    expect((await world.short('busy.es', 'SOA'))[0]).toContain(` ${body.serie} `)
    expect(await world.short('h119.busy.es', 'A')).toEqual(['192.0.2.119'])
  }, 60_000)
})

/** What the audit trail tells of imports, the newest first; the rows are checked against the document. */
const imports = async () =>
  (await world.done('GET /auditoria?operacion=POST%20/zonas/')).body.datos as {
    resultado: string
    detalle: unknown
  }[]

describe('zone files', () => {
  beforeAll(async () => {
    await world.newZone('file.es')
    await world.put('file.es', 'www/A', '192.0.2.1')
  })

  test('an exported zone is imported without a difference', async () => {
    await world.put('file.es', 'txt/TXT', '"semi;colon \\"quoted\\"" "ñ"')
    const file = String((await world.done('GET /zonas/file.es/exportar')).body)
    expect(file).toContain('$ORIGIN file.es.')
    expect((await world.done('POST /zonas/file.es/importar', { file })).body).toEqual({
      anadidos: 0,
      cambiados: 0,
      borrados: 0,
      rechazados: [],
    })
  })

  test('an import replaces the zone but for its NS and SOA; a simulation changes nothing', async () => {
    const before = (await world.done('GET /zonas/file.es')).body
    const file = '$TTL 1h\n@ SOA a. b. 1 2 3 4 5\n@ NS ns1.foreign.net.\n@ A 192.0.2.50\nnew 300 TXT "x"\n'
    const trail = await imports()
    const simulated = (await world.done('POST /zonas/file.es/importar?simular=si', { file })).body
    expect(await imports()).toEqual(trail)
    expect(simulated).toEqual({ anadidos: 1, cambiados: 1, borrados: 3, rechazados: [] })
    expect((await world.done('GET /zonas/file.es')).body).toEqual(before)
    expect((await world.done('POST /zonas/file.es/importar', { file })).body).toEqual(simulated)
    const [told, ...older] = await imports()
    expect([told?.resultado, told?.detalle]).toEqual(['hecho', { anadidos: 1, cambiados: 1, borrados: 3 }])
    expect(older).toEqual(trail)
    expect(await world.short('file.es', 'A')).toEqual(['192.0.2.50'])
    expect(await world.short('www.file.es', 'A')).toEqual([])
    expect((await world.short('file.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns2.host.net.'])
  })

  test('an import that merges deletes nothing', async () => {
    const file = 'new 600 TXT "y"\nmore A 192.0.2.51\n'
    expect((await world.done('POST /zonas/file.es/importar?modo=fusionar', { file })).body).toEqual({
      anadidos: 1,
      cambiados: 1,
      borrados: 0,
      rechazados: [],
    })
    const [told] = await imports()
    expect(told?.detalle).toEqual({ anadidos: 1, cambiados: 1, borrados: 0, modo: 'fusionar' })
    expect(await world.short('file.es', 'A')).toEqual(['192.0.2.50'])
    expect(await world.short('more.file.es', 'A')).toEqual(['192.0.2.51'])
    expect(await world.short('new.file.es', 'TXT')).toEqual(['"y"'])
    expect((await world.panel.call('POST /zonas/file.es/importar?modo=otro', { file })).status).toBe(422)
  })

  test('one refused line refuses the whole file, and is reported', async () => {
    const before = (await world.done('GET /zonas/file.es/registros')).body
    const { body } = await world.done('POST /zonas/file.es/importar', {
      file: 'ok A 192.0.2.1\n$INCLUDE /etc/passwd\nbad A x\n',
    })
    const [told] = await imports()
    expect(told?.resultado).toBe('datos_invalidos')
    expect(body).toMatchObject({
      anadidos: 0,
      cambiados: 0,
      borrados: 0,
      rechazados: [{ linea: 2 }, { linea: 3 }],
    })
    expect((await world.done('GET /zonas/file.es/registros')).body).toEqual(before)
    expect(
      (await world.panel.call('POST /zonas/file.es/importar', { file: Uint8Array.of(97, 32, 65, 32, 0xff) }))
        .status,
    ).toBe(422)
    expect((await world.panel.call('POST /zonas/file.es/importar', { body: {} })).status).toBe(415)
  })
})
