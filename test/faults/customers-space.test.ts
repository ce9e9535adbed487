import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { visitor } from '../applications/wordpress.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { SmallDisk } from '../support/small-disk.ts'
import { workEnded } from '../support/work.ts'

setDefaultTimeout(120_000)

const MIB = 1_048_576
const FULL = [507, 'sin_espacio']
const noise = (bytes: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
    .toString('latin1')
    .repeat(Math.ceil(bytes / 65_536))
    .slice(0, bytes)
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

/** A panel of which one part lies on a small disk, and its calls by a token. */
async function startOn(type: 'ext4' | 'tmpfs', part: string, size: { mebibytes: number; inodes: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'panel-'))
  chmodSync(dataDir, 0o711)
  mkdirSync(join(dataDir, 'web'), { mode: 0o711 })
  const disk = new SmallDisk(type, { ...size, at: join(dataDir, 'web', part) })
  const panel = await Panel.start({
    dataDir,
    env: { ...ROOMY, PANEL_MARIADB_PORT: String(await freePort()) },
  })
  const token = await newToken(panel, await firstAdmin(panel))
  const call = (method: string, path: string, body?: unknown) =>
    panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
  return {
    ...{ disk, panel, token, call },
    async done(method: string, path: string, body?: unknown): Promise<Json> {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async stop(): Promise<void> {
      await disk.relieve()
      panel.keepData = true
      await panel.stop()
      await disk.remove()
      spawnSync('rm', ['-rf', '--one-file-system', dataDir])
    },
  }
}
type World = Awaited<ReturnType<typeof startOn>>

/** How an operation ends, whether it is answered at once or by a piece of work. */
async function endOf({ call }: World, answer: Answer): Promise<unknown[]> {
  const { status, body } = answer
  if (status !== 202) return [status, body.codigo]
  const { estado, resultado } = await workEnded(call, body.tarea.id)
  return estado === 'hecha' ? [200, undefined] : [resultado?.status ?? 507, resultado?.codigo]
}

describe.each([
  { type: 'ext4', scarce: 'disco' },
  { type: 'tmpfs', scarce: 'inodos' },
] as const)('in the middle of a customer’s work, on $type without $scarce,', ({ type, scarce }) => {
  let world: World
  let root: string

  beforeAll(async () => {
    world = await startOn(type, 'c', { mebibytes: 320, inodes: 16_000 })
    const site = await world.done('PUT', '/altas/ana', {
      ...{ cliente: 'ana', correo: 'ana@cliente.es', domain: 'ana.es', enviar: false },
    })
    root = site.sitio.raiz
    for (const domain of ['blog.es', 'vacio.es'])
      await world.done('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
    await world
      .done('POST', '/sitios/blog.es/aplicacion', WORDPRESS)
      .then(({ tarea }) => workEnded(world.call, tarea.id))
    await giveUploads()
    give('viejo.txt', 'lo de antes')
    mkdirSync(join(root, 'muchos'), { mode: 0o755 })
    for (let n = 0; n < 300; n++) give(`muchos/${n}.bin`, noise(40_000))
    spawnSync('chown', ['-R', '--reference', root, join(root, 'muchos')])
    await operate({ operacion: 'comprimir', rutas: ['/public/muchos'], destino: '/public/muchos.tar.gz' })
  }, 120_000)
  afterAll(() => world?.stop())

  const WORDPRESS = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }
  function give(name: string, text: string): void {
    const path = join(root, name)
    writeFileSync(path, bytesOf(text), { mode: 0o644 })
    const { uid, gid } = statSync(root)
    chownSync(path, uid, gid)
  }
  /** The folders that the blog's own scheduled task makes when it first runs, which may be in the middle of a test. */
  async function giveUploads(): Promise<void> {
    const blog = (await world.done('GET', '/sitios/blog.es')).raiz
    const uploads = join(blog, 'wp-content/uploads')
    mkdirSync(join(uploads, new Date().toISOString().slice(0, 7).replace('-', '/')), { recursive: true })
    spawnSync('chown', ['-R', '--reference', blog, uploads])
  }
  const operate = (body: object) => world.call('POST', '/sitios/ana.es/archivos/operaciones', body)
  const contents = '/sitios/ana.es/archivos/contenido?ruta='
  const write = (ruta: string, text: string) =>
    world.panel.api('PUT', `${contents}${ruta}`, { bearer: world.token, raw: bytesOf(text) })
  /** All that the client's sites hold, with their content. */
  const held = () => {
    const all = join(dirname(root), '..')
    const words =
      'cd "$1" && find . -name registros -prune -o -path "*/.controlpanel/*" -print -o -printf "%P %y %l\\n" -type f -exec md5sum {} + | sort'
    const told = spawnSync('sh', ['-c', words, '-', all], { maxBuffer: 64 * MIB }).stdout.toString()
    // The site that was made for a clone stays, empty.
    return told.replace(/^4(?:\/public|\/\.controlpanel)? d $\n?/gm, '')
  }
  /** Leaves so little that the work begins and cannot end. */
  const leave = (bytes: number, inodes: number) =>
    world.disk.leave(scarce === 'disco' ? { bytes } : { inodes })

  type Work = {
    name: string
    leaves: [bytes: number, inodes: number]
    begin?(): Promise<void>
    run(): Promise<Answer>
  }
  const WORKS: Work[] = [
    {
      name: 'a file takes the place of another',
      leaves: [2 * MIB, 0],
      run: () => write('/public/viejo.txt', noise(6 * MIB)),
    },
    {
      name: 'a folder is copied',
      leaves: [4 * MIB, 100],
      run: () => operate({ operacion: 'copiar', rutas: ['/public/muchos'], destino: '/public/otros' }),
    },
    {
      name: 'an archive is extracted',
      leaves: [4 * MIB, 100],
      run: () =>
        operate({ operacion: 'extraer', rutas: ['/public/muchos.tar.gz'], destino: '/public/extraido' }),
    },
    {
      name: 'an archive is made',
      leaves: [4 * MIB, 0],
      run: () => operate({ operacion: 'comprimir', rutas: ['/public/muchos'], destino: '/public/o.tar.gz' }),
    },
    {
      name: 'WordPress is cloned',
      leaves: [20 * MIB, 700],
      run: () => world.call('POST', '/sitios/blog.es/clonar', { domain: 'copia.blog.es' }),
    },
    {
      name: 'WordPress is updated',
      leaves: [20 * MIB, 700],
      async begin() {
        const blog = (await world.done('GET', '/sitios/blog.es')).raiz
        const path = join(blog, 'wp-includes/version.php')
        const text = await Bun.file(path).text()
        writeFileSync(path, text.replace(/\$wp_version = '[^']*'/, "$wp_version = '6.0'"))
      },
      run: () => world.call('POST', '/sitios/blog.es/aplicacion/actualizar'),
    },
    {
      name: 'WordPress is installed',
      leaves: [20 * MIB, 700],
      run: () => world.call('POST', '/sitios/vacio.es/aplicacion', WORDPRESS),
    },
  ]

  test.each(WORKS.map((work) => [work.name, work] as const))(
    '%s: it ends with 507, leaves all as it was, and succeeds once there is room',
    async (name, { leaves, begin, run }) => {
      await begin?.()
      const before = held()
      leave(...leaves)
      expect([name, ...(await endOf(world, await run()))]).toEqual([name, ...FULL])
      await world.disk.relieve()
      expect(lines(held(), before)).toEqual([])
      if (name.includes('WordPress')) expect((await visitor(world.panel, 'blog.es')('/')).status).toBe(200)
      expect([name, ...(await endOf(world, await run()))]).toEqual([name, 200, undefined])
    },
  )

  test('an upload in parts: what was acknowledged is kept, and it goes on from there', async () => {
    const content = bytesOf(noise(6 * MIB))
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': String(content.length),
      'upload-metadata': `ruta ${Buffer.from('/public/subida.bin').toString('base64')}`,
    }
    const bearer = world.token
    const begin = () => world.panel.api('POST', '/sitios/ana.es/subidas', { bearer, headers })
    if (scarce === 'inodos') {
      leave(0, 0)
      expect((await begin()).status).toBe(507)
      await world.disk.relieve()
    }
    const address = (await begin()).headers.get('location') ?? ''
    const add = (offset: number, raw: Uint8Array) => {
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      return world.panel.request('PATCH', address, {
        ...{ bearer, raw, headers: { 'tus-resumable': '1.0.0', ...type } },
      })
    }
    const reached = async () => {
      const answer = await world.panel.fetch(address, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${bearer}` },
      })
      return Number(answer.headers.get('upload-offset'))
    }
    expect((await add(0, content.subarray(0, 2 * MIB))).status).toBe(204)
    if (scarce === 'disco') {
      leave(MIB, 0)
      expect((await add(2 * MIB, content.subarray(2 * MIB))).status).toBe(507)
    } else leave(0, 0)
    const offset = await reached()
    expect(offset).toBeGreaterThanOrEqual(2 * MIB)
    expect((await world.call('GET', `${contents}/public/subida.bin`)).status).toBe(404)
    await world.disk.relieve()
    expect((await add(offset, content.subarray(offset))).status).toBe(204)
    expect(Bun.hash(await Bun.file(join(root, 'subida.bin')).bytes())).toBe(Bun.hash(content))
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })
})

/** Lines of one text that are not in another, either way, the first of them. */
function lines(one: string, other: string): string[] {
  const [a, b] = [one.split('\n'), other.split('\n')]
  const [inA, inB] = [new Set(a), new Set(b)]
  return [...a.filter((line) => !inB.has(line)), ...b.filter((line) => !inA.has(line))].slice(0, 10)
}
