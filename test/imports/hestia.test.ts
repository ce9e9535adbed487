import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { textOf, visitor } from '../applications/wordpress.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'
import { cpanelArchive, hestiaArchive } from './archives.ts'

setDefaultTimeout(120_000)

let panel: Panel
let token: string
let directory: string

const PAGE = `<?php require 'wp-config.php'; $host = explode(':', DB_HOST, 2);
$db = new mysqli($host[0], DB_USER, DB_PASSWORD, DB_NAME, 0, $host[1] ?? null);
echo $db->query('SELECT title FROM posts')->fetch_row()[0];`
const CONFIG = `<?php
define( 'DB_NAME', 'vieja_wp' );
define( 'DB_USER', 'vieja_wp' );
define( 'DB_PASSWORD', 'se\\'creta' );
define( 'DB_HOST', 'localhost' );
`
const DUMP = `CREATE TABLE posts (title varchar(80)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO posts VALUES ('Hola COLLATE=utf8mb4_0900_ai_ci');
-- Dump completed on 2026-11-20
`
const ZONE = `$ORIGIN vieja.es.
@ 3600 IN SOA ns1.vieja.es. root.vieja.es. 1 1 1 1 1
@ IN A 203.0.113.9
www IN A 203.0.113.9
mail IN A 203.0.113.9
@ IN MX 10 mail.vieja.es.
`

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'importaciones-'))
  panel = await Panel.start({
    env: {
      ...ROOMY,
      PANEL_MARIADB_PORT: String(await freePort()),
      PANEL_IMPORTACIONES: directory,
    },
  })
  token = await newToken(panel, await firstAdmin(panel))
  await newCustomer(panel, token, 'ana')
  await newCustomer(panel, token, 'bob')
  await api('POST', '/sitios', { cliente: 'bob', domain: 'bob.es', aliases: [] })
  hestiaArchive(join(directory, 'vieja.tar'), {
    sites: {
      'vieja.es': {
        conf: "BACKEND='PHP-7_4' SSL='yes' FTP_USER='vieja_ftp'",
        files: { 'public_html/index.php': PAGE, 'public_html/wp-config.php': CONFIG },
        more: (folder) => symlinkSync('/etc/passwd', join(folder, 'public_html/secreto')),
      },
      'mala.es': {
        files: { 'public_html/a': 'a', 'fuera/b': 'b' },
        more: (folder) => {
          rmSync(join(folder, 'public_html'), { recursive: true })
          symlinkSync('/tmp', join(folder, 'public_html'))
        },
      },
      'bob.es': { files: { 'public_html/index.html': 'ajeno' } },
    },
    databases: {
      vieja_wp: DUMP,
      vieja_mala: 'DROP TABLE IF EXISTS t;\nUSE mysql;\nDROP TABLE user;\n-- Dump completed on 2026\n',
      vieja_orden: '\\! touch /tmp/pwned\n-- Dump completed on 2026\n',
    },
    zones: { 'vieja.es': ZONE },
    cron:
      "JOB='1' MIN='*/5' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='/usr/bin/php /home/vieja/web/vieja.es/public_html/wp-cron.php >/dev/null 2>&1' SUSPENDED='no'\n" +
      "JOB='2' MIN='1' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='mysqldump x | gzip > y' SUSPENDED='no'\n",
    more: { 'mail/vieja.es/hestia/vieja.es.conf': "ACCOUNT='ana' ALIAS=''\n" },
  })
}, 120_000)
afterAll(async () => {
  await panel?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const api = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
const WANTED = { cliente: 'ana', origen: 'hestia', ruta: 'vieja.tar' }
const listed = async (path: string) => (await api('GET', path)).body.datos as Json[]

const ended = (id: string): Promise<Json> => workEnded(api, id)

test('a preview tells all of it and changes nothing', async () => {
  const { status, body } = await api('POST', '/importaciones?simular=si', WANTED)
  expect([status, body]).toMatchObject([200, { excesos: [] }])
  expect(body.toma.map(({ tipo, nombre }: Json) => `${tipo} ${nombre}`).sort()).toEqual([
    'base ana_mala',
    'base ana_orden',
    'base ana_wp',
    'programada vieja.es',
    'sitio mala.es',
    'sitio vieja.es',
    'zona vieja.es',
  ])
  expect(body.cambia).toContainEqual({
    tipo: 'base',
    nombre: 'ana_wp',
    que: 'nombre',
    de: 'vieja_wp',
    a: 'ana_wp',
  })
  expect(body.cambia).toContainEqual({ tipo: 'sitio', nombre: 'vieja.es', que: 'php', de: '7.4', a: '8.2' })
  const left = body.deja.map(({ tipo, nombre, motivo }: Json) => `${tipo} ${nombre} ${motivo}`)
  expect(left).toContain('sitio bob.es dominio_ocupado')
  expect(left).toContain('correo ana@vieja.es no_se_importa')
  expect(left).toContain('ftp vieja_ftp no_se_importa')
  expect(left).toContain('ssl vieja.es certificado_nuevo')
  expect(left).toContain('programada mysqldump x | gzip > y orden_no_admitida')
  expect(await listed('/sitios?cliente=ana')).toEqual([])
  expect(await listed('/bases?cliente=ana')).toEqual([])
  expect(await listed('/zonas?cliente=ana')).toEqual([])
})

test('names that are no file of the directory, and clients that are none, are refused', async () => {
  mkdirSync(join(directory, 'carpeta'))
  symlinkSync('/etc/passwd', join(directory, 'enlace'))
  const codes = await Promise.all(
    [
      { ruta: '../etc/passwd' },
      { ruta: 'no-hay.tar' },
      { ruta: 'carpeta' },
      { ruta: 'enlace' },
      { cliente: 'nadie' },
    ].map(async (more) => {
      const { status, body } = await api('POST', '/importaciones', { ...WANTED, ...more })
      return `${status} ${body.codigo}`
    }),
  )
  expect(codes).toEqual([
    '422 ruta_invalida',
    '409 archivo_no_existe',
    '422 ruta_invalida',
    '409 archivo_no_existe',
    '409 cliente_no_existe',
  ])
})

test('an import ends in a page that reads its database, and reports what is hostile alone', async () => {
  const asked = await api('POST', '/importaciones', WANTED)
  expect([asked.status, asked.body]).toMatchObject([202, { tarea: { operacion: 'importacion.hacer' } }])
  const end = await ended(asked.body.tarea.id)
  expect(end).toMatchObject({ estado: 'hecha' })
  const { hechos, fallidos } = end.resultado
  expect(hechos).toEqual([
    { tipo: 'base', nombre: 'ana_wp' },
    { tipo: 'sitio', nombre: 'vieja.es' },
    { tipo: 'zona', nombre: 'vieja.es' },
    { tipo: 'programada', nombre: 'vieja.es' },
  ])
  expect(fallidos.map(({ nombre, codigo }: Json) => `${nombre} ${codigo}`).sort()).toEqual([
    'ana_mala volcado_ajeno',
    expect.stringMatching(/^ana_orden volcado_/),
    'mala.es archivo_peligroso',
  ])
  const page = await visitor(panel, 'vieja.es')('/')
  expect([page.status, textOf(page)]).toEqual([200, 'Hola COLLATE=utf8mb4_0900_ai_ci'])
  const files = await listed('/sitios/vieja.es/archivos?ruta=/public')
  expect(files.map(({ nombre, tipo }) => `${tipo} ${nombre}`)).toEqual([
    'archivo index.php',
    'archivo wp-config.php',
  ])
  const records = await listed('/zonas/vieja.es/registros')
  expect(records).toContainEqual(
    expect.objectContaining({ nombre: 'mail', tipo: 'A', valores: ['203.0.113.9'] }),
  )
  expect(records).toContainEqual(
    expect.objectContaining({ nombre: '@', tipo: 'MX', valores: ['10 mail.vieja.es.'] }),
  )
  expect(await listed('/sitios/vieja.es/programadas')).toMatchObject([
    { orden: ['php8.2', 'public/wp-cron.php'], cuando: '*/5 * * * *' },
  ])
  const gone = async () => ((await listed('/bases?cliente=ana')).length === 1 ? true : null)
  await eventually(gone, 'the removal of what failed')
  expect((await listed('/sitios?cliente=ana')).map(({ domain }) => domain)).toEqual(['vieja.es'])
})

test('an import that is repeated finds nothing to do but what had failed', async () => {
  const { body } = await api('POST', '/importaciones?simular=si', WANTED)
  expect(body.toma.map(({ nombre }: Json) => nombre).sort()).toEqual(['ana_mala', 'ana_orden', 'mala.es'])
})

test('an archive of cPanel is imported by its own layout, and a cut one is none', async () => {
  cpanelArchive(join(directory, 'cpmove-otra.tar.gz'))
  const wanted = { cliente: 'bob', origen: 'cpanel', ruta: 'cpmove-otra.tar.gz' }
  const preview = await api('POST', '/importaciones?simular=si', wanted)
  expect(preview.body.deja).toContainEqual({
    tipo: 'correo',
    nombre: 'eva@otra.es',
    motivo: 'no_se_importa',
  })
  const left = preview.body.deja.map(({ tipo, nombre }: Json) => `${tipo} ${nombre}`)
  expect(left.filter((one: string) => /^archivos|^usuario/.test(one))).toEqual([
    'archivos .bashrc',
    'archivos privado',
    'usuario_de_base otra_lejos@203.0.113.7',
  ])
  const asked = await api('POST', '/importaciones', wanted)
  const { resultado } = await ended(asked.body.tarea.id)
  expect(resultado).toEqual({
    hechos: [
      { tipo: 'base', nombre: 'bob_tienda' },
      { tipo: 'sitio', nombre: 'otra.es' },
      { tipo: 'sitio', nombre: 'segunda.es' },
      { tipo: 'programada', nombre: 'segunda.es' },
    ],
    fallidos: [],
    deja: preview.body.deja,
    deja_mas: false,
  })
  expect(textOf(await visitor(panel, 'otra.es')('/'))).toBe('Otra')
  expect(textOf(await visitor(panel, 'segunda.es')('/'))).toBe('Segunda')
  const files = await listed('/sitios/otra.es/archivos?ruta=/public')
  expect(files.map(({ nombre }) => nombre)).toEqual(['index.html'])
  const hestia = await api('POST', '/importaciones?simular=si', { ...wanted, origen: 'hestia' })
  expect([hestia.status, hestia.body.codigo]).toEqual([422, 'importacion_no_reconocida'])
})

test('the command tells the same preview, does the same work, and ends with 1 where something failed', async () => {
  const words = ['importar', 'vieja.tar', '--origen', 'hestia', '--cliente', 'ana']
  const told = await panel.command(...words, '--simular')
  const { body } = await api('POST', '/importaciones?simular=si', WANTED)
  expect([told.status, told.lines[0]?.toma]).toEqual([0, body.toma])
  const whole = await panel.command('importar', join(directory, 'vieja.tar'), ...words.slice(2), '--simular')
  expect([whole.status, whole.lines]).toEqual([0, told.lines])
  const elsewhere = await panel.command('importar', '/etc/hostname', ...words.slice(2), '--simular')
  expect([elsewhere.status, elsewhere.error]).toEqual([
    2,
    `/etc/hostname: not in ${directory} (PANEL_IMPORTACIONES)\n`,
  ])
  const done = await panel.command(...words)
  expect([done.status, done.lines[0]]).toMatchObject([
    1,
    { estado: 'hecha', cliente: 'ana', resultado: { hechos: [], fallidos: [{}, {}, {}] } },
  ])
  const wrong = await panel.command(...words.slice(0, 5), 'nadie')
  expect([wrong.status, wrong.error]).toEqual([2, expect.stringContaining('no such client')])
  const missing = await panel.command('importar', 'falta.tar', ...words.slice(2))
  expect([missing.status, missing.error]).toEqual([2, `${join(directory, 'falta.tar')}: no such file\n`])
})

test('an archive that does not fit into the plan is told so, and refused before anything is made', async () => {
  await api('POST', '/planes', { plan: 'chico', sitios: 1 })
  await newCustomer(panel, token, 'eva')
  await api('POST', '/clientes/eva/plan', { plan: 'chico' })
  const wanted = { ...WANTED, cliente: 'eva', ruta: 'dos.tar' }
  hestiaArchive(join(directory, 'dos.tar'), {
    sites: {
      'uno.es': { files: { 'public_html/index.html': '1' } },
      'dos.es': { files: { 'public_html/index.html': '2' } },
    },
  })
  const { body } = await api('POST', '/importaciones?simular=si', wanted)
  expect(body.excesos).toEqual([{ recurso: 'sitios', usado: 2, limite: 1 }])
  const words = ['importar', 'dos.tar', '--origen', 'hestia', '--cliente', 'eva', '--simular']
  expect((await panel.command(...words)).status).toBe(1)
  const refused = await api('POST', '/importaciones', wanted)
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { codigo: 'limite_del_plan', recurso: 'sitios', usado: 2, limite: 1 },
  ])
  expect(await listed('/sitios?cliente=eva')).toEqual([])
})

