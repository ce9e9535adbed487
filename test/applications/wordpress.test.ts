import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plant } from '../api/store.ts'
import { sql } from '../bases/sql.ts'
import { partDirectory } from '../support/consistency.ts'
import { parseMail } from '../support/mails.ts'
import { eventually } from '../support/wait.ts'
import { rpc, struct, textOf, visitor } from './wordpress.ts'
import { codeOf, startWordPress, VERSION, type WordPressWorld } from './wordpress-world.ts'

setDefaultTimeout(120_000)

let world: WordPressWorld

beforeAll(async () => {
  world = await startWordPress()
})
afterAll(() => world?.stop())

describe('WordPress in Spanish, asked for by its customer', () => {
  let root: string
  const visit = (path: string, init?: RequestInit) => visitor(world.panel, 'ana.es')(path, init)

  beforeAll(async () => {
    root = await world.addSite('ana', 'ana.es')
    expect(await world.show('ana.es', world.ana.bearer)).toEqual({
      aplicacion: null,
      nombre: null,
      estado: null,
      version: null,
      nueva: VERSION,
      clon_de: null,
      se_puede_deshacer: false,
      admite: [],
    })
    const end = await world.installed('ana.es', { titulo: 'Mi "tienda" & <más>' }, world.ana.bearer)
    expect(end).toMatchObject({
      estado: 'hecha',
      objeto: expect.stringMatching(/^ana\.es /),
      resultado: { aplicacion: 'wordpress', version: VERSION, idioma: 'es_ES', correo_enviado: true },
    })
  }, 120_000)

  test('serves its front page, and an address without a file is WordPress’s', async () => {
    const front = await visit('/')
    expect([front.status, textOf(front)]).toEqual([200, expect.stringContaining('<html lang="es')])
    expect(textOf(front)).toContain('Mi &quot;tienda&quot; &amp; &lt;más&gt;')
    const missing = await visit('/no/hay/nada/')
    expect([missing.status, missing.headers.get('link')]).toEqual([404, expect.stringContaining('wp-json')])
  })

  test('is told with its version, has its database by the socket, and a task by the clock', async () => {
    expect(await world.show('ana.es', world.ana.bearer)).toEqual({
      aplicacion: 'wordpress',
      nombre: 'WordPress',
      estado: 'activa',
      version: VERSION,
      nueva: null,
      clon_de: null,
      se_puede_deshacer: false,
      admite: ['sesion', 'clonar'],
    })
    const bases = (await world.api('GET', '/bases?cliente=ana')).body.datos
    expect(bases).toMatchObject([{ base: expect.stringMatching(/^ana_wp\d+$/), estado: 'activa' }])
    const config = readFileSync(join(root, 'wp-config.php'), 'utf8')
    expect(config).toContain("define('DB_PASSWORD', '')")
    expect(new Set(config.match(/_(?:KEY|SALT)', '[^']{64}'/g)).size).toBe(8)
    expect(config).toContain("define('DISABLE_WP_CRON', true)")
    const [task] = (await world.api('GET', '/sitios/ana.es/programadas')).body.datos
    expect(task).toMatchObject({ orden: ['php8.2', 'public/wp-cron.php'], activa: true })
    const { id } = (await world.api('POST', `/sitios/ana.es/programadas/${task.id}/ejecutar`)).body.tarea
    await world.ended(id)
    const [run] = (await world.api('GET', `/sitios/ana.es/programadas/${task.id}/ejecuciones`)).body.datos
    expect([run.codigo, run.salida]).toEqual([0, ''])
  })

  test('belongs to the client, and nothing is left beside it', () => {
    const owner = statSync(root).uid
    expect(owner).toBeGreaterThan(0)
    for (const name of [
      'index.php',
      'wp-config.php',
      'wp-includes',
      'wp-content/mu-plugins/controlpanel.php',
    ])
      expect([name, statSync(join(root, name)).uid, statSync(join(root, name)).mode & 0o007]).toEqual([
        name,
        owner,
        0,
      ])
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })

  test('mails a link by which its owner chooses a password, writes with it, and uploads a picture', async () => {
    await eventually(async () => {
      await world.passOn()
      return world.smtp.received.length > 0
    }, 'the mail')
    const [mail] = world.smtp.received
    expect(mail).toMatchObject({
      recipients: ['ana@cliente.es'],
      subject: '[Mi "tienda" & <más>] Su WordPress está instalado',
    })
    const { text } = await parseMail(Buffer.from(mail?.raw ?? ''))
    const [, link = ''] = /(\/wp-login\.php\?action=rp\S+)/.exec(text) ?? []
    const browser = visitor(world.panel, 'ana.es')
    const first = await browser(link)
    const form = await browser(first.headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') ?? '')
    const [, key = ''] = /name="rp_key" value="([^"]+)"/.exec(textOf(form)) ?? []
    const password = 'una frase larga y rara 7'
    const body = new URLSearchParams({ pass1: password, pass2: password, rp_key: key })
    const chosen = await browser('/wp-login.php?action=resetpass', { method: 'POST', body })
    expect(chosen.status).toBe(200)

    const png = await Bun.file('docs/panel.png').bytes()
    const login = ['<int>1</int>', '<string>ana</string>', `<string>${password}</string>`]
    const uploaded = await rpc(
      visit,
      'wp.uploadFile',
      ...login,
      struct({
        name: '<string>foto.png</string>',
        type: '<string>image/png</string>',
        bits: `<base64>${png.toBase64()}</base64>`,
      }),
    )
    const [, picture = ''] = /<name>url<\/name>\s*<value><string>http:\/\/ana\.es([^<]+)/.exec(uploaded) ?? []
    const content = `&lt;p&gt;Hola &lt;img src="${picture}"&gt;&lt;/p&gt;`
    const made = await rpc(
      visit,
      'wp.newPost',
      ...login,
      struct({
        post_title: '<string>Mi primera entrada</string>',
        post_status: '<string>publish</string>',
        post_content: `<string>${content}</string>`,
      }),
    )
    const [, id = ''] = /<string>(\d+)<\/string>/.exec(made) ?? []
    const moved = await visit(`/?p=${id}`)
    const address = moved.headers.get('location') ?? ''
    expect([moved.status, address]).toEqual([
      301,
      expect.stringMatching(/^http:\/\/ana\.es\/\d{4}\/\d\d\/\d\d\/mi-primera-entrada\/$/),
    ])
    const page = await visit(new URL(address).pathname)
    expect([page.status, textOf(page)]).toEqual([200, expect.stringContaining(picture)])
    const seen = await visit(picture)
    expect([seen.status, seen.headers.get('content-type'), seen.bytes.length]).toEqual([
      200,
      'image/png',
      png.length,
    ])
    // GD made smaller ones of it.
    expect(readdirSync(join(root, picture, '..')).length).toBeGreaterThan(2)
  })
})

