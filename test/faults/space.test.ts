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

test('a site for which the disk has no inode left is 507, leaves nothing behind and is made once there is room', async () => {
  const before = await panel.api('PUT', '/altas/espacio:1', {
    bearer: token,
    body: { correo: 'a@cabe.es', domain: 'cabe.es', enviar: false },
  })
  expect(before.body.sitio.estado).toBe('activo')
  const filling = await fill(join(web, 'relleno'))
  const refused = await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'cabe.es', domain: 'nocabe.es' },
  })
  expect(refused.status).toBe(507)
  expect(refused.body).toMatchObject({ codigo: 'sin_espacio', recurso: 'inodos' })
  expect((await panel.api('GET', '/sitios/nocabe.es', { bearer: token })).status).toBe(404)
  expect(await readdir(join(web, 'h'))).not.toContain('nocabe.es')
  await rm(filling, { recursive: true })
  const made = await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'cabe.es', domain: 'nocabe.es' },
  })
  expect(made.status).toBe(201)
  expect(made.body.estado).toBe('activo')
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: 'nocabe.es' } })
  expect(answer.status).toBe(200)
})

/** Uses up every inode of the file system. */
async function fill(folder: string): Promise<string> {
  await mkdir(folder)
  for (let i = 0; ; i++) {
    try {
      await writeFile(join(folder, String(i)), '')
    } catch {
      return folder
    }
  }
}

function run(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(argv)
  if (exitCode !== 0) throw new Error(`${argv[0]}: ${stderr.toString()}`)
}
