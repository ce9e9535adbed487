import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { newFaults, shareOf } from '../../deploy/node/doctor/compare.ts'
import type { Check } from '../../deploy/node/services/check-view.ts'
import { isNewer, releaseIn } from '../../lib/updates/decide.ts'

const ROOT = resolve(import.meta.dir, '../..')

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.1.10', '0.1.9', true],
  ['v1.0.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['0.2.0-rc1', '0.1.0', false],
  ['latest', '0.1.0', false],
])('%s is newer than %s: %p', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer)
})

describe('a source tells of', () => {
  const tags = [
    '001e# service=git-upload-pack\n',
    '0000',
    ...['v0.9.0', 'v0.10.0', 'nightly', 'v0.10.0^{}'].map(
      (tag) => `003f${'a'.repeat(40)} refs/tags/${tag}\n`,
    ),
  ].join('')

  test.each([
    [
      'its JSON',
      '{"version": "0.2.0", "url": "https://panel.es/0.2.0"}',
      ['0.2.0', 'https://panel.es/0.2.0'],
    ],
    [
      'a release',
      '{"tag_name": "v0.2.0", "html_url": "https://git.es/r/v0.2.0"}',
      ['0.2.0', 'https://git.es/r/v0.2.0'],
    ],
    ['a line', 'v0.2.0\n', ['0.2.0', null]],
    ['the tags of a remote', tags, ['0.10.0', null]],
    ['no link but HTTPS', '{"version": "0.2.0", "url": "javascript:alert(1)"}', ['0.2.0', null]],
  ])('%s', (_, text, [version, url]) => {
    expect(releaseIn(text)).toEqual({ version: version ?? '', url: url ?? null })
  })

  test.each(['', '{}', '{"version": 2}', '<html>0.2.0</html>', '{"version": "0.2.0\\n0.3.0"}', 'null'])(
    'no version: %s',
    (text) => {
      expect(releaseIn(text)).toBeNull()
    },
  )
})