describe('a link into WordPress', () => {
  const open = (bearer: string) => world.panel.api('POST', '/sitios/ana.es/aplicacion/sesion', { bearer })
  const asked = async (words: string) => {
    const [{ base }] = (await world.api('GET', '/bases?cliente=ana')).body.datos
    const socket = `${partDirectory(world.panel, 'web')}/mariadb/run/mysqld.sock`
    return (await sql({ socket }, null, words, { database: base })).out
  }
  const rows = () => asked("select option_name from wp_options where option_name like 'controlpanel%'")

  test('signs its customer in once', async () => {
    const made = await open(world.ana.bearer)
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { url, caduca } = made.body
    expect(url).toMatch(/^http:\/\/ana\.es\/wp-login\.php\?controlpanel=[0-9A-Za-z]{43}$/)
    expect(Date.parse(caduca) - Date.now()).toBeLessThanOrEqual(60_000)
    const path = url.replace('http://ana.es', '')
    const browser = visitor(world.panel, 'ana.es')
    const came = await browser(path)
    expect([came.status, came.headers.get('location')]).toEqual([302, 'http://ana.es/wp-admin/'])
    expect(textOf(await browser('/wp-admin/'))).toContain('Escritorio')
    const other = visitor(world.panel, 'ana.es')
    expect((await other(path)).status).toBe(403)
    expect((await other('/wp-admin/')).status).toBe(302)
  })

  test('works for one of many that come at once, and is kept as a hash alone', async () => {
    const { url } = (await open(world.admin.bearer)).body
    const token = new URL(url).searchParams.get('controlpanel') ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(token).digest('hex')
    expect(await rows()).toBe(`controlpanel_session_${hash}`)
    const path = url.replace('http://ana.es', '')
    const all = await Promise.all(Array.from({ length: 6 }, () => visitor(world.panel, 'ana.es')(path)))
    expect(all.map(({ status }) => status).sort()).toEqual([302, 403, 403, 403, 403, 403])
    expect(await rows()).toBe('')
  })

  test('that is too old signs nobody in', async () => {
    const { url } = (await open(world.ana.bearer)).body
    await asked(
      "update wp_options set option_value = concat('1000|', substring_index(option_value, '|', -1)) where option_name like 'controlpanel%'",
    )
    expect((await visitor(world.panel, 'ana.es')(url.replace('http://ana.es', ''))).status).toBe(403)
  })

  test('has WordPress write https into its addresses once its site has a certificate, and no others', async () => {
    const named = "option_name in ('home', 'siteurl', 'otra')"
    const addresses = () => asked(`select option_value from wp_options where ${named} order by option_name`)
    await asked("insert into wp_options (option_name, option_value) values ('otra', 'http://ana.es')")
    expect((await open(world.ana.bearer)).body.url).toMatch(/^http:/)
    expect(await addresses()).toBe('http://ana.es\nhttp://ana.es\nhttp://ana.es')
    const state = "update sites set certificate_state = ? where domain = 'ana.es'"
    plant(world.panel, state, 'activo')
    expect((await open(world.ana.bearer)).body.url).toMatch(/^https:\/\/ana\.es\//)
    expect(await addresses()).toBe('https://ana.es\nhttp://ana.es\nhttps://ana.es')
    await asked("update wp_options set option_value = 'http://aparte.es/blog' where option_name = 'home'")
    await open(world.ana.bearer)
    expect(await addresses()).toBe('http://aparte.es/blog\nhttp://ana.es\nhttps://ana.es')
    plant(world.panel, state, 'autofirmado')
    await asked(`update wp_options set option_value = 'http://ana.es' where ${named}`)
    await asked("delete from wp_options where option_name = 'otra' or option_name like 'controlpanel%'")
  })

  test('is not made for a token, another client, or a site without one', async () => {
    expect(codeOf(await open(world.token))).toEqual([403, 'no_con_token'])
    expect(codeOf(await open(world.bob.bearer))).toEqual([404, 'sitio_no_existe'])
    await world.addSite('ana', 'sin.es')
    const none = await world.panel.api('POST', '/sitios/sin.es/aplicacion/sesion', {
      bearer: world.admin.bearer,
    })
    expect(codeOf(none)).toEqual([404, 'aplicacion_no_existe'])
  })
})

describe('an update', () => {
  const ask = (bearer = world.token) =>
    world.api('POST', '/sitios/ana.es/aplicacion/actualizar', undefined, bearer)
  const asked = async (words: string) => {
    const [{ base, socket }] = (await world.api('GET', '/bases?cliente=ana')).body.datos
    return (await sql({ socket }, null, words, { database: base })).out
  }
  const DB_VERSION = "select option_value from wp_options where option_name = 'db_version'"

  test('is refused where there is none, to another client, and for a site without an application', async () => {
    expect(codeOf(await ask())).toEqual([409, 'aplicacion_al_dia'])
    expect(codeOf(await ask(world.bob.bearer))).toEqual([404, 'sitio_no_existe'])
    const none = await world.api('POST', '/sitios/sin.es/aplicacion/actualizar')
    expect(codeOf(none)).toEqual([404, 'aplicacion_no_existe'])
  })

  test('brings WordPress and its database to the newer version, and keeps what is the customer’s', async () => {
    const now = await asked(DB_VERSION)
    await asked("update wp_options set option_value = '53000' where option_name = 'db_version'")
    const root = (await world.api('GET', '/sitios/ana.es')).body.raiz
    writeFileSync(join(root, 'mine.txt'), 'mine', { mode: 0o644 })
    writeFileSync(join(root, 'wp-admin/stale.php'), '<?php', { mode: 0o644 })
    const config = readFileSync(join(root, 'wp-config.php'), 'utf8')
    world.shelf.add('6.9')
    expect((await world.show('ana.es')).nueva).toBe('6.9')
    const begun = await ask(world.ana.bearer)
    expect(begun.status).toBe(202)
    expect(codeOf(await ask())).toEqual([409, 'ya_en_curso'])
    expect(await world.ended(begun.body.tarea.id)).toMatchObject({
      estado: 'hecha',
      resultado: { version: '6.9' },
    })
    expect(await world.show('ana.es')).toMatchObject({ estado: 'activa', version: '6.9', nueva: null })
    expect([await asked(DB_VERSION), await asked("show tables like 'controlpanel%'")]).toEqual([now, ''])
    expect(readFileSync(join(root, 'wp-config.php'), 'utf8')).toBe(config)
    expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(root, 'wp-admin/stale.php'))).toBe(false)
    expect((await visitor(world.panel, 'ana.es')('/')).status).toBe(200)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  })

  test('after which the site does not answer is taken back, files and tables', async () => {
    const root = (await world.api('GET', '/sitios/ana.es')).body.raiz
    const broken = join(root, 'wp-content/mu-plugins/broken.php')
    const words = `<?php if ($wp_version === '7.0') { $wpdb->query("DELETE FROM wp_posts"); throw new Error('x'); }`
    writeFileSync(broken, words, { mode: 0o644 })
    const posts = await asked('select count(*) from wp_posts')
    world.shelf.add('7.0')
    const end = await world.ended((await ask()).body.tarea.id)
    expect(end).toMatchObject({ estado: 'fallida', resultado: { codigo: 'aplicacion_no_responde' } })
    expect(await world.show('ana.es')).toMatchObject({ estado: 'activa', version: '6.9' })
    expect([Number(posts) > 0, await asked('select count(*) from wp_posts')]).toEqual([true, posts])
    expect(await asked("show tables like 'controlpanel%'")).toBe('')
    expect((await visitor(world.panel, 'ana.es')('/')).status).toBe(200)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    for (const version of ['6.9', '7.0'])
      rmSync(join(world.shelf.directory, `wordpress-${version}-es_ES.tar.gz`))
    world.shelf.add(VERSION)
  })
})

