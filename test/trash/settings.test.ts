import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { killDuring } from '../support/node-world.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { workEnded } from '../support/work.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let ana: SignedIn

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await newCustomer(panel, token, 'ana')
  await newCustomer(panel, token, 'bea')
}, 60_000)
afterAll(() => panel?.stop())

const api = (method: string, path: string, body?: object, bearer = token): Promise<Answer> =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })
async function done(method: string, path: string, body?: object, bearer = token): Promise<Json> {
  const answer = await api(method, path, body, bearer)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const entryOf = async (name: string): Promise<Json> => {
  const found = (await done('GET', `/papelera?buscar=${name}`)).datos[0]
  expect(found?.nombre).toBe(name)
  return found
}
async function visit(host: string, path: string, who?: string) {
  const headers = { host, ...(who ? { authorization: `Basic ${btoa(who)}` } : {}) }
  const url = `http://127.0.0.1:${panel.httpPort}${path}`
  const answer = await fetch(url, { headers, redirect: 'manual', keepalive: false })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') }
}
async function restore(id: string, body: object = {}, bearer = token): Promise<Json> {
  const { tarea } = await done('POST', `/papelera/${id}/restaurar`, body, bearer)
  const ended = await workEnded((method, path) => panel.api(method, path, { bearer }), tarea.id)
  expect([ended.estado, ended.error]).toEqual(['hecha', null])
  return ended.resultado
}

const SETTINGS = {
  raiz_web: 'web',
  indice_spa: true,
  indice: ['portada.html', 'index.php'],
  solo_https: true,
  cache: { segundos: 60, parametros: ['p'], estaticos: true },
  redirecciones: [{ de: '/viejo', a: 'https://otra.es/', codigo: 302 }],
  protegidas: [{ ruta: '/privado', usuario: 'ana' }],
  paginas_error: { 404: '/404.html' },
  php_ajustes: {
    ...{ memoria_bytes: 134_217_728, subida_bytes: 8_388_608, segundos: 30, max_input_vars: 2000 },
    mostrar_errores: true,
  },
}
const SHOWN = [...Object.keys(SETTINGS), 'aliases', 'php']
const shown = async (domain: string) => {
  const site = await done('GET', `/sitios/${domain}`)
  return Object.fromEntries(SHOWN.map((key) => [key, site[key]]))
}
/** Of several that were made in the same moment any may come first. */
const tasks = async (domain: string) =>
  (await done('GET', `/sitios/${domain}/programadas`)).datos
    .map(({ cuando, orden, activa }: Json) => ({ cuando, orden, activa }))
    .toSorted((one: Json, other: Json) => Number(other.activa) - Number(one.activa))

type Site = { domain: string; login: string; before: Json; tasks: Json[] }

/** A client's site with settings of all kinds, and files below its own document root. */
async function furnish(domain: string, aliases: string[] = [], cliente = 'ana'): Promise<Site> {
  await done('POST', '/sitios', { cliente, domain, aliases })
  const { raiz } = await done('PATCH', `/sitios/${domain}`, SETTINGS)
  expect((await done('GET', `/sitios/${domain}`)).raiz_web).toBe('web')
  mkdirSync(join(raiz, 'privado'), { recursive: true, mode: 0o755 })
  for (const [name, text] of [
    ['portada.html', 'portada'],
    ['privado/portada.html', 'secreto'],
  ] as const)
    writeFileSync(join(raiz, name), text, { mode: 0o644 })
  const asked = `/sitios/${domain}/protegidas/${encodeURIComponent('/privado')}/contrasena`
  const { usuario, contrasena } = await done('POST', asked, undefined, admin.bearer)
  const orden = ['php8.2', 'web/tarea.php']
  for (const activa of [true, false])
    await done('POST', `/sitios/${domain}/programadas`, { cuando: '7 3 * * *', orden, activa })
  expect((await visit(domain, '/privado/')).status).toBe(401)
  const login = `${usuario}:${contrasena}`
  return { domain, login, before: await shown(domain), tasks: await tasks(domain) }
}

/** Asks for a path that a password opens until told to stop; answers each status that was met. */
function watch(host: string, path: string): () => Promise<Set<number>> {
  let goesOn = true
  const met = new Set<number>()
  const asking = (async () => {
    while (goesOn) met.add((await visit(host, path)).status)
  })()
  return async () => {
    goesOn = false
    await asking
    return met
  }
}

async function expectBack({ domain, login, before, tasks: kept }: Site): Promise<void> {
  expect(await shown(domain)).toEqual(before)
  expect(await tasks(domain)).toEqual(kept)
  expect((await visit(domain, '/privado/')).status).toBe(401)
  expect((await visit(domain, '/privado/', login)).text).toBe('secreto')
  expect((await visit(domain, '/')).text).toBe('portada')
  expect((await visit(domain, '/viejo')).to).toBe('https://otra.es/')
}

test('a deleted site comes back with its settings and tasks, and what a password opens is never open', async () => {
  const site = await furnish('ana-uno.es', ['www.ana-uno.es', 'ana-otro.es'])
  await done('DELETE', `/sitios/${site.domain}`)
  const { id } = await entryOf(site.domain)
  await done('POST', '/sitios', { cliente: 'ana', domain: site.domain, aliases: [] })
  const stop = watch(site.domain, '/privado/')
  const plan = await done('POST', `/papelera/${id}/restaurar?simular=si`, {}, ana.bearer)
  expect(plan).toMatchObject({ sitio: site.domain, ajustes: true, omitidos: [] })
  expect(await restore(id, {}, ana.bearer)).toEqual({ sitio: site.domain })
  await expectBack(site)
  expect((await stop()).has(200)).toBe(false)
})

test('what cannot come back is told, before and afterwards, and the rest comes back', async () => {
  const site = await furnish('ana-dos.es', ['ana-libre.es', 'ana-tomado.es'])
  await done('DELETE', `/sitios/${site.domain}`)
  await done('POST', '/sitios', { cliente: 'bea', domain: 'ana-tomado.es', aliases: [] })
  const { id } = await entryOf(site.domain)
  await done('POST', '/sitios', { cliente: 'ana', domain: site.domain, aliases: [] })
  const funciones = ['programadas', 'https', 'sftp', 'bases']
  await done('POST', '/planes', { plan: 'corto', programadas: 3, funciones })
  await done('POST', '/clientes/ana/plan', { plan: 'corto' })
  const omitidos = [
    { ajuste: 'php', nombre: '8.2', motivo: 'funcion_de_pago' },
    { ajuste: 'alias', nombre: 'ana-tomado.es', motivo: 'dominio_ocupado' },
    { ajuste: 'tarea', nombre: '7 3 * * *', motivo: 'limite_del_plan' },
  ]
  const plan = await done('POST', `/papelera/${id}/restaurar?simular=si`)
  expect(plan.omitidos).toEqual(omitidos)
  expect(await restore(id)).toEqual({ sitio: site.domain, omitidos })
  await done('POST', '/clientes/ana/plan', { plan: null })
  expect((await shown(site.domain)).aliases).toEqual(['ana-libre.es'])
  expect(await tasks(site.domain)).toEqual(site.tasks.slice(0, 1))
  expect((await visit(site.domain, '/privado/', site.login)).text).toBe('secreto')
})

test('a site without files is kept for what it was set to, and nothing of it is once it is purged', async () => {
  const domain = 'ana-puente.es'
  const { redirecciones } = SETTINGS
  await done('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
  await done('PATCH', `/sitios/${domain}`, { redirecciones })
  await done('DELETE', `/sitios/${domain}`)
  const { id, nombre } = await entryOf(domain)
  await done('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
  await restore(id)
  expect((await visit(domain, '/viejo')).to).toBe('https://otra.es/')
  await done('DELETE', `/sitios/${domain}`)
  const again = await entryOf(domain)
  const gone = { confirmar: nombre }
  expect(await done('DELETE', `/papelera/${again.id}`, gone, admin.bearer)).toMatchObject({ eliminado: true })
  const left = Bun.spawnSync(['grep', '-rl', domain, join(panel.dataDir, 'web/bin')])
  expect(left.stdout.toString()).toBe('')
})

test('a site that goes to another client is protected, and takes nothing that was the other’s alone', async () => {
  const site = await furnish('ana-ajena.es', ['www.ana-ajena.es'])
  await done('DELETE', `/sitios/${site.domain}`)
  const { id } = await entryOf(site.domain)
  await done('POST', '/sitios', { cliente: 'bea', domain: 'bea-toma.es', aliases: [] })
  const omitidos = [{ ajuste: 'alias', nombre: 'www.ana-ajena.es', motivo: 'otro_sitio' }]
  expect(await restore(id, { sitio: 'bea-toma.es' })).toEqual({ sitio: 'bea-toma.es', omitidos })
  expect((await visit('bea-toma.es', '/privado/')).status).toBe(401)
  expect((await visit('bea-toma.es', '/privado/', site.login)).text).toBe('secreto')
})

test('killed at any of its steps, all of a site’s settings come back once', async () => {
  const steps = join(panel.dataDir, 'pasos')
  mkdirSync(steps)
  await panel.kill()
  await panel.up({ PANEL_TEST_STEPS: steps })
  for (const step of ['bin.settings:after', 'bin.restore:before', 'bin.restore:after']) {
    const site = await furnish(`ana-${step.replace(/\W/g, '-')}.es`, [])
    await done('DELETE', `/sitios/${site.domain}`)
    const { id } = await entryOf(site.domain)
    await done('POST', '/sitios', { cliente: 'ana', domain: site.domain, aliases: [] })
    const begin = () => api('POST', `/papelera/${id}/restaurar`)
    await killDuring({ panel, steps }, `ana:papelera.restaurar:${step}`, begin)
    await expectBack(site)
  }
}, 180_000)

test('the command brings the settings back, and puts those of a whole client beside its files', async () => {
  const site = await furnish('ana-orden.es')
  await done('DELETE', `/sitios/${site.domain}`)
  const { id } = await entryOf(site.domain)
  await done('POST', '/sitios', { cliente: 'ana', domain: site.domain, aliases: [] })
  const { status, lines } = await panel.command('papelera', 'restaurar', id, '--sitio', site.domain)
  expect([status, lines[0]]).toMatchObject([0, { restaurado: id }])
  await expectBack(site)

  await done('DELETE', '/clientes/ana')
  const whole = await entryOf('ana')
  const { ruta } = await restore(whole.id)
  const kept = JSON.parse(readFileSync(`${ruta}.json`, 'utf8'))
  expect(statSync(`${ruta}.json`).mode & 0o777).toBe(0o600)
  expect(kept.sites.map(({ domain }: Json) => domain)).toContain(site.domain)
  expect(kept.guards.every(({ secretHash }: Json) => secretHash.startsWith('{SSHA}'))).toBe(true)
  expect(kept.tasks.length).toBeGreaterThan(2)
}, 120_000)

test('a whole client comes back site by site, each with its settings, once it is made again', async () => {
  await done('POST', '/clientes', { cliente: 'caro', correo: 'caro@cliente.es' })
  const sites = await Promise.all(
    ['caro-uno.es', 'caro-dos.es'].map((domain) => furnish(domain, [`www.${domain}`], 'caro')),
  )
  await done('DELETE', '/clientes/caro')
  const { id } = await entryOf('caro')
  await done('POST', '/clientes', { cliente: 'caro', correo: 'caro@cliente.es' })
  for (const { domain } of sites) await done('POST', '/sitios', { cliente: 'caro', domain, aliases: [] })
  const [first, second] = sites
  expect(await restore(id, { sitio: first?.domain })).toEqual({ sitio: first?.domain })
  expect((await entryOf('caro')).id).toBe(id)
  const again = await api('POST', `/papelera/${id}/restaurar`, { sitio: first?.domain })
  expect([again.status, again.body.codigo]).toEqual([409, 'sitio_no_existe'])
  const args = ['restaurar', id, '--sitio', second?.domain ?? '']
  expect((await panel.command('papelera', ...args)).status).toBe(0)
  for (const site of sites) await expectBack(site)
}, 120_000)

test('the command tells which folder of a whole client was which site', async () => {
  await newCustomer(panel, token, 'eva')
  for (const domain of ['eva-uno.es', 'eva-dos.es']) {
    const { raiz } = await done('POST', '/sitios', { cliente: 'eva', domain, aliases: [] })
    writeFileSync(join(raiz, 'quien.txt'), domain, { mode: 0o644 })
  }
  await done('DELETE', '/clientes/eva')
  const { id } = await entryOf('eva')
  const { status, lines } = await panel.command('papelera', 'restaurar', id)
  expect(status).toBe(0)
  const { ruta, sitios } = lines[0]
  const found = sitios.filter(({ domain }: Json) => /^eva-/.test(domain))
  expect(found.map(({ domain }: Json) => domain).sort()).toEqual(['eva-dos.es', 'eva-uno.es'])
  for (const { carpeta, domain } of found)
    expect(readFileSync(join(ruta, carpeta, 'public', 'quien.txt'), 'utf8')).toBe(domain)
})
