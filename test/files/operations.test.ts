import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plant, rows } from '../api/store.ts'
import { eventually } from '../support/wait.ts'
import { codeOf, SITE, type Site, startSite } from './site.ts'

setDefaultTimeout(60_000)

let panel: Site['panel']
let token: Site['token']
let folder: Site['folder']
let put: Site['put']
let list: Site['list']
let operate: Site['operate']
let names: Site['names']
let visited: Site['visited']
let staged: Site['staged']
let asClient: Site['asClient']

beforeAll(async () => {
  ;({ panel, token, folder, put, list, operate, names, visited, staged, asClient } = await startSite())
})
afterAll(() => panel.stop())

type Member = { name: string; type?: string; link?: string; data?: string; mode?: string }

/** A member of a tar file (POSIX ustar). */
function member({ name, type = '0', link = '', data = '', mode = '0000644' }: Member): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(
    `${mode}\0${'0000000\0'.repeat(2)}${data.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        `,
    100,
  )
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\x0000', 257)
  header.write('0000001\x000000003\0', 329)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, Buffer.from(data), Buffer.alloc((512 - (data.length % 512)) % 512)])
}

const archive = (...members: Buffer[]) => Bun.gzipSync(Buffer.concat([...members, Buffer.alloc(1024)]))

describe('an operation', () => {
  test('makes, moves, copies and deletes folders with all that is in them', async () => {
    const lost = { operacion: 'carpeta', rutas: ['/public/op/en/medio'] }
    expect(codeOf(await operate(lost))).toEqual([409, 'archivo_no_existe'])
    const wanted = { operacion: 'carpeta', rutas: ['/public/op', '/public/op/dentro'] }
    expect((await operate(wanted)).body).toEqual({ ...wanted, destino: null })
    expect(codeOf(await operate(wanted))).toEqual([409, 'ya_existe'])
    // All of them or none.
    for (const rutas of [
      ['/public/op/uno', '/public/op/uno'],
      ['/public/op/uno', '/public/op'],
      ['/public/op/uno', '/public/op/no/hay'],
    ])
      expect((await operate({ operacion: 'carpeta', rutas })).status).toBe(409)
    expect(await names('/public/op')).toEqual(['dentro'])
    await put('/public/op/dentro/a.txt', 'a')
    const copied = await operate({
      operacion: 'copiar',
      rutas: ['/public/op/dentro'],
      destino: '/public/op/otro',
    })
    expect([copied.status, copied.body.destino]).toEqual([200, '/public/op/otro'])
    expect(visited('/op/otro/a.txt')).toBe('a')
    await operate({ operacion: 'carpeta', rutas: ['/public/op/en'] })
    const moved = {
      operacion: 'mover',
      rutas: ['/public/op/otro', '/public/op/dentro'],
      destino: '/public/op/en',
    }
    expect((await operate(moved)).status).toBe(200)
    expect(await names('/public/op')).toEqual(['en'])
    expect(await names('/public/op/en')).toEqual(['dentro', 'otro'])
    expect(codeOf(await operate(moved))).toEqual([409, 'archivo_no_existe'])
    expect((await operate({ operacion: 'borrar', rutas: ['/public/op'] })).status).toBe(200)
    expect(codeOf(await list('/public/op'))).toEqual([404, 'archivo_no_existe'])
    expect(staged()).toEqual([])
  })

  test('that cannot be done changes nothing', async () => {
    for (const name of ['uno', 'dos']) await put(`/public/${name}.txt`, name)
    const both = ['/public/uno.txt', '/public/dos.txt']
    const refused: [object, [number, string]][] = [
      [{ operacion: 'mover', rutas: ['/public/uno.txt'], destino: '/public/dos.txt' }, [409, 'ya_existe']],
      [{ operacion: 'copiar', rutas: [...both, '/public/nada'], destino: '/public' }, [409, 'ya_existe']],
      [{ operacion: 'mover', rutas: both, destino: '/public/nada' }, [422, 'ruta_invalida']],
      [{ operacion: 'mover', rutas: ['/public/../etc'], destino: '/public/x' }, [422, 'ruta_invalida']],
      [{ operacion: 'borrar', rutas: [...both, '/public/nada'] }, [409, 'archivo_no_existe']],
      [{ operacion: 'borrar', rutas: ['/'] }, [422, 'ruta_invalida']],
      [{ operacion: 'borrar', rutas: ['/.controlpanel'] }, [422, 'ruta_invalida']],
      [{ operacion: 'permisos', rutas: both, permisos: '4755' }, [422, 'datos_invalidos']],
      [
        { operacion: 'permisos', rutas: [...both, '/public/nada'], permisos: '0600' },
        [409, 'archivo_no_existe'],
      ],
      [{ operacion: 'comprimir', rutas: both, destino: '/public/x.rar' }, [422, 'ruta_invalida']],
      [{ operacion: 'carpeta', rutas: ['/nueva'] }, [403, 'prohibido']],
    ]
    for (const [body, expected] of refused)
      expect([body, codeOf(await operate(body))]).toEqual([body, expected])
    expect((await names('/public')).filter((name: string) => /^(uno|dos|nada|x)/.test(name))).toEqual([
      'dos.txt',
      'uno.txt',
    ])
    expect(staged()).toEqual([])
  })

  test('leaves nothing of its paths in the database once it is over, and is not tried again', async () => {
    const rutas = Array.from({ length: 500 }, (_, at) => `/public/nada-${at}-${'x'.repeat(200)}`)
    expect(codeOf(await operate({ operacion: 'borrar', rutas }))).toEqual([409, 'archivo_no_existe'])
    await put('/public/olvidada.txt', 'x')
    expect((await operate({ operacion: 'borrar', rutas: ['/public/olvidada.txt'] })).status).toBe(200)
    const kept = rows<{ id: string; state: string; bytes: number }>(
      panel,
      "select id, state, length(payload) as bytes from jobs where kind = 'archivos.operar' order by id desc",
    )
    expect(kept.slice(0, 2).map(({ state }) => state)).toEqual(['hecha', 'fallida'])
    expect(kept.filter(({ bytes }) => bytes > 2)).toEqual([])
    const again = await panel.api('POST', `/tareas/${kept[1]?.id}/reintentar`, { bearer: token })
    expect(codeOf(again)).toEqual([409, 'tarea_no_fallida'])
    // Nobody has to look after a refusal: it goes like what was done.
    await panel.setClock(14 * 86_400 + 60)
    await panel.command('cron', 'caducidad')
    await panel.setClock(0)
    expect(rows(panel, "select id from jobs where kind = 'archivos.operar'")).toEqual([])
  })

  test('waits with fifty others of its client at the most', async () => {
    const own = rows<{ id: number }>(
      panel,
      "select client_id as id from sites where domain = 'ana-sitio.es'",
    )[0]?.id
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)'
    const columns = '(id, kind, node, subject, target, payload, state, next_at, created_at)'
    const made = `insert into jobs ${columns} select 'job_w' || i, 'archivos.operar', 'nodo1', ?, i, '{}', 'pendiente', ?, ? from n`
    const now = Date.now()
    plant(panel, `${many} ${made}`, `archivos:${own}`, now + 600_000, now)
    const one = { operacion: 'carpeta', rutas: ['/public/espera'] }
    expect(codeOf(await operate(one))).toEqual([429, 'espera'])
    const others = await panel.api('POST', '/sitios/bea-sitio.es/archivos/operaciones', {
      bearer: token,
      body: one,
    })
    expect(others.status).toBe(200)
    plant(panel, "delete from jobs where id = 'job_w50'")
    expect((await operate(one)).status).toBe(200)
    plant(panel, "delete from jobs where id like 'job_w%'")
  })

  test('gives permissions, and never a set-id bit', async () => {
    await put('/public/modo.txt', 'x')
    expect(
      (await operate({ operacion: 'permisos', rutas: ['/public/modo.txt'], permisos: '0604' })).status,
    ).toBe(200)
    expect(statSync(join(folder, 'public/modo.txt')).mode & 0o7777).toBe(0o604)
  })
})

