import { describe, expect, test } from 'bun:test'
import { keyPair, localFile } from '../client.ts'
import { account, admin, done, panel, tools, visit } from './world.ts'

describe('a way in', () => {
  test('a file that a customer puts by SFTP is served under its site', async () => {
    const login = await account('acme', 'acme')
    const put = await tools.sftp(
      login,
      'pwd',
      'ls -1',
      `put ${localFile('<h1>Hola</h1>')} acme.es/public/index.html`,
    )
    expect(put).toMatchObject({ code: 0 })
    expect(put.out).toContain('Remote working directory: /sitios')
    expect(put.out).toMatch(/^acme\.es\ntienda\.es$/m)
    expect(await visit('acme.es', '/')).toEqual({ status: 200, text: '<h1>Hola</h1>' })
  }, 60_000)

  test('an account for one site signs in by its key, has the site as its root, and sees no other', async () => {
    await done('POST', '/clientes/acme/cuentas-sftp', { cuenta: 'acme_tienda', sitio: 'tienda.es' })
    const key = await keyPair('-t', 'ed25519')
    const login = { account: 'acme_tienda', key: key.file }
    expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 255 })
    const set = await panel.api('PUT', '/clientes/acme/cuentas-sftp/acme_tienda/llaves', {
      bearer: admin.bearer,
      body: { llaves: [key.line] },
    })
    expect(set.body).toMatchObject({ sitio: 'tienda.es', estado: 'activa', contrasena: null })
    const seen = await tools.sftp(
      login,
      'pwd',
      'ls -1 /',
      `put ${localFile('dos')} pagina.html`,
      'cd ..',
      'cd ..',
      'pwd',
    )
    expect(seen).toMatchObject({ code: 0 })
    expect(seen.out).toContain('Remote working directory: /public\n')
    expect(seen.out).toMatch(/ls -1 \/\n\/public\n/)
    expect(seen.out).toEndWith('Remote working directory: /\n')
    expect(await visit('tienda.es', '/pagina.html')).toEqual({ status: 200, text: 'dos' })
  }, 60_000)
})

test('keys that an account has are kept by their fingerprints, and those alone', async () => {
  await done('POST', '/clientes/acme/cuentas-sftp', { cuenta: 'acme_varias' })
  const set = (llaves: string[]) =>
    panel.api('PUT', '/clientes/acme/cuentas-sftp/acme_varias/llaves', {
      bearer: admin.bearer,
      body: { llaves },
    })
  const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ed25519')]
  const [first] = (await set([one.line])).body.llaves
  const both = await set([first.huella, two.line])
  expect(both.body.llaves).toEqual([first, expect.objectContaining({ tipo: 'ssh-ed25519' })])
  expect(await tools.sftp({ account: 'acme_varias', key: one.file }, 'pwd')).toMatchObject({ code: 0 })
  expect((await set([both.body.llaves[1].huella])).body.llaves).toEqual([both.body.llaves[1]])
  const refused = await set([first.huella])
  expect([refused.status, refused.body.codigo]).toEqual([422, 'llave_invalida'])
}, 60_000)
