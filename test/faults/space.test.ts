import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

const INODES = 600
let panel: Panel
let token: string
let web: string

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-'))
  await chmod(dataDir, 0o711)
  web = join(dataDir, 'web')
  await mkdir(web, { mode: 0o711 })
  run('mount', '-t', 'tmpfs', '-o', `size=64m,nr_inodes=${INODES},mode=711`, 'tmpfs', web)
  panel = await Panel.start({ dataDir })
  token = await newToken(panel, await firstAdmin(panel))
})

afterAll(async () => {
  panel.keepData = true
  await panel.stop()
  run('umount', web)
  await rm(panel.dataDir, { recursive: true })
})

const create = (domain: string) =>
  panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'cabe.es', domain } })

test('a node without an inode left takes no site and no client, and makes them once there is room', async () => {
  const before = await panel.api('PUT', '/altas/espacio:1', {
    bearer: token,
    body: { correo: 'a@cabe.es', domain: 'cabe.es', enviar: false },
  })
  expect(before.body.sitio.estado).toBe('activo')
  const filling = await fill(join(web, 'relleno'))
  const alta = { bearer: token, body: { correo: 'b@nocabe.es', domain: 'otro.es' } }
  for (const refused of [await create('nocabe.es'), await panel.api('PUT', '/altas/espacio:2', alta)]) {
    expect(refused.status).toBe(507)
    expect(refused.body).toMatchObject({ codigo: 'sin_espacio', recurso: 'inodos' })
  }
  expect((await panel.api('GET', '/clientes?referencia=espacio:2', { bearer: token })).body.datos).toEqual([])
  expect(await panel.mails()).toEqual([])
  await rm(filling, { recursive: true })
  expect((await panel.api('PUT', '/altas/espacio:2', alta)).status).toBe(201)
})

test('a site for which the inodes run out half way is 507, leaves nothing behind and is made once there is room', async () => {
  const filling = await fill(join(web, 'relleno'))
  await rm(join(filling, '0'))
  const refused = await create('nocabe.es')
  expect(refused.status).toBe(507)
  expect(refused.body).toMatchObject({ codigo: 'sin_espacio', recurso: 'inodos' })
  expect((await panel.api('GET', '/sitios/nocabe.es', { bearer: token })).status).toBe(404)
  expect(await readdir(join(web, 'h'))).not.toContain('nocabe.es')
  await rm(filling, { recursive: true })
  const made = await create('nocabe.es')
  expect(made.status).toBe(201)
  expect(made.body.estado).toBe('activo')
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: 'nocabe.es' } })
  expect(answer.status).toBe(200)
})

test('a provisioning for which the inodes run out half way is 507, and repeated it makes one client, site and login', async () => {
  const filling = await fill(join(web, 'relleno'))
  await rm(join(filling, '0'))
  const alta = { bearer: token, body: { correo: 'c@mitad.es', domain: 'mitad.es' } }
  const refused = await panel.api('PUT', '/altas/espacio:3', alta)
  expect([refused.status, refused.body.recurso]).toEqual([507, 'inodos'])
  expect((await panel.api('GET', '/sitios/mitad.es', { bearer: token })).status).toBe(404)
  await rm(filling, { recursive: true })
  for (const status of [200, 200]) {
    const again = await panel.api('PUT', '/altas/espacio:3', alta)
    expect([again.status, again.body.sitio.estado]).toEqual([status, 'activo'])
  }
  const known = await panel.api('GET', '/clientes?referencia=espacio:3', { bearer: token })
  expect(known.body.datos.length).toBe(1)
  await panel.mailTo('c@mitad.es')
  expect((await panel.mails()).filter(({ to }) => to === 'c@mitad.es').length).toBe(1)
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: 'mitad.es' } })
  expect(answer.status).toBe(200)
})

/** Uses up every inode of the file system, those too that work still under way gives back in the next moments. */
async function fill(folder: string): Promise<string> {
  await mkdir(folder)
  let full = 0
  for (let i = 0; full < 10; ) {
    try {
      await writeFile(join(folder, String(i)), '')
      i++
      full = 0
    } catch {
      full++
      await Bun.sleep(50)
    }
  }
  return folder
}

function run(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv[0]}: ${stderr.toString()}`)
}
