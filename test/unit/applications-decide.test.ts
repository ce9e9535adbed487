import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePackage, type Package, packagesIn } from '../../deploy/node/applications/packages.ts'
import { isNewer } from '../../lib/applications/decide.ts'
import { welcomeMail } from '../../lib/applications/words.ts'

test.each([
  ['6.10', '6.9.4', true],
  ['6.8.1', '6.8', true],
  ['6.8', '6.8.0', false],
  ['6.8', '6.8.1', false],
  ['6.8', '6.8', false],
  ['7.0', '6.9-RC1', true],
])('%s after %s: %p', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer)
})

describe('packages', () => {
  let directory: string
  const sum = (digit: string) => digit.repeat(64)

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'packages-'))
    const names = [
      'wordpress-6.8.tar.gz',
      'wordpress-6.8-es_ES.tar.gz',
      'wordpress-6.10.tar.gz',
      'other-1.tar.gz',
    ]
    for (const name of [...names, 'wordpress-7.0.tar.gz']) writeFileSync(join(directory, name), '')
    const lines = [...names, 'wordpress-8.0.tar.gz', '../wordpress-9.0.tar.gz'].map(
      (name) => `${sum('a')}  ${name}`,
    )
    writeFileSync(join(directory, 'SHA256SUMS'), `${lines.join('\n')}\nab  wordpress-7.0.tar.gz\n`)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  test('are those that are there and have a whole checksum, by their plain names', () => {
    const found = packagesIn(directory).flatMap((one) => (one.kind === 'archive' ? [one] : []))
    expect(found.map(({ version, language }) => [version, language])).toEqual([
      ['6.8', null],
      ['6.8', 'es_ES'],
      ['6.10', null],
    ])
  })

  const held = (version: string, language: string | null): Package => ({
    kind: 'archive',
    path: '',
    sha256: '',
    version,
    language,
  })

  test.each([
    ['es_ES', '6.8', 'es_ES'],
    ['en_US', '6.8', null],
    ['fr_FR', '6.8', null],
  ])('for %s is %s in %p', (wanted, version, language) => {
    const all = [held('6.7', wanted), held('6.8', 'es_ES'), held('6.8', null), held('6.8', 'de_DE')]
    expect(choosePackage(all, wanted)).toMatchObject({ version, language })
  })

  test('none is none', () => {
    expect(choosePackage([], 'es_ES')).toBeNull()
  })
})

test('the mail in either language leaves a place for the link and tells no password', () => {
  for (const language of ['es', 'en'] as const) {
    const { text, subject } = welcomeMail(language, { title: 'Uno', url: 'https://uno.es', login: 'ana' })
    expect([text.includes('{enlace}'), text.includes('ana'), subject.includes('Uno')]).toEqual([
      true,
      true,
      true,
    ])
  }
})