describe('an archive', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(5000))

  test('of each kind holds what was packed, and the web server reads what comes out of it', async () => {
    await operate({ operacion: 'carpeta', rutas: ['/public/caja'] })
    await put('/public/caja/-x.bin', bytes)
    await put('/public/caja/@ñ\n.txt', 'texto')
    for (const kind of ['zip', 'tar.gz', 'tar.zst']) {
      const packed = await operate({
        operacion: 'comprimir',
        rutas: ['/public/caja'],
        destino: `/public/c.${kind}`,
      })
      expect([kind, packed.status]).toEqual([kind, 200])
      const out = await operate({
        operacion: 'extraer',
        rutas: [`/public/c.${kind}`],
        destino: `/public/de-${kind}`,
      })
      expect([kind, out.status]).toEqual([kind, 200])
      expect(await names(`/public/de-${kind}/caja`)).toEqual(['-x.bin', '@ñ\n.txt'])
      expect(visited(`/de-${kind}/caja/@%C3%B1%0A.txt`)).toBe('texto')
    }
    const zip = await panel.fetch(`/api/sitios/${SITE}/archivos/zip?ruta=/public/caja`, {
      headers: { authorization: `Bearer ${token}` },
    })
    writeFileSync(join(panel.dataDir, 'caja.zip'), new Uint8Array(await zip.arrayBuffer()))
    // Names in the archive are UTF-8, which bsdtar tells in that locale alone.
    const reading = { env: { LC_ALL: 'C.UTF-8' } }
    const zipPath = join(panel.dataDir, 'caja.zip')
    const listed = spawnSync('/usr/bin/bsdtar', ['-tf', zipPath], reading).stdout.toString()
    expect(listed.split('\n').filter(Boolean).sort()).toEqual([
      './caja/',
      './caja/-x.bin',
      './caja/@ñ\\n.txt',
    ])
    expect(
      codeOf(await operate({ operacion: 'extraer', rutas: ['/public/c.zip'], destino: '/public/caja' })),
    ).toEqual([409, 'ya_existe'])
    expect(staged()).toEqual([])
  })

  test('whose files are for their owner alone comes out as the web server and its owner can use it', async () => {
    const closed = archive(
      member({ name: 'solo', type: '5', mode: '0000700' }),
      member({ name: 'solo/dos.txt', data: 'dos', mode: '0000600' }),
      member({ name: 'solo/nada', type: '5', mode: '0000000' }),
      member({ name: 'solo/nada/tres.txt', data: 'tres', mode: '0000000' }),
      member({ name: 'enlace', type: '2', link: '/etc/hostname' }),
    )
    const mode = statSync('/etc/hostname').mode
    await put('/public/solo.tgz', closed)
    const out = { operacion: 'extraer', rutas: ['/public/solo.tgz'] }
    expect((await operate({ ...out, destino: '/public/abierto' })).status).toBe(200)
    expect([visited('/abierto/solo/dos.txt'), visited('/abierto/solo/nada/tres.txt')]).toEqual([
      'dos',
      'tres',
    ])
    expect((await operate({ ...out, destino: '/public', si_existe: 'omitir' })).status).toBe(200)
    expect(visited('/solo/dos.txt')).toBe('dos')
    expect(statSync('/etc/hostname').mode).toBe(mode)
    await operate({ operacion: 'borrar', rutas: ['/public/solo', '/public/abierto', '/public/enlace'] })
  })

  test('that leads out of its folder, holds devices or too many entries is refused and leaves nothing', async () => {
    const archives = {
      'punto.tgz': archive(member({ name: '../fuera.txt', data: 'x' })),
      'enlace.tgz': archive(
        member({ name: 'l', type: '2', link: '/sitios' }),
        member({ name: 'l/fuera.txt', data: 'x' }),
      ),
      'aparato.tgz': archive(member({ name: 'nulo', type: '3' })),
      'muchos.tgz': archive(...Array.from({ length: 200_001 }, () => member({ name: 'a' }))),
    }
    for (const [name, content] of Object.entries(archives)) await put(`/public/${name}`, content)
    await put('/public/roto.zip', 'no es nada')
    for (const name of Object.keys(archives)) {
      const answer = await operate({
        operacion: 'extraer',
        rutas: [`/public/${name}`],
        destino: '/public/sale',
      })
      expect([name, ...codeOf(answer)]).toEqual([name, 422, 'archivo_peligroso'])
    }
    const broken = { operacion: 'extraer', rutas: ['/public/roto.zip'], destino: '/public/sale' }
    expect(codeOf(await operate(broken))).toEqual([422, 'ruta_invalida'])
    expect((await names('/public')).filter((name: string) => /sale|fuera/.test(name))).toEqual([])
    expect(staged()).toEqual([])
  })
})

