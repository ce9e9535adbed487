import { beforeAll, describe, expect, test } from 'bun:test'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { localFile, localFolder } from '../client.ts'
import { account, rootOf, tools, visit } from './world.ts'

describe('what is put', () => {
  let login: { account: string; password: string }
  beforeAll(async () => {
    login = await account('acme', 'acme_poner')
  })

  test('is readable to the web server and to PHP, whatever mode its client asks for', async () => {
    const program = '<?php echo file_get_contents("../pagina.html"), 1 + 1;'
    const folder = localFolder({ 'a/pagina.html': 'A', 'a/b/programa.php': program })
    const ran = await tools.sftp(
      login,
      'cd acme.es/public',
      `put -r ${folder} carpeta`,
      'chmod 755 carpeta/a',
      `put ${localFile('C')} carpeta/a/tarde.html`,
      'mkdir carpeta/a/nueva',
      `put ${localFile('D')} carpeta/a/nueva/d.html`,
    )
    expect(ran).toMatchObject({ code: 0 })
    const found = ['a/pagina.html', 'a/b/programa.php', 'a/tarde.html', 'a/nueva/d.html']
    const answers = await Promise.all(found.map((path) => visit('acme.es', `/carpeta/${path}`)))
    expect(answers.map(({ text }) => text)).toEqual(['A', 'A2', 'C', 'D'])
    expect(lstatSync(join(await rootOf('acme.es'), 'carpeta/a/tarde.html')).mode & 0o007).toBe(0)
  }, 60_000)

  test('goes by lftp as well, a mirror of a folder', async () => {
    const folder = localFolder({ 'uno.html': 'uno', 'dos/dos.html': 'dos' })
    const ran = await tools.lftp(
      login,
      `mirror -R ${folder} acme.es/public/espejo`,
      'cat acme.es/public/espejo/dos/dos.html',
      'rm -r acme.es/public/espejo/dos',
    )
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('dos') })
    expect(await visit('acme.es', '/espejo/uno.html')).toEqual({ status: 200, text: 'uno' })
    expect((await visit('acme.es', '/espejo/dos/dos.html')).status).toBe(404)
  }, 60_000)
})
