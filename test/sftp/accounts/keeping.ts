import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { customer, startBrowser, Visitor } from '../../browser/browser.ts'
import type { Json } from '../../support/panel.ts'
import { eventually } from '../../support/wait.ts'
import { keyPair, localFile } from '../client.ts'
import { account, admin, done, panel, port, rootOf, token, tools } from './world.ts'

test('a customer makes an account and its password by what the screen says, and signs in with it', async () => {
  const browser = await startBrowser()
  try {
    const ana = await customer(panel, token, 'foxtrot')
    const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
    await visitor.go('/panel/sftp')
    await visitor.button('New account').first().click()
    await visitor.dialog.getByLabel('Name').fill('web')
    await visitor.button('Create the account').click()
    await visitor.dialog.getByRole('button', { name: 'With a password' }).click()
    await visitor.button('Create a password').click()
    await visitor.dialog.getByText('It is shown only now').waitFor()
    const shown = (await visitor.dialog.locator('.copy-line code').textContent()) ?? ''
    await visitor.button('I have copied it').click()
    await visitor.page.getByText('localhost').waitFor()
    const { servidor } = await done('GET', '/clientes/foxtrot/cuentas-sftp')
    for (const fact of [String(port), ...servidor.huellas]) await visitor.page.getByText(fact).waitFor()
    expect(await visitor.axe()).toEqual([])
    const ran = await tools.sftp({ account: 'foxtrot_web', password: shown }, 'pwd')
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('/sitios') })
    expect(panel.log).not.toContain(shown)
    await visitor.leave()
  } finally {
    await browser.close()
  }
}, 60_000)

test('the keys of the server, its accounts and open sessions outlive a restart; uses are noted, a full client only reads', async () => {
  const login = await account('acme', 'acme_largo')
  const before = (await done('GET', '/clientes/acme/cuentas-sftp')).servidor
  const session = await tools.open(login)
  await panel.kill()
  await panel.up()
  expect(session.alive()).toBe(true)
  const listed = await eventually(
    async () => {
      const { servidor, datos } = await done('GET', '/clientes/acme/cuentas-sftp')
      const found = datos.find(({ cuenta }: { cuenta: string }) => cuenta === 'acme_largo')
      return servidor && found.ultimo_acceso && found.contrasena.ultimo_uso ? { servidor } : false
    },
    'the use of the account, noted',
    40_000,
  )
  expect(listed.servidor).toEqual(before)
  expect(before.huellas).toEqual(Array(2).fill(expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/)))
  await done('POST', '/planes', { plan: 'minimo', disco_bytes: 1 })
  await done('POST', '/clientes/acme/plan', { plan: 'minimo' })
  await panel.command('cron', 'uso')
  await eventually(async () => {
    const [first] = (await done('GET', '/clientes/acme/cuentas-sftp')).datos
    return first.estado === 'solo_lectura'
  }, 'a full client to be told as such')
  await session.exited
  const ran = await tools.sftp(
    login,
    `-put ${localFile('x')} acme.es/public/lleno.txt`,
    '-rm acme.es/public/index.html',
  )
  expect(ran.out.match(/Permission denied/g)).toHaveLength(2)
  const files = readdirSync(await rootOf('acme.es'))
  expect([files.includes('index.html'), files.includes('lleno.txt')]).toEqual([true, false])
  await done('POST', '/clientes/acme/plan', { plan: null })
  const again = await tools.sftp(login, `put ${localFile('x')} acme.es/public/lleno.txt`)
  expect(again).toMatchObject({ code: 0 })
}, 90_000)

test('accounts that the node has lost come back with the comparison, and doctor names them before', async () => {
  const login = await account('acme', 'acme_perdida')
  for (const kind of ['accounts', 'secrets', 'keys']) {
    const path = join(panel.dataDir, 'web/ssh/etc', kind)
    for (const name of readdirSync(path)) rmSync(join(path, name))
  }
  expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 255 })
  const before = await panel.command('doctor')
  const found = before.lines[0].find(({ comprobacion }: Json) => comprobacion === 'diferencias')
  expect([before.status, found.consejo]).toEqual([1, expect.stringContaining('SFTP account acme_perdida')])
  await panel.command('cron', 'diferencias')
  await eventually(async () => (await tools.sftp(login, 'pwd')).code === 0, 'the account')
}, 60_000)

test('wrong passwords from an address are answered ever later; a right one, and other addresses, at once', async () => {
  const login = { ...(await account('acme', 'acme_lento')), address: '127.0.0.90' }
  const timed = async (from: typeof login) => {
    const started = performance.now()
    const { code } = await tools.sftp(from, 'pwd')
    return { code, ms: performance.now() - started }
  }
  const wrong = { ...login, password: 'x' }
  for (let n = 0; n < 6; n++) expect(await timed(wrong)).toMatchObject({ code: 255 })
  const [late, elsewhere, right] = [
    await timed(wrong),
    await timed({ ...wrong, address: '127.0.0.91' }),
    await timed(login),
  ]
  expect(late.ms).toBeGreaterThan(4000)
  expect(elsewhere.ms).toBeLessThan(late.ms - 2000)
  expect(right).toMatchObject({ code: 0 })
  expect(right.ms).toBeLessThan(late.ms - 2000)
}, 90_000)

test.each([
  ['rsa of 2048 bits', ['-t', 'rsa', '-b', '2048'], 'llave_debil'],
  ['options before the type', null, 'llave_invalida'],
])(
  'a key is refused by its name: %s',
  async (_, kind, codigo) => {
    const { line } = await keyPair(...(kind ?? ['-t', 'ed25519']))
    const llaves = [kind ? line : `command="/bin/sh" ${line}`]
    const set = await panel.api('PUT', '/clientes/acme/cuentas-sftp/acme/llaves', {
      bearer: admin.bearer,
      body: { llaves },
    })
    expect(set.body).toMatchObject({ status: 422, codigo, campos: [{ campo: 'llaves.0', codigo }] })
  },
  60_000,
)

test('on the screen, a key is added beside those that there are, and one of them removed', async () => {
  const ana = await customer(panel, token, 'golf')
  const browser = await startBrowser()
  try {
    const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ed25519')]
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const held = async () => (await done('GET', '/clientes/golf/cuentas-sftp')).datos[0].llaves
    await visitor.go('/panel/sftp')
    await visitor.button('Cuenta nueva').first().click()
    await visitor.button('Crear la cuenta').click()
    await visitor.dialog.getByRole('button', { name: 'Con una llave SSH' }).click()
    for (const [at, { line }] of [one, two].entries()) {
      if (at > 0) await visitor.button('Llaves SSH').click()
      await visitor.dialog.getByLabel('Añadir llaves').fill(`${line} llave-${at}`)
      await visitor.dialog.getByRole('button', { name: 'Guardar' }).click()
      await visitor.dialog.waitFor({ state: 'detached' })
      expect(await held()).toHaveLength(at + 1)
    }
    await visitor.button('Llaves SSH').click()
    await visitor.dialog.getByRole('button', { name: /Quitar la llave .*llave-0/ }).click()
    expect(await visitor.axe()).toEqual([])
    await visitor.dialog.getByRole('button', { name: 'Guardar' }).click()
    await visitor.dialog.waitFor({ state: 'detached' })
    const [left, ...others] = await held()
    expect([left.comentario.endsWith('llave-1'), others]).toEqual([true, []])
    await visitor.leave()
  } finally {
    await browser.close()
  }
}, 60_000)