describe('a clone', () => {
  const CLONE = 'prueba.ana.es'
  const root = async (domain: string) => (await world.api('GET', `/sitios/${domain}`)).body.raiz
  const made = async (path: string, body?: object, bearer = world.token) => {
    const { body: answer, status } = await world.api('POST', path, body, bearer)
    expect([status, answer]).toMatchObject([202, { tarea: {} }])
    return world.ended(answer.tarea.id)
  }
  /** What MariaDB says in the database of a site's. */
  const asked = async (domain: string, words: string) => {
    const config = readFileSync(join(await root(domain), 'wp-config.php'), 'utf8')
    const [, database = ''] = /'DB_NAME', '([^']+)'/.exec(config) ?? []
    const [{ socket }] = (await world.api('GET', '/bases?cliente=ana')).body.datos
    return (await sql({ socket }, null, words, { database })).out
  }
  const KEPT = "select option_value from wp_options where option_name = 'kept'"
  const front = async (domain: string) => {
    const answer = await visitor(world.panel, domain)('/')
    return [answer.status, textOf(answer)] as const
  }

  test('is refused for another client, under a name that is taken, and of what is not there', async () => {
    const clone = (of: string, domain: string, bearer = world.token) =>
      world.api('POST', `/sitios/${of}/clonar`, { domain }, bearer)
    expect(codeOf(await clone('ana.es', 'x.ana.es', world.bob.bearer))).toEqual([404, 'sitio_no_existe'])
    expect(codeOf(await clone('ana.es', 'ana.es'))).toEqual([409, 'ya_existe'])
    expect(codeOf(await clone('sin.es', 'x.ana.es'))).toEqual([404, 'aplicacion_no_existe'])
    expect(codeOf(await world.api('POST', '/sitios/ana.es/publicar', {}))).toEqual([409, 'no_es_clon'])
    expect(codeOf(await world.api('POST', '/sitios/ana.es/publicar', { tablas: ['a`b'] }))[0]).toBe(422)
    const undo = await world.api('POST', '/sitios/ana.es/aplicacion/deshacer')
    expect(codeOf(undo)).toEqual([409, 'nada_que_deshacer'])
  })

  test('has the site’s files and tables under its own address, sends no mail and is not indexed', async () => {
    const inner = 's:22:"http://ana.es/foto.png";'
    const value = `a:2:{s:1:"a";${inner}s:1:"b";s:${inner.length}:"${inner}";}`
    await asked('ana.es', `insert into wp_options (option_name, option_value) values ('kept', '${value}')`)
    const end = await made('/sitios/ana.es/clonar', { domain: CLONE }, world.ana.bearer)
    expect(end).toMatchObject({ estado: 'hecha', resultado: { de: 'ana.es', domain: CLONE } })
    expect(await world.show(CLONE)).toMatchObject({ estado: 'activa', version: '6.9', clon_de: 'ana.es' })
    const copied = 's:29:"http://prueba.ana.es/foto.png";'
    expect(await asked(CLONE, KEPT)).toBe(`a:2:{s:1:"a";${copied}s:1:"b";s:${copied.length}:"${copied}";}`)
    expect(await asked('ana.es', KEPT)).toBe(value)
    const answer = await visitor(world.panel, CLONE)('/')
    expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect(textOf(answer)).toContain('noindex')
    expect(textOf(answer).match(/\/\/ana\.es/g)).toBeNull()
    const before = world.smtp.received.length
    const body = new URLSearchParams({ user_login: 'ana' })
    await visitor(world.panel, CLONE)('/wp-login.php?action=lostpassword', { method: 'POST', body })
    await world.passOn()
    expect(world.smtp.received.length).toBe(before)
    // Its settings share no key with the site's.
    const keys = (domain: string) =>
      asked(domain, 'select 1').then(async () =>
        readFileSync(join(await root(domain), 'wp-config.php'), 'utf8').match(/_(?:KEY|SALT)', '[^']{64}'/g),
      )
    const [one, other] = [await keys('ana.es'), await keys(CLONE)]
    expect([one?.length, other?.length, other?.filter((key) => one?.includes(key))]).toEqual([8, 8, []])
    expect(readdirSync(join(await root(CLONE), '../.controlpanel'))).toEqual([])
  })

  test('publishes its files and the tables that are named, which can be taken back', async () => {
    await asked(CLONE, "update wp_options set option_value = 'Nueva' where option_name = 'blogname'")
    await asked(CLONE, "update wp_posts set post_title = 'De la prueba' where ID = 1")
    writeFileSync(join(await root(CLONE), 'nuevo.txt'), 'nuevo', { mode: 0o644 })
    const site = await root('ana.es')
    mkdirSync(join(site, 'wp-content/uploads/luego'), { recursive: true, mode: 0o755 })
    writeFileSync(join(site, 'wp-content/uploads/luego/a.txt'), 'a', { mode: 0o644 })
    const unknown = await made(`/sitios/${CLONE}/publicar`, { tablas: ['wp_nada'] })
    expect(unknown).toMatchObject({ estado: 'fallida', resultado: { codigo: 'tabla_no_admitida' } })
    expect([await world.show('ana.es'), existsSync(join(site, 'mine.txt'))]).toMatchObject([
      { estado: 'activa', se_puede_deshacer: false },
      true,
    ])
    const config = readFileSync(join(site, 'wp-config.php'), 'utf8')
    const end = await made(`/sitios/${CLONE}/publicar`, { tablas: ['wp_posts'] }, world.ana.bearer)
    expect(end).toMatchObject({ estado: 'hecha' })
    expect(await world.show('ana.es')).toMatchObject({
      estado: 'activa',
      se_puede_deshacer: true,
      clon_de: null,
    })
    expect(readFileSync(join(site, 'nuevo.txt'), 'utf8')).toBe('nuevo')
    expect(readFileSync(join(site, 'wp-content/uploads/luego/a.txt'), 'utf8')).toBe('a')
    expect(readFileSync(join(site, 'wp-config.php'), 'utf8')).toBe(config)
    const [status, text] = await front('ana.es')
    expect([status, text.includes('De la prueba'), text.includes('Nueva')]).toEqual([200, true, false])
    expect(text).not.toContain('noindex')
    expect(await asked('ana.es', `select count(*) from wp_posts where post_content like '%${CLONE}%'`)).toBe(
      '0',
    )

    expect(await made('/sitios/ana.es/aplicacion/deshacer')).toMatchObject({ estado: 'hecha' })
    const [again, back] = await front('ana.es')
    expect([again, back.includes('De la prueba'), existsSync(join(site, 'nuevo.txt'))]).toEqual([
      200,
      false,
      false,
    ])
    expect(existsSync(join(site, 'mine.txt'))).toBe(true)
    expect(await asked('ana.es', "show tables like 'controlpanel%'")).toBe('')
    expect(readdirSync(join(site, '../.controlpanel'))).toEqual([])
    expect(codeOf(await world.api('POST', '/sitios/ana.es/aplicacion/deshacer'))).toEqual([
      409,
      'nada_que_deshacer',
    ])
  })
})
