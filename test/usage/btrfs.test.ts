import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveNative } from '../support/native.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

const MIB = 1_048_576
let directory: string
let mount: string
let panel: Panel
let token: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'btrfs-'))
  await chmod(directory, 0o711)
  mount = join(directory, 'mount')
  await mkdir(mount)
  await run('truncate', '-s', '400M', join(directory, 'image'))
  await run('mkfs.btrfs', '-q', join(directory, 'image'))
  await run('mount', '-o', 'loop', join(directory, 'image'), mount)
  await run('btrfs', 'quota', 'enable', mount)
  await mkdir(join(mount, 'data'))
  panel = await Panel.start({ dataDir: join(mount, 'data') })
  token = await newToken(panel, await firstAdmin(panel))
  await call('POST', '/planes', { plan: 'basico', disco_bytes: 6 * MIB })
  await call('POST', '/clientes', { cliente: 'acme', plan: 'basico' })
}, 60_000)
afterAll(async () => {
  await panel.stop()
  await run('umount', mount)
  await rm(directory, { recursive: true })
}, 60_000)

async function run(...argv: string[]): Promise<void> {
  const child = Bun.spawn(argv, { stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
}

const runAs = (uid: number, ...argv: string[]) =>
  run('setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...argv)

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

async function addSite(domain: string): Promise<string> {
  const made = await call('POST', '/sitios', { cliente: 'acme', domain, aliases: [] })
  expect([made.status, made.body.estado]).toEqual([201, 'activo'])
  return made.body.raiz
}

test('on btrfs with quotas the kernel counts a client and holds it to its plan, also after the plan changes', async () => {
  const root = await addSite('uno.es')
  await writeFile(join(root, 'fits'), Buffer.alloc(4 * MIB, 1))
  await expect(writeFile(join(root, 'too-much'), Buffer.alloc(8 * MIB, 1))).rejects.toMatchObject({
    code: 'EDQUOT',
  })
  await rm(join(root, 'too-much'))
  await panel.command('cron', 'uso')
  const { body } = await call('GET', '/clientes/acme/uso')
  expect(body.origen).toBe('cuota')
  expect(body.consumo.disco_bytes.usado).toBeWithin(4 * MIB, 4.5 * MIB)
  expect(body.consumo.inodos.usado).toBeGreaterThan(3)
  await call('POST', '/clientes/acme/plan', { plan: null })
  await writeFile(join(root, 'now'), Buffer.alloc(8 * MIB, 1))
}, 60_000)

test('subvolumes in a customer’s tree count against its plan, and its site can still be deleted and purged', async () => {
  await call('PUT', '/altas/btrfs:1', {
    cliente: 'anidado',
    correo: 'a@anidado.es',
    domain: 'anidado.es',
    plan: 'basico',
    enviar: false,
  })
  const raiz = (await call('GET', '/sitios/anidado.es')).body.raiz
  const { uid } = await stat(raiz)
  const subvolumes = async () => new Response(Bun.spawn(['btrfs', 'subvolume', 'list', mount]).stdout).text()
  // Any user may make a subvolume where it may make a directory; one in another, and one with a blank.
  const nested = join(raiz, 'uno dos')
  for (const path of [nested, join(nested, 'tres')]) await runAs(uid, 'btrfs', 'subvolume', 'create', path)
  for (const path of [nested, join(nested, 'tres')])
    await runAs(uid, 'dd', 'if=/dev/zero', `of=${join(path, 'datos')}`, 'bs=1M', 'count=4', 'status=none')
  await runAs(uid, 'btrfs', 'subvolume', 'snapshot', '-r', join(nested, 'tres'), join(nested, 'foto'))
  // A name that is no text.
  await mkdir(join(raiz, 'carpeta'))
  await run('btrfs', 'subvolume', 'create', join(raiz, 'carpeta', 'cinco'))
  await rename(join(raiz, 'carpeta'), Buffer.concat([Buffer.from(`${raiz}/`), Buffer.from([0xff, 0xfe])]))
  await panel.command('cron', 'uso')
  const { body } = await call('GET', '/clientes/anidado/uso')
  expect(body.consumo.disco_bytes.usado).toBeGreaterThanOrEqual(8 * MIB)
  expect((await call('POST', '/sitios', { cliente: 'anidado', domain: 'otro.es' })).status).toBe(507)
  expect((await call('DELETE', '/clientes/anidado')).status).toBe(200)
  const { lines } = await panel.command('papelera')
  const { id } = lines[0].find(({ nombre }: { nombre: string }) => nombre === 'anidado')
  const purged = await panel.command('papelera', 'purgar', id)
  expect([purged.status, purged.error]).toEqual([0, ''])
  expect((await panel.command('papelera')).lines[0]).toEqual([])
  expect(await subvolumes()).not.toMatch(/tres|foto|cinco/)
}, 60_000)

test('a site and a client of such a file system can be deleted, given back and purged', async () => {
  const root = await addSite('dos.es')
  await writeFile(join(root, 'index.html'), 'hola')
  const gone = await call('DELETE', '/sitios/dos.es')
  expect([gone.status, gone.body]).toEqual([200, { domain: 'dos.es', eliminado: true }])
  expect(existsSync(root)).toBe(false)
  const listed = (await panel.command('papelera')).lines[0]
  expect(listed).toMatchObject([{ id: 'sitio-3' }])
  const again = await addSite('dos.es')
  const restored = await panel.command('papelera', 'restaurar', 'sitio-3', '--sitio', 'dos.es')
  expect(restored.status).toBe(0)
  expect(await readFile(join(again, 'index.html'), 'utf8')).toBe('hola')
  expect((await call('DELETE', '/clientes/acme')).status).toBe(200)
  expect((await panel.command('papelera', 'purgar', 'cliente-1')).status).toBe(0)
  expect((await panel.command('papelera')).lines[0]).toEqual([])
  const subvolumes = Bun.spawn(['btrfs', 'subvolume', 'list', mount])
  expect(await new Response(subvolumes.stdout).text()).toBe('')
}, 60_000)

test('a customer’s programs make no subvolumes, which the plan’s quota would not hold', async () => {
  await call('POST', '/clientes', { cliente: 'nativo' })
  const root = (await call('POST', '/sitios', { cliente: 'nativo', domain: 'nativo.es' })).body.raiz
  giveNative(root)
  const order = '(btrfs subvolume create nuevo; btrfs subvolume snapshot /tmp foto; echo fin) > said 2>&1'
  const headers = { host: 'nativo.es' }
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/n.php`, {
    method: 'POST',
    headers,
    body: order,
  })
  expect(await answer.text()).toBe('mailed')
  expect(await readFile(join(root, 'said'), 'utf8')).toMatch(/not permitted.*fin/s)
  expect([existsSync(join(root, 'nuevo')), existsSync(join(root, 'foto'))]).toEqual([false, false])
})
