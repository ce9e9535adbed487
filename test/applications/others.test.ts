import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '../bases/sql.ts'
import { type ApplicationsWorld, startApplications } from './panel.ts'
import { textOf, type Visit, visitor } from './wordpress.ts'

setDefaultTimeout(180_000)

const PASSWORD = 'una frase larga y rara 7'
let world: ApplicationsWorld

beforeAll(async () => {
  world = await startApplications()
}, 120_000)
afterAll(() => world?.stop())

const show = async (domain: string) => (await world.api('GET', `/sitios/${domain}/aplicacion`)).body
const WANTED = { correo: 'ana@cliente.es', titulo: 'Mi "wiki" & \'más\'', idioma: 'es_ES' }
const post = (visit: Visit, path: string, fields: Record<string, string>) =>
  visit(path, { method: 'POST', body: new URLSearchParams(fields) })
const hidden = (page: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="${name}"`)
    .exec(page)
    ?.slice(1)
    .find((one) => one !== undefined) ?? ''

/** Makes an installed version an older one than the node's package. */
function age(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(from)
  writeFileSync(file, text.replace(from, to))
}

/** Puts files into a site, as its owner would. */
function add(root: string, files: Record<string, string>): void {
  const { uid, gid } = statSync(join(root, 'index.php'))
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o755 })
    writeFileSync(path, text, { mode: 0o644 })
    for (const made of [path, join(path, '..')]) chownSync(made, uid, gid)
  }
}

async function addSite(domain: string): Promise<string> {
  const made = await world.api('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
  expect(made.status).toBe(201)
  return made.body.raiz
}

test('what can be installed is told with what it needs, to customers too and in their language', async () => {
  const { body } = await world.api('GET', '/aplicaciones', undefined, world.ana.bearer)
  expect(body.datos.map(({ aplicacion }: { aplicacion: string }) => aplicacion)).toEqual([
    'wordpress',
    'dokuwiki',
    'mediawiki',
  ])
  expect(body.datos[1]).toMatchObject({
    nombre: 'DokuWiki',
    version: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
    idiomas: expect.arrayContaining(['en_US', 'es_ES']),
    php: ['8.2'],
    base: false,
  })
  expect(body.datos[2]).toMatchObject({ base: true, version: expect.stringMatching(/^1\.\d+/) })
})

describe('DokuWiki', () => {
  const visit = (path: string, init?: RequestInit) => visitor(world.panel, 'notas.es')(path, init)
  let root: string

  beforeAll(async () => {
    root = await addSite('notas.es')
    writeFileSync(join(root, 'mine.txt'), 'mine')
    const full = await world.api('POST', '/sitios/notas.es/aplicacion', { aplicacion: 'dokuwiki', ...WANTED })
    expect([full.status, full.body.codigo]).toEqual([409, 'sitio_no_vacio'])
    expect((await Bun.file(join(root, 'mine.txt')).text()).trim()).toBe('mine')
    await Bun.file(join(root, 'mine.txt')).delete()
    const end = await world.worked('notas.es', 'aplicacion', { aplicacion: 'dokuwiki', ...WANTED })
    expect(end).toMatchObject({
      estado: 'hecha',
      resultado: { aplicacion: 'dokuwiki', idioma: 'es_ES', correo_enviado: true },
    })
  })

  test('serves its pages, and nothing of what it keeps', async () => {
    const front = await visit('/doku.php')
    expect([front.status, textOf(front)]).toEqual([200, expect.stringContaining('lang="es"')])
    expect(textOf(front)).toContain('Mi &quot;wiki&quot; &amp; &#039;más&#039;')
    expect((await visit('/')).headers.get('location')).toContain('doku.php')
    for (const path of ['/.dokuwiki/conf/users.auth.php', '/.dokuwiki/data/pages/start.txt', '/install.php'])
      expect([path, (await visit(path)).status]).toEqual([path, 404])
    const script = await visit('/lib/exe/js.php?t=dokuwiki')
    expect([script.status, textOf(script)]).toEqual([200, expect.stringContaining('DOKU_BASE')])
    expect((await visit('/lib/exe/css.php?t=dokuwiki')).status).toBe(200)
    expect(textOf(await visit('/lib/exe/jquery.php'))).toContain('jQuery')
  })

  test('is the client’s own, without a database or a task, and cannot be cloned or signed in to', async () => {
    expect(await show('notas.es')).toMatchObject({ aplicacion: 'dokuwiki', nueva: null, admite: [] })
    expect(statSync(join(root, 'inc/preload.php')).uid).toBeGreaterThan(0)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    expect((await world.api('GET', '/bases?cliente=ana')).body.datos).toEqual([])
    expect((await world.api('GET', '/sitios/notas.es/programadas')).body.datos).toEqual([])
    const clone = await world.api('POST', '/sitios/notas.es/clonar', { domain: 'copia.notas.es' })
    const session = await world.api('POST', '/sitios/notas.es/aplicacion/sesion', {}, world.ana.bearer)
    expect([clone.body.codigo, session.body.codigo]).toEqual([
      'aplicacion_no_lo_admite',
      'aplicacion_no_lo_admite',
    ])
  })

  test('mails a link by which its owner chooses a password, and writes a page', async () => {
    const mail = await world.nextMail()
    expect(mail.recipients).toEqual(['ana@cliente.es'])
    expect(mail.subject).toContain('Su DokuWiki está instalado')
    const [, link = ''] = /http:\/\/notas\.es(\/doku\.php\S*do=resendpwd\S*)/.exec(mail.text) ?? []
    const browser = visitor(world.panel, 'notas.es')
    const form = textOf(await browser(link))
    expect(form).toContain('passchk')
    const chosen = { pass: PASSWORD, passchk: PASSWORD, sectok: hidden(form, 'sectok') }
    expect((await post(browser, link, chosen)).status).toBeLessThan(400)
    expect(textOf(await visit(link))).not.toContain('passchk')
    const login = { do: 'login', u: 'ana', p: PASSWORD, id: 'start' }
    await post(browser, '/doku.php?id=start', { ...login, sectok: hidden(form, 'sectok') })
    const editing = textOf(await browser('/doku.php?id=start&do=edit'))
    expect(editing).toContain('wikitext')
    const page = {
      id: 'start',
      do: 'save',
      'do[save]': '1',
      wikitext: 'Hola, ¿qué tal?',
      prefix: '.',
      suffix: '',
    }
    await post(browser, '/doku.php?id=start', {
      ...page,
      sectok: hidden(editing, 'sectok'),
      date: hidden(editing, 'date'),
      changecheck: hidden(editing, 'changecheck'),
    })
    expect(textOf(await visit('/doku.php?id=start'))).toContain('Hola, ¿qué tal?')
    // Whoever comes without an account only reads.
    expect(textOf(await visit('/doku.php?id=start&do=edit'))).not.toContain('do[save]')
  })

  test('is updated, and keeps pages, people and what was added', async () => {
    const version = (await show('notas.es')).version
    age(join(root, 'VERSION'), /^\S+/, '2020-07-29')
    add(root, { 'lib/plugins/mia/a.txt': 'a', 'inc/stale.php': '<?php', 'inc/preload.php': '<?php broken' })
    const people = readFileSync(join(root, '.dokuwiki/conf/users.auth.php'), 'utf8')
    expect(await show('notas.es')).toMatchObject({ version: '2020-07-29', nueva: version })
    // What it was did not answer, so it need not either, but does.
    expect((await world.worked('notas.es', 'aplicacion/actualizar')).estado).toBe('hecha')
    expect(await show('notas.es')).toMatchObject({ version, nueva: null, estado: 'activa' })
    expect(readFileSync(join(root, '.dokuwiki/conf/users.auth.php'), 'utf8')).toBe(people)
    expect([
      existsSync(join(root, 'lib/plugins/mia/a.txt')),
      existsSync(join(root, 'inc/stale.php')),
    ]).toEqual([true, false])
    expect(textOf(await visit('/doku.php?id=start'))).toContain('Hola, ¿qué tal?')
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })

  test('is as it was where the new version does not answer', async () => {
    age(join(root, 'VERSION'), /^\S+/, '2020-07-29')
    // What was added works with the old one alone.
    const added = "<?php if (!is_file(DOKU_INC . 'inc/old')) { http_response_code(500); exit; }"
    add(root, { 'inc/old': '', 'lib/plugins/mala/action.php': added })
    expect((await visit('/doku.php?id=start')).status).toBe(200)
    const end = await world.worked('notas.es', 'aplicacion/actualizar')
    expect(end).toMatchObject({ estado: 'fallida', resultado: { codigo: 'aplicacion_no_responde' } })
    expect(await show('notas.es')).toMatchObject({ version: '2020-07-29', estado: 'activa' })
    expect(textOf(await visit('/doku.php?id=start'))).toContain('Hola, ¿qué tal?')
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    expect(readdirSync(root)).not.toContain('.maintenance')
  })
})

describe('MediaWiki', () => {
  const visit = (path: string, init?: RequestInit) => visitor(world.panel, 'wiki.es')(path, init)
  let root: string

  beforeAll(async () => {
    root = await addSite('wiki.es')
    const wanted = { aplicacion: 'mediawiki', ...WANTED }
    const end = await world.worked('wiki.es', 'aplicacion', wanted, world.ana.bearer)
    expect(end).toMatchObject({
      estado: 'hecha',
      resultado: { aplicacion: 'mediawiki', idioma: 'es_ES', correo_enviado: true },
    })
  })
  const asked = async (words: string) => {
    const [{ base, socket }] = (await world.api('GET', '/bases?cliente=ana')).body.datos
    return (await sql({ socket }, null, words, { database: base })).out
  }

  test('serves its pages by the database of the socket, and has its task', async () => {
    expect([(await visit('/wiki/Nada')).status, (await visit('/')).status]).toEqual([404, 301])
    const home = await visit('/wiki/P%C3%A1gina_principal')
    expect([home.status, textOf(home)]).toEqual([200, expect.stringContaining('Mi "wiki"')])
    const [{ orden }] = (await world.api('GET', '/sitios/wiki.es/programadas')).body.datos
    expect(orden).toEqual(['php8.2', 'public/maintenance/runJobs.php', '--maxtime=50'])
    expect(readFileSync(join(root, 'LocalSettings.php'), 'utf8')).toContain("$wgDBpassword = '';")
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    expect(existsSync(join(root, 'mw-config'))).toBe(false)
  })

  test('mails a password that is replaced at the first sign-in', async () => {
    const mail = await world.nextMail()
    expect([mail.recipients, mail.subject]).toEqual([
      ['ana@cliente.es'],
      expect.stringContaining('Su MediaWiki está instalado'),
    ])
    const [, sent = ''] = /por la suya: (\S+)/.exec(mail.text) ?? []
    const browser = visitor(world.panel, 'wiki.es')
    const login = '/wiki/Especial:Entrar'
    const form = textOf(await browser(login))
    const first = { wpName: 'Ana', wpPassword: sent, wpLoginToken: hidden(form, 'wpLoginToken') }
    const change = textOf(await post(browser, login, { ...first, authAction: 'login', wploginattempt: '1' }))
    expect(change).toContain('name="retype"')
    const second = {
      wpPassword: PASSWORD,
      retype: PASSWORD,
      authAction: 'login-continue',
      wploginattempt: '1',
    }
    const done = await post(browser, login, { ...second, wpLoginToken: hidden(change, 'wpLoginToken') })
    expect(done.status).toBe(302)
    expect(textOf(await browser('/wiki/Especial:Preferencias'))).toContain('ana@cliente.es')
  })

  test('is updated with its database', async () => {
    const version = (await show('wiki.es')).version
    age(join(root, 'includes/Defines.php'), /'MW_VERSION', '[^']*'/, "'MW_VERSION', '1.35.0'")
    await asked('delete from updatelog; alter table page drop column page_lang')
    add(root, { 'images/mine.txt': 'mine' })
    const end = await world.worked('wiki.es', 'aplicacion/actualizar', undefined, world.ana.bearer)
    expect(end).toMatchObject({ estado: 'hecha', resultado: { version } })
    expect(existsSync(join(root, 'images/mine.txt'))).toBe(true)
    expect(await asked("show tables like 'controlpanel%'")).toBe('')
    expect((await visit('/wiki/P%C3%A1gina_principal')).status).toBe(200)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })
})
