import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from '../bases/sql.ts'
import { settled } from '../support/consistency.ts'
import { killDuring, startWorld, type World } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'
import { textOf, visitor } from './wordpress.ts'

setDefaultTimeout(240_000)

/** MediaWiki installs itself in half a minute, beside much else in two. */
const SETTLED_MS = 180_000

const CLIENT = 'instala'
/** A page that the application itself makes, and what of it tells so. */
const PAGES = { dokuwiki: ['/doku.php', 'dokuwiki'], mediawiki: ['/wiki/Especial:Versi%C3%B3n', 'MediaWiki'] }
type Kind = keyof typeof PAGES
let world: World

beforeAll(async () => {
  world = await startWorld({ env: { PANEL_MARIADB_PORT: String(await freePort()) } })
  await world.panel.kill()
  await world.panel.up({ PANEL_TEST_STEPS: world.steps })
  await world.done('POST', '/clientes', { cliente: CLIENT, correo: 'ana@cliente.es' })
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

let round = 0
async function newSite(): Promise<{ domain: string; root: string }> {
  round += 1
  const domain = `otro${round}.es`
  const { body } = await world.done('POST', '/sitios', { cliente: CLIENT, domain, aliases: [] })
  return { domain, root: body.raiz }
}
const killedAt = (point: string, request: () => Promise<unknown>) =>
  killDuring(world, `${CLIENT}:${point}`, request, SETTLED_MS)
const install = (aplicacion: Kind | 'wordpress', domain: string) =>
  world.call('POST', `/sitios/${domain}/aplicacion`, { aplicacion, correo: 'ana@cliente.es' })
const show = async (domain: string) => (await world.call('GET', `/sitios/${domain}/aplicacion`)).body
const bases = async (): Promise<Json[]> =>
  (await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos

async function expectServed(kind: Kind, domain: string): Promise<void> {
  const [path = '', text = ''] = PAGES[kind]
  const answer = await visitor(world.panel, domain)(path)
  expect([domain, answer.status, textOf(answer)]).toEqual([domain, 200, expect.stringContaining(text)])
}

test.each([
  ['dokuwiki', 'files:after'],
  ['dokuwiki', 'mail:after'],
  ['mediawiki', 'install:after'],
] as const)('an installation of %s that is killed at %s ends whole, once', async (kind, point) => {
  const before = (await bases()).length
  const { domain, root } = await newSite()
  await killedAt(`aplicacion.instalar:application.${point}`, () => install(kind, domain))
  expect(await show(domain)).toMatchObject({ estado: 'activa', aplicacion: kind })
  await expectServed(kind, domain)
  expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  const tasks = (await world.call('GET', `/sitios/${domain}/programadas`)).body.datos
  const own = kind === 'mediawiki' ? 1 : 0
  expect([tasks.length, (await bases()).length - before]).toEqual([own, own])
})

describe.each([
  {
    kind: 'dokuwiki' as const,
    file: 'VERSION',
    version: /^\S+/,
    old: '2020-07-29',
    aged: '2020-07-29',
    // Made anew by an update; a part of the customer's own that works with the old version alone.
    part: 'lib/plugins/mala/action.php',
    unfit:
      "<?php if (!str_starts_with(file_get_contents(DOKU_INC . 'VERSION'), '2020-07-29')) { http_response_code(500); exit; }",
    points: ['place:after', 'tidy:before'],
  },
  {
    kind: 'mediawiki' as const,
    file: 'includes/Defines.php',
    version: /'MW_VERSION', '[^']*'/,
    // Of the same branch, or its own skins refuse it.
    old: '1.39.0',
    aged: "'MW_VERSION', '1.39.0'",
    part: 'LocalSettings.php',
    unfit: "if (MW_VERSION !== '1.39.0') { throw new Error('does not fit'); }",
    points: ['place:after'],
  },
])('an update of $kind that is killed', ({ kind, file, version, old, aged, part, unfit, points }) => {
  let domain: string
  let root: string
  let newest: string
  const path = (name: string) => join(root, name)
  const update = () => world.call('POST', `/sitios/${domain}/aplicacion/actualizar`)

  beforeAll(async () => {
    ;({ domain, root } = await newSite())
    await install(kind, domain)
    await settled(world.panel, SETTLED_MS)
    newest = (await show(domain)).version
  }, 240_000)

  async function age(): Promise<void> {
    writeFileSync(path(file), readFileSync(path(file), 'utf8').replace(version, aged))
    // What its own program notes of all that it has done.
    if (kind === 'mediawiki') await inBase('delete from updatelog')
  }
  async function inBase(words: string): Promise<string> {
    const base = (await bases()).at(-1)
    return (await sql({ socket: base?.socket }, null, words, { database: base?.base })).out
  }
  /** Nothing is left of the work, and the database is of the files' version. */
  async function expectWhole(upgraded: boolean): Promise<void> {
    await expectServed(kind, domain)
    expect(readdirSync(path('../.controlpanel'))).toEqual([])
    expect(readdirSync(root)).not.toContain('.maintenance')
    if (kind !== 'mediawiki') return
    expect(await inBase("show tables like 'controlpanel%'")).toBe('')
    expect((await inBase('select count(*) from updatelog')) !== '0').toBe(upgraded)
  }

  test.each(points)('at %s ends with the new version', async (point) => {
    await age()
    await killedAt(`aplicacion.actualizar:application.${point}`, update)
    expect(await show(domain)).toMatchObject({ estado: 'activa', version: newest })
    await expectWhole(true)
  })

  test('at back:after ends as it was where the new version does not answer', async () => {
    await age()
    const before = existsSync(path(part)) ? readFileSync(path(part), 'utf8') : null
    mkdirSync(dirname(path(part)), { recursive: true })
    writeFileSync(path(part), `${before ?? ''}${unfit}\n`, { mode: 0o644 })
    const { uid, gid } = statSync(path(file))
    for (const made of [path(part), dirname(path(part))]) chownSync(made, uid, gid)
    await killedAt('aplicacion.actualizar:application.back:after', update)
    expect(await show(domain)).toMatchObject({ estado: 'activa', version: old })
    await expectWhole(false)
    expect(readFileSync(path(part), 'utf8')).toContain(unfit)
  })
})

test.each(['site.unserve:after', 'site.files:after'])(
  'a site with an application whose deletion is killed at %s is gone whole, and its database stays',
  async (point) => {
    const { domain, root } = await newSite()
    await install('wordpress', domain)
    await settled(world.panel, SETTLED_MS)
    const base = (await bases()).at(-1)
    await killedAt(`sitio.eliminar:${point}`, () => world.call('DELETE', `/sitios/${domain}`))
    expect((await world.call('GET', `/sitios/${domain}`)).status).toBe(404)
    expect([existsSync(root), (await visitor(world.panel, domain)('/')).status]).toEqual([false, 404])
    expect((await bases()).at(-1)).toMatchObject({ base: base?.base, estado: 'activa' })
    const again = await world.done('POST', '/sitios', { cliente: CLIENT, domain, aliases: [] })
    expect([again.body.estado, readdirSync(again.body.raiz)]).toEqual(['activo', []])
    expect(await show(domain)).toMatchObject({ aplicacion: null, estado: null })
  },
)