describe('the faults of an upgrade', () => {
  const check = (comprobacion: string, bien: boolean, partes?: string[]) => ({
    ...{ comprobacion, bien, consejo: bien ? null : 'why' },
    ...(partes ? { partes } : {}),
  })

  test('are those that were none before, by part and whatever the version', () => {
    const before = [
      check('nginx 1.22.1', false),
      check('correo', true),
      check('sitios', false, ['http://a.es']),
    ]
    const after = [
      check('nginx 1.24.0', false),
      check('correo', false),
      check('sitios', false, ['http://a.es', 'https://b.es']),
    ]
    expect(newFaults(before, after)).toEqual(['correo: why', 'sitios: https://b.es'])
    expect(newFaults(after, before)).toEqual([])
  })

  test('are none of a site that fails now and then', () => {
    const looks = ['http://a.es', 'http://b.es'].map((site) => [
      check('correo', false),
      check('sitios', false, [site]),
    ])
    expect(newFaults([], ...looks)).toEqual(['correo: why'])
    expect(newFaults([])).toEqual([])
  })

  test.each([
    ['nginx 1.22.1', 'nginx 1.24.0', true],
    ['pdns v4.7.3', 'pdns v4.8.0-1+deb12u1', true],
    ['php8.2 8.2.7', 'php8.3 8.3.1', false],
    ['puerto 2087', 'puerto 443', false],
    ['reserva del puerto 80', 'reserva del puerto 443', false],
    ['reserva del puerto 80', 'reserva del puerto 80', true],
    ['nodo n1', 'nodo n2', false],
  ])('%s before and %s after are the same: %p', (before, after, isSame) => {
    expect(newFaults([check(before, false)], [check(after, false)]).length).toBe(isSame ? 0 : 1)
  })

  const sites = (asked: number, ...partes: string[]) => [
    { ...check('sitios', false, partes), preguntados: asked },
  ]
  const some = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `http://s${from + at}.es`)
  test.each([
    ['one of many', [sites(40, 'http://a.es', 'https://a.es', 'zone a.es')], 'least'],
    ['one of three', [sites(3, 'http://a.es')], 'least'],
    ['a twentieth', [sites(40, ...some(1, 2))], 'least'],
    ['more than a twentieth', [sites(40, ...some(1, 3))], 'few'],
    ['nearly half', [sites(40, ...some(1, 19))], 'few'],
    ['half of all', [sites(4, ...some(1, 2))], 'much'],
    ['the only one', [sites(1, 'http://a.es')], 'much'],
    ['one of two', [sites(2, 'http://a.es')], 'much'],
    ['one beside another fault', [[...sites(40, 'http://a.es'), check('nginx 1.24.0', false)]], 'much'],
    ['what an older version did not count', [[check('sitios', false, ['http://a.es'])]], 'much'],
    ['one that failed in one look', [sites(40, 'http://a.es'), sites(40)], 'none'],
  ])('are of a share that decides how long they are given: %s', (_, after, share) => {
    expect(shareOf([], ...after)).toBe(share as ReturnType<typeof shareOf>)
  })

  test('are none where something got well, or is only advised', () => {
    expect(newFaults([check('correo', false)], [{ ...check('correo', true), consejo: 'advice' }])).toEqual([])
  })

  /** What upgrade.sh makes of looks that find this until the given one, without its pauses. */
  function judged(until: number, found: Check[]) {
    const script = readFileSync(join(ROOT, 'deploy/systemd/upgrade.sh'), 'utf8')
    const from = script.indexOf('# new_faults FILE')
    const looks = mkdtempSync(join(tmpdir(), 'looks-'))
    try {
      for (const [name, checks] of Object.entries({ before: [check('correo', true)], ill: found, well: [] }))
        writeFileSync(join(looks, name), JSON.stringify(checks))
      const stubs = `set -eu; looks=$1 until=$2 n=0; say() { echo "$1"; }; sleep() { :; }
        uptime() { echo $((n * 10)); }
        look() { n=$((n + 1)); if [ "$n" -lt "$until" ]; then cp "$looks/ill" "$1"; else cp "$looks/well" "$1"; fi; }
        BUN=$3 PREFIX=$4; mkdir -p "$PREFIX"; ln -s "$5" "$PREFIX/current"`
      const end =
        'if as_well_as_before; then echo "stays after $n $left"; else echo "undone after $n: $faults"; fi'
      const judging = script.slice(from, script.indexOf('require_root_and_systemd'))
      const words = [looks, String(until), process.execPath, join(looks, 'prefix'), ROOT]
      const { stdout, stderr } = Bun.spawnSync(['sh', '-c', `${stubs}\n${judging}\n${end}`, 'sh', ...words])
      return (stdout.toString() + stderr.toString()).trim().split('\n')
    } finally {
      rmSync(looks, { recursive: true })
    }
  }

  test('do not undo it where one site of many is back within five minutes, and that site is named', () => {
    const told = judged(15, sites(40, 'http://a.es'))
    expect(told).toEqual([expect.stringContaining('asked again'), 'sitios: http://a.es', 'stays after 15'])
  }, 30_000)

  test('do not undo it where that site stays broken, and it is named again', () => {
    const told = judged(99, sites(40, 'http://a.es'))
    expect(told.at(-1)).toBe('stays after 30 sitios: http://a.es')
  }, 30_000)

  test('undo it after five minutes where some more sites stay broken', () => {
    const told = judged(99, sites(40, ...some(1, 3)))
    expect(told.slice(-3)).toEqual([
      'undone after 30: sitios: http://s1.es',
      'sitios: http://s2.es',
      'sitios: http://s3.es',
    ])
  }, 30_000)

  test('undo it after a minute where many fail', () => {
    expect(judged(15, sites(2, 'http://a.es'))).toEqual(['undone after 6: sitios: http://a.es'])
  }, 30_000)
})
