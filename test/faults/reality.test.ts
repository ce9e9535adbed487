import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { plant } from '../api/store.ts'
import { nameServerApi, partDirectory, settled } from '../support/consistency.ts'
import { startWorld, type World } from '../support/node-world.ts'
import { eventually } from '../support/wait.ts'

let world: World
let root: string
let web: string

beforeAll(async () => {
  world = await startWorld()
  root = await world.client('tienda')
  writeFileSync(join(root, 'a.txt'), 'suyo', { mode: 0o644 })
  web = partDirectory(world.panel, 'web')
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

async function get(host: string, path: string): Promise<string> {
  const url = `http://127.0.0.1:${world.panel.httpPort}${path}`
  const answer = await fetch(url, { headers: { host }, keepalive: false })
  return `${answer.status} ${(await answer.text()).slice(0, 20)}`
}

async function told(): Promise<{ bien: boolean; consejo: string } | undefined> {
  const { lines } = await world.panel.command('doctor')
  return lines[0].find(({ comprobacion }: { comprobacion: string }) => comprobacion === 'diferencias')
}

/** Of databases, which this panel has none of. */
const NOBODYS = { bases_ajenas: 0, cuentas_ajenas: 0 }

/** What a comparison by hand finds. */
const compared = async () => (await world.panel.command('cron', 'diferencias')).lines[0].resultado

test('what was changed behind the panel’s back is repaired at its start, a name of nobody’s not served, and both told', async () => {
  const { panel } = world
  await panel.kill()
  unlinkSync(join(web, 'h/tienda.es'))
  unlinkSync(join(web, 't/tienda.es'))
  const [, client, site] = /\/c\/([0-9]+)\/([0-9]+)\/public$/.exec(root) ?? []
  symlinkSync(`../k/${client}/${site}`, join(web, 'h/nadie.es'))
  await panel.up()
  await eventually(async () => (await get('tienda.es', '/a.txt')) === '200 suyo', 'the site')
  expect(await get('nadie.es', '/a.txt')).toStartWith('404')
  expect(existsSync(join(web, 'h/nadie.es'))).toBe(false)
  expect(existsSync(join(web, 't/tienda.es'))).toBe(true)
  const advice = await eventually(async () => (await told())?.consejo ?? null, 'the word of it')
  for (const part of ['tienda (', 'name tienda.es', 'certificate of tienda.es', 'nadie.es'])
    expect(advice).toContain(part)
  expect(panel.log).toContain('a client differed from the database')
  expect(await compared()).toEqual({
    comparados: 2,
    reparados: 0,
    sin_carpeta: 0,
    nombres_ajenos: 0,
    ...NOBODYS,
  })
}, 120_000)

test('a site whose directory is away is told of and not served empty; put back, it is served again', async () => {
  const { panel } = world
  await panel.kill()
  const away = join(dirname(web), 'fuera')
  renameSync(root, away)
  await panel.up()
  const found = await eventually(async () => (await told()) ?? null, 'the word of it')
  expect(found.bien).toBe(false)
  expect(found.consejo).toContain(`no directory ${root}`)
  expect(await get('tienda.es', '/a.txt')).toStartWith('404')
  expect(lstatSync(root, { throwIfNoEntry: false })).toBeUndefined()
  expect(await compared()).toMatchObject({ reparados: 0, sin_carpeta: 1 })
  renameSync(away, root)
  expect(await get('tienda.es', '/a.txt')).toBe('200 suyo')
  expect(await compared()).toMatchObject({ reparados: 0, sin_carpeta: 0 })
}, 120_000)

test('one site of a client is away: its other site is repaired all the same, and both are told', async () => {
  const { panel } = world
  const other = (await world.done('POST', '/sitios', { cliente: 'tienda', domain: 'otra.tienda.es' })).body
  writeFileSync(join(other.raiz, 'b.txt'), 'otra', { mode: 0o644 })
  await settled(panel, 60_000)
  const away = join(dirname(web), 'fuera')
  renameSync(root, away)
  unlinkSync(join(web, 'h/otra.tienda.es'))
  unlinkSync(join(web, 'h/tienda.es'))
  const { lines } = await panel.command('doctor')
  const found = lines[0].find(
    ({ comprobacion, bien }: { comprobacion: string; bien: boolean }) =>
      comprobacion === 'diferencias' && !bien,
  )
  expect(found.consejo).toContain('name otra.tienda.es (mended by: cron diferencias)')
  expect(found.consejo).toContain(`no directory ${root} (restore what is missing from a backup)`)
  expect(await compared()).toMatchObject({ reparados: 1, sin_carpeta: 1 })
  await eventually(async () => (await get('otra.tienda.es', '/b.txt')) === '200 otra', 'the other site')
  await settled(panel, 60_000)
  expect(lstatSync(root, { throwIfNoEntry: false })).toBeUndefined()
  renameSync(away, root)
  expect(await compared()).toMatchObject({ reparados: 1, sin_carpeta: 0 })
  await eventually(async () => (await get('tienda.es', '/a.txt')) === '200 suyo', 'the site')
}, 120_000)

test('doctor compares by itself, changes nothing, and says what mends it', async () => {
  const about = async () => {
    const { lines, status } = await world.panel.command('doctor')
    const found = lines[0].filter(
      ({ comprobacion }: { comprobacion: string }) => comprobacion === 'diferencias',
    )
    const faults = found.filter(({ bien }: { bien: boolean }) => !bien)
    return { status, faults: faults.map(({ consejo }: { consejo: string }) => consejo) }
  }
  expect((await about()).faults).toEqual([])
  unlinkSync(join(web, 'h/tienda.es'))
  for (let look = 0; look < 2; look++)
    expect(await about()).toEqual({
      status: 1,
      faults: ['tienda: name tienda.es (mended by: cron diferencias)'],
    })
  await compared()
  await eventually(async () => (await about()).faults.length === 0, 'the name')
  expect(await get('tienda.es', '/a.txt')).toBe('200 suyo')
}, 120_000)

/** What the doctor says of a part, but for what the panel told of it at its start; and its status. */
async function said(part: string) {
  const { lines, status } = await world.panel.command('doctor')
  const found = lines[0].filter(({ comprobacion }: { comprobacion: string }) => comprobacion === part)
  const now = found.filter(({ consejo }: Told) => !consejo.startsWith('Compared with the database'))
  return { status, told: now.map(({ bien, consejo }: Told) => [bien, consejo]) }
}
type Told = { bien: boolean; consejo: string }

test('a client that has nothing yet is no fault, and gets what it needs with its first site', async () => {
  const { done, panel } = world
  await done('POST', '/clientes', { cliente: 'nuevo' })
  // A user that is missing is told of a client that was not made just now.
  plant(panel, "update clients set created_at = created_at - 600000 where name = 'nuevo'")
  expect(await said('diferencias')).toMatchObject({ status: 0, told: [] })
  expect(await said('usuarios de clientes')).toMatchObject({ status: 0, told: [] })
  expect(await compared()).toMatchObject({ reparados: 0 })
  await done('POST', '/sitios', { cliente: 'nuevo', domain: 'nuevo.es' })
  await settled(panel, 60_000)
  expect(await said('diferencias')).toMatchObject({ status: 0, told: [] })
}, 120_000)

test('a name of no site that the web server alone knows is told, and ends', async () => {
  const [entry, copy] = [join(web, 'n/tienda.es'), join(web, 'n/extrano.test')]
  cpSync(entry, copy, { verbatimSymlinks: true })
  expect(await get('extrano.test', '/a.txt')).toBe('200 suyo')
  expect(await said('diferencias')).toEqual({
    status: 1,
    told: [[false, 'extrano.test: served, and no site has this name (mended by: cron diferencias)']],
  })
  expect(await compared()).toMatchObject({ reparados: 0, nombres_ajenos: 1 })
  expect(await get('extrano.test', '/a.txt')).toStartWith('404')
  expect(await get('tienda.es', '/a.txt')).toBe('200 suyo')
}, 120_000)

test('what lies among the clients and is none’s is named', async () => {
  const [, client] = /\/c\/([0-9]+)\/[0-9]+\/public$/.exec(root) ?? []
  const places = ['c/99', `c/${client}/77`, `c/${client}/hola`, 'c/hola'].map((name) => join(web, name))
  expect((await said('restos')).told).toEqual([])
  for (const place of places) mkdirSync(place)
  const link = join(web, `c/${client}/enlace`)
  symlinkSync('/etc', link)
  const [unknown, other] = [
    [places[1], places[0]],
    [link, places[2], places[3]],
  ]
  expect(await said('restos')).toEqual({
    status: 1,
    told: [
      [
        false,
        `the database knows no client or site of ${unknown.join(', ')}: nothing there is served. Restore a later backup, or delete or move it`,
      ],
      [true, `nothing of the panel's, and in no copy of its clients: ${other.join(', ')}`],
    ],
  })
  for (const place of [...places, link]) rmSync(place, { recursive: true })
  expect(await said('restos')).toMatchObject({ status: 0, told: [] })
}, 120_000)

test('doctor asks the sites themselves, and names what does not come', async () => {
  const { panel } = world
  const sites = async () => {
    const { lines } = await panel.command('doctor')
    const found = lines[0].filter(({ comprobacion }: { comprobacion: string }) => comprobacion === 'sitios')
    return found.map(({ consejo }: { consejo: string }) => consejo).join()
  }
  // A program that takes its time is its owner's matter.
  writeFileSync(join(root, 'index.php'), '<?php sleep(60);', { mode: 0o644 })
  expect(await sites()).toBe('')
  // So is one that says itself that it is not there, as in maintenance.
  const away = (headers: string) => `<?php http_response_code(503); ${headers} echo 'vuelvo';`
  for (const headers of ['', "header('Retry-After: 3600');"]) {
    writeFileSync(join(root, 'index.php'), away(headers), { mode: 0o644 })
    expect([headers, await get('tienda.es', '/')]).toEqual([headers, '503 vuelvo'])
    expect([headers, await sites()]).toEqual([headers, ''])
  }
  // An answer that the web server cannot take is told by the web server.
  const unusable = "<?php header('X-Long: ' . str_repeat('x', 200000));"
  writeFileSync(join(root, 'index.php'), unusable, { mode: 0o644 })
  expect(await sites()).toContain('http://tienda.es: status 503')
  unlinkSync(join(root, 'index.php'))
  unlinkSync(join(web, 't/tienda.es'))
  symlinkSync(readlinkSync(join(web, 't/vecino.es')), join(web, 't/tienda.es'))
  const api = await nameServerApi(panel)
  await api.remove('tienda.es')
  const told = await eventually(async () => (await sites()) || null, 'the word of it')
  expect(told).toContain('https://tienda.es: its certificate is for other names')
  expect(told).toContain('zone tienda.es: ')
  expect(told).not.toContain('vecino')
}, 120_000)
