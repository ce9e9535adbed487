import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newCustomer, ROOMY } from '../api/people.ts'
import { textOf, visitor } from '../applications/wordpress.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { workEnded } from '../support/work.ts'
import { cpanelArchive, hestiaArchive } from './archives.ts'

setDefaultTimeout(120_000)

let panel: Panel
let token: string
let directory: string

const PASSWORD = `AuthType Basic
AuthName "Privado"
AuthUserFile /home/vieja/web/vieja.es/private/.htpasswd
Require valid-user
`

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'importaciones-'))
  panel = await Panel.start({
    env: { ...ROOMY, PANEL_MARIADB_PORT: String(await freePort()), PANEL_IMPORTACIONES: directory },
  })
  token = await newToken(panel, await firstAdmin(panel))
  await newCustomer(panel, token, 'ana')
  await newCustomer(panel, token, 'bob')
}, 120_000)
afterAll(async () => {
  await panel?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const api = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

/** What a preview and then the import say, and what of these addresses is answered afterwards. */
async function imported(wanted: Json, addresses: string[]) {
  const preview = await api('POST', '/importaciones?simular=si', wanted)
  expect(preview.status).toBe(200)
  const asked = await api('POST', '/importaciones', wanted)
  const { resultado } = await workEnded(api, asked.body.tarea.id)
  expect(resultado.fallidos).toEqual([])
  expect(resultado.deja ?? []).toEqual(preview.body.deja)
  const answers: Record<string, number> = {}
  for (const address of addresses) {
    const [, host = '', path = ''] = /^([^/]+)(\/.*)$/.exec(address) ?? []
    const page = await visitor(panel, host)(path)
    answers[address] = page.status
    if (page.status !== 200) expect(textOf(page)).not.toContain('secreto')
  }
  const isOf = (tipo: string) => (one: Json) => one.tipo === tipo
  const protectedParts = ({ nombre, que, de, a }: Json) => `${nombre} ${que} ${de} ${a}`.trim()
  return {
    answers,
    foreseen: preview.body.cambia.filter(isOf('sitio')).map(protectedParts).sort(),
    done: (resultado.cambia ?? []).map(protectedParts).sort(),
    left: preview.body.deja
      .filter(isOf('proteccion'))
      .map(({ nombre, motivo }: Json) => `${nombre} ${motivo}`),
  }
}

test('what a site of Hestia protected lets nobody in after the import, and is named before and after', async () => {
  hestiaArchive(join(directory, 'vieja.tar'), {
    sites: {
      'vieja.es': {
        files: {
          'public_html/index.html': 'Hola',
          'public_html/privado/.htaccess': PASSWORD,
          'public_html/privado/index.html': 'secreto',
          'public_html/nadie/.htaccess': 'Deny from all\n',
          'public_html/nadie/a.txt': 'secreto',
          'public_html/red/.htaccess': 'Require ip 10.0.0.0/8\n',
          'public_html/red/a.txt': 'secreto',
          'public_html/vieja/.htaccess': '<Limit GET POST>\nRequire valid-user\n</Limit>\n',
          'public_html/vieja/a.txt': 'secreto',
          'public_html/raro/.htaccess': 'AuthType Basic\nRequire user "Ana López"\n',
          'public_html/raro/a.txt': 'secreto',
          'public_html/1/2/3/4/5/.htaccess': PASSWORD,
          'public_html/1/2/3/4/5/a.txt': 'secreto',
          'public_html/abierta/.htaccess':
            'Order allow,deny\nAllow from all\nDeny from 192.0.2.1\n<FilesMatch "\\.php$">\nDeny from all\n</FilesMatch>\n',
          'public_html/abierta/a.txt': 'libre',
        },
      },
      'cerrada.es': {
        conf: "AUTH_USER='ana' AUTH_HASH='$1$abc$def'",
        files: { 'public_html/index.html': 'secreto' },
      },
    },
  })
  const wanted = { cliente: 'ana', origen: 'hestia', ruta: 'vieja.tar' }
  const { answers, foreseen, done, left } = await imported(wanted, [
    ...['vieja.es/', 'vieja.es/privado/', 'vieja.es/privado/index.html', 'vieja.es/nadie/a.txt'],
    ...['vieja.es/red/a.txt', 'vieja.es/vieja/a.txt', 'vieja.es/raro/a.txt', 'vieja.es/1/2/3/4/5/a.txt'],
    ...['vieja.es/abierta/a.txt', 'cerrada.es/'],
  ])
  expect(answers).toEqual({
    'vieja.es/': 200,
    'vieja.es/privado/': 401,
    'vieja.es/privado/index.html': 401,
    'vieja.es/nadie/a.txt': 401,
    'vieja.es/red/a.txt': 401,
    'vieja.es/vieja/a.txt': 401,
    'vieja.es/raro/a.txt': 401,
    'vieja.es/1/2/3/4/5/a.txt': 401,
    'vieja.es/abierta/a.txt': 200,
    'cerrada.es/': 401,
  })
  const parts = [
    'cerrada.es contrasena_nueva / ana',
    'vieja.es cerrada /nadie',
    'vieja.es cerrada /red',
    'vieja.es contrasena_nueva /1/2/3/4 usuario',
    'vieja.es contrasena_nueva /privado usuario',
    'vieja.es contrasena_nueva /raro usuario',
    'vieja.es contrasena_nueva /vieja usuario',
  ]
  expect([foreseen, done]).toEqual([parts, parts])
  expect(left).toEqual(['vieja.es/abierta/.htaccess por_direccion', 'vieja.es/abierta/.htaccess programas'])
  const { body } = await api('GET', '/sitios/vieja.es')
  expect(body.protegidas).toContainEqual({ ruta: '/privado', usuario: 'usuario', con_contrasena: false })
})

test('a zone is imported without the records of a site below it, which has a zone of its own', async () => {
  await api('POST', '/sitios', { cliente: 'ana', domain: 'blog.zona.es', aliases: [] })
  hestiaArchive(join(directory, 'zona.tar'), {
    sites: {
      'zona.es': { files: { 'public_html/index.html': 'Hola' } },
    },
    zones: {
      'zona.es':
        '$TTL 3600\n@ IN A 203.0.113.9\nblog IN A 203.0.113.9\n@ IN MX 10 mail.otra.es.\nalias IN CNAME otra.es.\nalias IN TXT x\n',
    },
  })
  const wanted = { cliente: 'ana', origen: 'hestia', ruta: 'zona.tar' }
  const preview = await api('POST', '/importaciones?simular=si', wanted)
  const records = preview.body.deja.filter(({ tipo }: Json) => tipo === 'registro')
  expect(records.map(({ nombre }: Json) => nombre)).toEqual(['zona.es:5', 'blog.zona.es A'])
  const asked = await api('POST', '/importaciones', wanted)
  const { resultado } = await workEnded(api, asked.body.tarea.id)
  expect(resultado.fallidos).toEqual([])
  const { body } = await api('GET', '/zonas/zona.es/registros')
  expect(body.datos).toContainEqual(
    expect.objectContaining({ nombre: '@', tipo: 'MX', valores: ['10 mail.otra.es.'] }),
  )
})

test('what an account of cPanel protected lets nobody in, also where a domain lies below what is protected', async () => {
  cpanelArchive(join(directory, 'cpmove-otra.tar.gz'), {
    'homedir/public_html/priv/.htaccess': PASSWORD,
    'homedir/public_html/priv/index.html': 'secreto',
    'homedir/public_html/segunda.es/.htaccess': 'Require user eva\n',
    'homedir/public_html/segunda.es/a.txt': 'secreto',
    'homedir/.htpasswds/public_html/priv/passwd': 'eva:$apr1$a$b\n',
  })
  const wanted = { cliente: 'bob', origen: 'cpanel', ruta: 'cpmove-otra.tar.gz' }
  const { answers, foreseen } = await imported(wanted, [
    ...['otra.es/', 'otra.es/priv/', 'otra.es/priv/index.html', 'segunda.es/a.txt'],
  ])
  expect(answers).toEqual({
    'otra.es/': 200,
    'otra.es/priv/': 401,
    'otra.es/priv/index.html': 401,
    'segunda.es/a.txt': 401,
  })
  expect(foreseen.filter((one: string) => !one.includes(' php '))).toEqual([
    'otra.es contrasena_nueva /priv usuario',
    'segunda.es contrasena_nueva / eva',
  ])
})
