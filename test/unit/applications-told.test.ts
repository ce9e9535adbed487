import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianParts } from '../../deploy/node/applications/debian.ts'
import { wordIn } from '../../deploy/node/applications/programs.ts'
import { isNewer } from '../../lib/applications/decide.ts'
import { MANIFESTS } from '../../lib/applications/manifests/index.ts'

const from = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(from, { recursive: true }))

const LANGUAGES = 'wp-content/languages'
const NAMES = ['es_ES.mo', 'admin-es_ES.mo', 'continents-cities-es_ES.mo', 'es_ESx.mo', 'ca.mo', 'X-es_ES.mo']
mkdirSync(join(from, LANGUAGES), { recursive: true })
for (const name of NAMES) writeFileSync(join(from, LANGUAGES, name), '')

const filesIn = (language: string) => {
  const { debian, ...manifest } = MANIFESTS.wordpress
  const parts = debianParts({ ...manifest, debian: { ...debian, parts: [{ from, into: '' }] } }, language)
  return parts.find(({ into }) => into === LANGUAGES)?.names.sort()
}

test('a language is no expression', () => {
  expect(filesIn('es_ES')).toEqual(['admin-es_ES.mo', 'continents-cities-es_ES.mo', 'es_ES.mo'])
  expect(filesIn('.*')).toEqual([])
  expect(filesIn('(([a-z]|[a-z-])+)+!')).toEqual([])
  expect(filesIn('(')).toEqual([])
})

test('what programs of a client tell is a short word or nothing', () => {
  expect(['6.8.1', '2022-07-31b', 'pt_PT_ao90'].map(wordIn)).toEqual(['6.8.1', '2022-07-31b', 'pt_PT_ao90'])
  expect(['', 'x'.repeat(41), '(a+)+', '6\n', 6, null, undefined, {}].map(wordIn)).toEqual(
    Array(8).fill(null),
  )
  expect(isNewer('6.8.1', wordIn(null) ?? '')).toBe(true)
})