describe('a panel that is killed in the middle', () => {
  const COUNT = 3000
  const whole = (name: string) => {
    const path = join(folder, 'public', name)
    return existsSync(path) && readdirSync(path).length === COUNT
  }
  beforeAll(async () => {
    const made = `file_put_contents("bulto/$n", str_repeat("$n ", 2000))`
    asClient(`mkdir('bulto'); for ($n = 0; $n < ${COUNT}; $n++) ${made};`)
    const packing = { operacion: 'comprimir', rutas: ['/public/bulto'], destino: '/public/bulto.tar.gz' }
    await operate(packing)
    await eventually(async () => existsSync(join(folder, 'public/bulto.tar.gz')), 'the archive', 60_000)
  }, 120_000)

  test.each([
    [
      'an extraction',
      { operacion: 'extraer', rutas: ['/public/bulto.tar.gz'], destino: '/public/fuera' },
      'fuera/bulto',
    ],
    ['a copy', { operacion: 'copiar', rutas: ['/public/bulto'], destino: '/public/doble' }, 'doble'],
  ] as const)(
    'does %s once it runs again, and leaves nothing of the first attempt',
    async (_, body, made) => {
      const before = staged()
      const asked = operate(body).catch(() => null)
      await eventually(async () => staged().length > before.length || whole(made), 'the work to begin')
      await panel.kill()
      await asked
      const part = existsSync(join(folder, 'public', made))
      expect([part, part && !whole(made)]).toEqual([part, false])
      await panel.up()
      await eventually(async () => whole(made) && staged().length === before.length, 'the whole', 60_000)
      expect(readFileSync(join(folder, 'public', made, '7'), 'utf8')).toBe('7 '.repeat(2000))
    },
    120_000,
  )

  test('has a deleted folder in its place or in the bin, and never in both or in none', async () => {
    const asked = operate({ operacion: 'papelera', rutas: ['/public/bulto'] }).catch(() => null)
    await eventually(async () => staged().includes('papelera'), 'the bin')
    await panel.kill()
    await asked
    await panel.up()
    const bin = async () =>
      (await panel.api('GET', `/sitios/${SITE}/archivos/papelera`, { bearer: token })).body
    await eventually(async () => (await bin()).datos.length === 1, 'the folder in the bin', 60_000)
    expect(existsSync(join(folder, 'public/bulto'))).toBe(false)
    const borrados = [(await bin()).datos[0].id]
    expect((await operate({ operacion: 'restaurar', borrados })).status).toBe(200)
    expect(whole('bulto')).toBe(true)
  }, 120_000)
})
