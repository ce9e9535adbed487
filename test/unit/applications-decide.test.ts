import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { changedFile } from '../../deploy/node/applications/debian.ts'
import { choosePackage, type Package, packagesIn } from '../../deploy/node/applications/packages.ts'
import { fits, isNewer, requireKnownAddress } from '../../lib/applications/decide.ts'
import { MANIFESTS } from '../../lib/applications/manifests/index.ts'
import { manifestShape } from '../../lib/applications/manifests/manifest.ts'
import { renderArguments, renderFile } from '../../lib/applications/manifests/render.ts'
import { welcomeMail } from '../../lib/applications/words.ts'
import type { Actor } from '../../lib/endpoint/context.ts'

test.each([
  ['6.10', '6.9.4', true],
  ['6.8.1', '6.8', true],
  ['6.8', '6.8.0', false],
  ['6.8', '6.8.1', false],
  ['6.8', '6.8', false],
  ['7.0', '6.9-RC1', true],
  ['2022-07-31b', '2022-07-31a', true],
  ['2023-04-04', '2022-07-31b', true],
  ['2022-07-31', '2022-07-31', false],
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
    const found = packagesIn(directory, MANIFESTS.wordpress).flatMap((one) =>
      one.kind === 'archive' ? [one] : [],
    )
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

const KINDS = Object.values(MANIFESTS).map((manifest) => [manifest.kind, manifest] as const)

describe.each(KINDS)('the manifest of %s', (kind, manifest) => {
  test('is a valid one, and tells of what it is listed as', () => {
    expect(v.parse(manifestShape, manifest).kind).toBe(kind)
    expect(MANIFESTS[kind]).toBe(manifest)
  })

  test('has settings that tell whose they are, where they are made of templates', () => {
    for (const { text } of manifest.files.filter(({ path }) => path === manifest.settings))
      expect(text.slice(0, 400)).toContain('\n * Installation {{=id}}\n')
  })

  test('leaves its settings alone at an update', () => {
    const [top = ''] = manifest.settings.split('/')
    expect(manifest.update.kept).toContain(top)
    const renewed = manifest.files.filter((file) => file.renewed).map(({ path }) => path)
    expect(renewed.filter((path) => manifest.update.kept.includes(path.split('/')[0] ?? ''))).toEqual([])
  })

  test('mails by what a password is chosen, and none that is known', () => {
    for (const language of ['es', 'en'] as const) {
      const about = { kind, title: 'Uno', url: 'https://uno.es', login: 'ana' }
      const { text, subject } = welcomeMail(language, about)
      expect(text).toMatch(/\{(?:enlace|clave)\}/)
      expect([text.includes('ana'), text.includes(`https://uno.es${manifest.signIn}`), subject]).toEqual([
        true,
        true,
        expect.stringContaining('Uno'),
      ])
    }
  })

  test('is of packages that dpkg finds unchanged', async () => {
    expect(await changedFile(manifest)).toBeNull()
  })
})

describe('what templates are filled with', () => {
  const render = (text: string, values: Record<string, string | boolean>) =>
    renderFile(text, values, () => 'new')

  test.each([
    ["it's", "'it\\'s'"],
    ["\\'; system('id'); //", "'\\\\\\'; system(\\'id\\'); //'"],
    ['{{secret}}', "'{{secret}}'"],
    ['$x {$y} ?> <?php', "'$x {$y} ?> <?php'"],
    [true, 'true'],
  ])('%p is a literal of PHP', (value, literal) => {
    expect(render('$a = {{title}};', { title: value })).toBe(`$a = ${literal};`)
  })

  test('is refused where a bare value is no bare word, or none is known', () => {
    expect(render('Installation {{=id}}', { id: '01J' })).toBe('Installation 01J')
    expect(() => render('{{=id}}', { id: '*/ system(1)' })).toThrow()
    expect(() => render('{{nothing}}', {})).toThrow()
  })

  test('stays one argument', () => {
    expect(renderArguments(['--a={title}', '{title}'], { title: '-b --c {login}' })).toEqual([
      '--a=-b --c {login}',
      '-b --c {login}',
    ])
  })
})

test.each([
  ['mediawiki', '7.3', ['gd', 'intl', 'mbstring', 'mysqli', 'xml'], false],
  ['mediawiki', '8.2', ['gd', 'mbstring', 'mysqli', 'xml'], false],
  ['mediawiki', '8.2', [], true],
  ['mediawiki', '8.2', ['gd', 'intl', 'mbstring', 'mysqli', 'xml', 'zip'], true],
] as const)('%s on PHP %s with %p: %p', (kind, version, has, good) => {
  expect(fits(kind, { version, has: [...has] })).toBe(good)
})

describe('the address to which an installation mails its link', () => {
  const token: Actor = { kind: 'token', id: 't', name: 'facturacion', expiresOn: '2027-01-01' }
  const person = (impersonator: string | null): Actor => ({
    ...{ kind: 'session', id: 's', role: 'client', personId: 'p', email: 'ana@cliente.es', client: null },
    ...{ login: { passwordHash: null }, impersonator, expiresAt: new Date(0) },
  })
  const CONTACT = { email: 'Ana@cliente.es' }
  const LOGIN = { email: 'acceso@cliente.es' }

  test.each([
    ['a token', token, 'ana@cliente.es', null],
    ['a token', token, 'acceso@cliente.es', null],
    ['a token', token, 'otro@cliente.es', 'no_con_token'],
    ['a token', token, 'ana@cliente.es.atacante.net', 'no_con_token'],
    ['a person', person(null), 'otro@cliente.es', null],
    ['an admin in a customer’s place', person('admin@host.es'), 'ana@cliente.es', null],
    ['an admin in a customer’s place', person('admin@host.es'), 'otro@cliente.es', 'prohibido'],
  ] as const)('by %s: %p %s: %p', (_who, actor, wanted, refusal) => {
    const ask = () => requireKnownAddress(actor, { client: CONTACT, logins: [LOGIN] }, wanted)
    if (refusal === null) ask()
    else expect(ask).toThrow(refusal)
  })

  test('is none of a token’s where the client has none', () => {
    const known = { client: { email: null }, logins: [{ email: null }] }
    expect(() => requireKnownAddress(token, known, 'ana@cliente.es')).toThrow('no_con_token')
  })
})