test('an import that is given up keeps what was whole and nothing else', async () => {
  await api('POST', '/clientes/eva/plan', { plan: null })
  hestiaArchive(join(directory, 'larga.tar'), {
    sites: Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `larga${at}.es`,
        { files: { 'public_html/index.html': `${at}` } },
      ]),
    ),
  })
  const asked = await api('POST', '/importaciones', { ...WANTED, cliente: 'eva', ruta: 'larga.tar' })
  const { id } = asked.body.tarea
  await eventually(
    async () => ((await listed('/sitios?cliente=eva')).length > 1 ? true : null),
    'a first site',
  )
  expect((await api('DELETE', `/tareas/${id}`)).status).toBeLessThan(300)
  expect((await ended(id)).estado).toBe('cancelada')
  const sites = await eventually(async () => {
    const now = await listed('/sitios?cliente=eva&limite=200')
    return now.every(({ estado }) => estado === 'activo') ? now : null
  }, 'the removal of what was begun')
  expect(sites.length).toBeLessThan(30)
  for (const { domain } of sites)
    expect(textOf(await visitor(panel, domain)('/'))).toBe(/\d+/.exec(domain)?.[0] ?? '')
})

test('a subdomain comes after its domain, in whose zone it is, as by hand', async () => {
  await newCustomer(panel, token, 'luz')
  const files = { 'public_html/index.html': 'aqui' }
  hestiaArchive(join(directory, 'padre.tar'), {
    sites: { 'blog.padre.es': { files }, 'padre.es': { files } },
    zones: { 'padre.es': `${ZONE.replaceAll('vieja.es', 'padre.es')}blog IN A 203.0.113.9\n` },
  })
  const wanted = { ...WANTED, cliente: 'luz', ruta: 'padre.tar' }
  const { body } = await api('POST', '/importaciones?simular=si', wanted)
  expect(body.deja.filter(({ tipo }: Json) => tipo === 'registro')).toEqual([])
  const asked = await api('POST', '/importaciones', wanted)
  expect((await ended(asked.body.tarea.id)).resultado).toMatchObject({ fallidos: [] })
  expect((await listed('/zonas?cliente=luz')).map(({ zona }) => zona)).toEqual(['padre.es'])
  const records = await listed('/zonas/padre.es/registros')
  const of = (name: string) => records.find(({ nombre, tipo }) => nombre === name && tipo === 'A')?.valores
  expect(of('blog')).toEqual(of('@'))
  expect(textOf(await visitor(panel, 'blog.padre.es')('/'))).toBe('aqui')
})
