import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderProblem } from '../../deploy/node/backups/fit-folder.ts'

describe('a folder for copies', () => {
  const made: string[] = []
  const folder = (...inside: string[]) => {
    const at = mkdtempSync(join(tmpdir(), 'folder-'))
    made.push(at)
    for (const one of inside) mkdirSync(join(at, one), { recursive: true })
    return at
  }
  afterAll(() => {
    for (const at of made) rmSync(at, { recursive: true })
  })

  test.each([
    '/etc',
    '/usr',
    '/usr/local/share',
    '/lib64',
    '/libx32',
    '/boot',
    '/proc',
    '/dev/shm',
    '/run/x',
    '/sys',
  ])('is not %s, which is the system’s', (url) => {
    expect(folderProblem(url)).toBe('carpeta_del_sistema')
  })

  test('is not one of the system by another name either', () => {
    const link = join(folder(), 'copias')
    symlinkSync('/etc', link)
    expect(folderProblem(link)).toBe('carpeta_del_sistema')
  })

  test('is empty, or holds a repository of any panel, if one that was never finished', () => {
    for (const fit of [folder(), folder('lost+found'), folder('nodo/keys', 'nodo/snapshots', 'notas')])
      expect(folderProblem(fit)).toBeNull()
    for (const unfit of [folder('fotos'), folder('nodo/keys'), '/var/lib'])
      expect(folderProblem(unfit)).toBe('carpeta_ocupada')
  })

  test('that is missing is told of when it is opened', () => {
    expect([folderProblem('/srv/no-hay'), folderProblem('/library/no-hay')]).toEqual([null, null])
  })
})
