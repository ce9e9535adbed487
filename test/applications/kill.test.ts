import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '../bases/sql.ts'
import { settled } from '../support/consistency.ts'
import { killDuring, startWorld, type World } from '../support/node-world.ts'
import { freePort } from '../support/ports.ts'
import { textOf, visitor } from './wordpress.ts'

setDefaultTimeout(120_000)

const CLIENT = 'instala'
const WANTED = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }
let world: World

beforeAll(async () => {
  world = await startWorld({ env: { PANEL_MARIADB_PORT: String(await freePort()) } })
  await world.panel.kill()
  await world.panel.up({ PANEL_TEST_STEPS: world.steps })
  await world.done('POST', '/clientes', { cliente: CLIENT, correo: 'ana@cliente.es' })
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const killedAt = (point: string, request: () => Promise<unknown>) =>
  killDuring(world, `${CLIENT}:${point}`, request)

let round = 0
async function newSite(): Promise<{ domain: string; root: string }> {
  round += 1
  const domain = `wp${round}.es`
  const { body } = await world.done('POST', '/sitios', { cliente: CLIENT, domain, aliases: [] })
  return { domain, root: body.raiz }
}

test.each([
  'application.database:before',
  'application.files:after',
  'application.install:after',
  'application.place:after',
  'application.tidy:after',
])('an installation that is killed at %s ends whole, once', async (point) => {
  const { domain, root } = await newSite()
  await killedAt(`aplicacion.instalar:${point}`, () =>
    world.call('POST', `/sitios/${domain}/aplicacion`, WANTED),
  )
  const { body } = await world.call('GET', `/sitios/${domain}/aplicacion`)
  expect([body.estado, body.version]).toEqual(['activa', expect.stringMatching(/^6\./)])
  const front = await visitor(world.panel, domain)('/')
  expect([front.status, textOf(front)]).toEqual([200, expect.stringContaining('wp-content')])
  expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  const tasks = (await world.call('GET', `/sitios/${domain}/programadas`)).body.datos
  const bases = (await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos
  expect([tasks.length, bases.length]).toEqual([1, round])
})

test.each(['application.install:after', 'application.place:after'])(
  'one without a database that is killed at %s ends whole',
  async (point) => {
    const aplicacion = 'dokuwiki'
    const { domain, root } = await newSite()
    await killedAt(`aplicacion.instalar:${point}`, () =>
      world.call('POST', `/sitios/${domain}/aplicacion`, { ...WANTED, aplicacion }),
    )
    const { body } = await world.call('GET', `/sitios/${domain}/aplicacion`)
    expect([body.estado, body.aplicacion]).toEqual(['activa', aplicacion])
    expect((await visitor(world.panel, domain)('/doku.php')).status).toBe(200)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  },
)

describe('an update that is killed', () => {
  let domain: string
  let root: string
  const path = () => join(root, 'wp-includes/version.php')
  /** Makes the installed version an older one than the node's package. */
  const age = () =>
    writeFileSync(
      path(),
      readFileSync(path(), 'utf8').replace(/\$wp_version = '[^']*'/, "$wp_version = '6.0'"),
    )
  const update = () => world.call('POST', `/sitios/${domain}/aplicacion/actualizar`)
  const show = async () => (await world.call('GET', `/sitios/${domain}/aplicacion`)).body

  beforeAll(async () => {
    ;({ domain, root } = await newSite())
    await world.call('POST', `/sitios/${domain}/aplicacion`, WANTED)
    await settled(world.panel, 60_000)
  })

  /** Nothing is left of the work, beside the site, in it or in its database. */
  async function expectWhole(): Promise<void> {
    const front = await visitor(world.panel, domain)('/')
    expect([front.status, textOf(front)]).toEqual([200, expect.stringContaining('wp-content')])
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    expect(readdirSync(root)).not.toContain('.maintenance')
    const tables = await databaseOf("show tables like 'controlpanel%'")
    expect(tables).toBe('')
  }
  async function databaseOf(words: string): Promise<string> {
    const { base, socket } = (await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos.at(
      -1,
    )
    return (await sql({ socket }, null, words, { database: base })).out
  }

  test.each(['application.copy:after', 'application.place:after', 'application.tidy:after'])(
    'at %s ends with the new version',
    async (point) => {
      age()
      await killedAt(`aplicacion.actualizar:${point}`, update)
      expect(await show()).toMatchObject({ estado: 'activa', version: expect.stringMatching(/^6\.[1-9]/) })
      await expectWhole()
    },
  )

  test.each(['application.back:after'])(
    'at %s ends as it was where the new version does not answer',
    async (point) => {
      age()
      const broken = join(root, 'wp-content/mu-plugins/broken.php')
      writeFileSync(broken, "<?php if ($wp_version !== '6.0') throw new Error('does not fit');", {
        mode: 0o644,
      })
      await killedAt(`aplicacion.actualizar:${point}`, update)
      expect(await show()).toMatchObject({ estado: 'activa', version: '6.0' })
      await expectWhole()
      rmSync(broken)
    },
  )
})

describe('a clone and its publication that are killed', () => {
  let domain: string
  let root: string
  const front = async (of: string) => {
    const answer = await visitor(world.panel, of)('/')
    return [answer.status, textOf(answer).includes('wp-content')]
  }
  const show = async (of: string) => (await world.call('GET', `/sitios/${of}/aplicacion`)).body
  const publish = () => world.call('POST', `/sitios/copia.${domain}/publicar`, { tablas: ['wp_posts'] })
  const undo = () => world.call('POST', `/sitios/${domain}/aplicacion/deshacer`)

  beforeAll(async () => {
    ;({ domain, root } = await newSite())
    await world.call('POST', `/sitios/${domain}/aplicacion`, WANTED)
    await settled(world.panel, 60_000)
    writeFileSync(join(root, 'mine.txt'), 'mine', { mode: 0o644 })
  })

  test.each([
    ['application.files:after', 'primera'],
    ['application.tables:after', 'otra'],
    ['application.place:after', 'copia'],
  ])('at %s a clone ends whole', async (point, name) => {
    await killedAt(`aplicacion.clonar:${point}`, () =>
      world.call('POST', `/sitios/${domain}/clonar`, { domain: `${name}.${domain}` }),
    )
    expect(await show(`${name}.${domain}`)).toMatchObject({ estado: 'activa', clon_de: domain })
    expect(await front(`${name}.${domain}`)).toEqual([200, true])
  })

  test('at every step that changes something a publication ends whole, and can be taken back', async () => {
    for (const point of ['files:after', 'tables:after', 'place:after', 'tidy:after']) {
      await killedAt(`aplicacion.publicar:application.${point}`, publish)
      const shown = [await show(domain), await show(`copia.${domain}`), await front(domain)]
      expect(shown).toMatchObject([{ se_puede_deshacer: true }, { estado: 'activa' }, [200, true]])
    }
    // Its next publication is taken back by itself where the site does not answer afterwards.
    const clones = (await world.call('GET', `/sitios/copia.${domain}`)).body.raiz
    const broken = join(clones, 'wp-content/mu-plugins/broken.php')
    writeFileSync(
      broken,
      "<?php if (!defined('DB_NAME') || !str_contains(__DIR__, 'copia')) throw new Error('x');",
      {
        mode: 0o644,
      },
    )
    await killedAt('aplicacion.publicar:application.back:after', publish)
    expect([await front(domain), await show(domain)]).toMatchObject([[200, true], { estado: 'activa' }])
    rmSync(broken)
    await publish()
    await settled(world.panel, 60_000)
    rmSync(join(root, 'mine.txt'))
    await killedAt('aplicacion.deshacer:application.back:after', undo)
    expect([(await show(domain)).se_puede_deshacer, await front(domain)]).toEqual([false, [200, true]])
    expect(readdirSync(root)).toContain('mine.txt')
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })
})
