import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let token: string
let ana: { bearer: string }
let root: string

beforeAll(async () => {
  panel = await Panel.start()
  const admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await newCustomer(panel, token, 'ana')
  const made = await api('POST', '/sitios', { cliente: 'ana', domain: 'ana.es' })
  root = made.body.raiz
})
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = token) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })
const firstPage = (bearer = ana.bearer) => api('GET', '/sitios/ana.es/portada', undefined, bearer)
const put = (name: string, text: string) => writeFileSync(join(root, name), text)

test('a customer sees what visitors will get, although no name leads here', async () => {
  expect((await firstPage()).body).toMatchObject({ estado: 200, titulo: 'Sitio en preparación' })
  const text = '<!doctype html><title>Mi panader&iacute;a</title><h1>Pan</h1>'
  put('index.html', text)
  expect(await firstPage()).toMatchObject({
    status: 200,
    body: {
      ...{ domain: 'ana.es', direccion: 'http://ana.es/', estado: 200, titulo: 'Mi panadería' },
      ...{ bytes: text.length, completa: true, redirige: null },
    },
  })
})

test('a redirect is followed among the names of the site, and told where it leads elsewhere', async () => {
  put('index.php', '<?php header("Location: https://www.ana.es/otra.php?a=1", true, 302);')
  put('otra.php', '<?php echo "<title>$_SERVER[HTTP_HOST] $_SERVER[REQUEST_SCHEME] $_GET[a]</title>";')
  expect((await firstPage()).body).toMatchObject({
    ...{ direccion: 'https://www.ana.es/otra.php?a=1', estado: 200, titulo: 'www.ana.es https 1' },
    redirige: null,
  })
  const other = `http://127.0.0.1:${panel.port}/salud`
  put('index.php', `<?php header("Location: ${other}");`)
  expect((await firstPage()).body).toMatchObject({
    estado: 302,
    redirige: other,
    direccion: 'http://ana.es/',
  })
  put('index.php', '<?php header("Location: /?otra=" . rand());')
  expect((await firstPage()).body).toMatchObject({ estado: 302 })
})

test('what fails, lasts or does not end is told as that', async () => {
  put('index.php', '<?php http_response_code(500); fallo();')
  expect((await firstPage()).body).toMatchObject({ estado: 500, titulo: 'Esta página tiene un error' })
  put('index.php', '<?php sleep(20);')
  expect((await firstPage()).body).toMatchObject({ estado: null, bytes: null, completa: false })
  put('index.php', '<?php for ($i = 0; $i < 3000; $i++) echo str_repeat("x", 1024);')
  const { body } = await firstPage()
  expect(body).toMatchObject({ estado: 200, completa: false })
  expect(body.bytes).toBeGreaterThan(512 * 1024)
})

test('another client’s site is not told of, and a minute has twenty of them', async () => {
  const bea = await newCustomer(panel, token, 'bea')
  expect((await firstPage(bea.bearer)).body).toMatchObject({ codigo: 'sitio_no_existe' })
  put('index.php', '<?php echo 1;')
  for (let i = 0; i < 25; i++) await firstPage()
  expect((await firstPage()).body).toMatchObject({ codigo: 'espera' })
})
