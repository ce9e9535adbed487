import { describe, expect, test } from 'bun:test'
import { translateHtaccess } from '../../../lib/htaccess/decide.ts'
import { readDirectives } from '../../../lib/htaccess/read.ts'
import { NAMES, NONE, translate } from './translated.ts'

describe('a file of any content', () => {
  test('ends in bounds, and what is beyond them is named', () => {
    const many = Array.from({ length: 1_990 }, (_, at) => `Redirect /a${at} /b`).join('\n')
    const { settings, left } = translateHtaccess(
      [
        { path: '/.htaccess', text: many, leadsTo: null },
        { path: '/a/.htaccess', text: many, leadsTo: null },
        { path: '/b/.htaccess', text: 'demasiado_grande', leadsTo: null },
      ],
      NONE,
      NAMES,
    )
    expect(settings.redirects).toHaveLength(200)
    expect(left.slice(-2).map(({ file, line, reason }) => [file, line, reason])).toEqual([
      ['/a/.htaccess', null, 'demasiado_grande'],
      ['/b/.htaccess', null, 'demasiado_grande'],
    ])
    expect(readDirectives('Options -Indexes\n'.repeat(5_000))).toHaveLength(2_000)
    expect(readDirectives('<IfModule mod_dir.c>\n'.repeat(50)).map(({ barred }) => barred)).toEqual([
      'mal_escrita',
    ])
  })

  test.each([
    ['(a+)+$', 'a'.repeat(30_000)],
    ['^(((((', '['.repeat(9_000)],
    ['\\'.repeat(8_000), '"'.repeat(9_000)],
    ['^a|'.repeat(2_000), '$1'.repeat(2_000)],
    [`\\.(${'a?'.repeat(3_000)})$`, 'x?'.repeat(4_000)],
  ])('is read within bounds: %#', (pattern, target) => {
    const text = [
      'RewriteEngine On',
      `RewriteRule ${pattern} ${target} [R=301]`,
      `RedirectMatch ${pattern} ${target}`,
      `<FilesMatch "${pattern}">\nDeny from all\n</FilesMatch>`,
      `Redirect ${target} ${pattern}`,
      `Header set Cache-Control "${target}"`,
    ].join('\n')
    expect(translate(text).left.length).toBeGreaterThan(0)
  })

  test('is told by at most 200 characters of each line, with quotes, tabs and a mark of its letters', () => {
    const [one, two] = readDirectives(
      `\uFEFF\tErrorDocument\t404  "a \\"b\\" c"\r\n${`# ${'x'.repeat(500)}`}\nFoo ${'y'.repeat(500)}`,
    )
    expect([one?.name, one?.args, one?.text]).toEqual([
      'errordocument',
      ['404', 'a "b" c'],
      'ErrorDocument 404 "a \\"b\\" c"',
    ])
    expect([two?.line, two?.text.length]).toEqual([3, 200])
  })
})

describe('hostile files', () => {
  const ENDED = '\u2028x\u2028y'
  /** As many of the longest lines as all files of a site may have. */
  const quickly = (line: string) => {
    const text = `ExpiresActive on\nRewriteEngine on\n${`${line}\n`.repeat(7)}`
    const begun = performance.now()
    translateHtaccess(Array(20).fill({ path: '/.htaccess', text, leadsTo: null }), NONE, NAMES)
    expect(performance.now() - begun).toBeLessThan(1_000)
  }

  test.each([
    ['a word', 'a'.repeat(8_100) + ENDED],
    ['a section', `<${'a'.repeat(8_100)}${ENDED}`],
    ['an address', `RewriteRule ^ "https://${'a'.repeat(4_000)}/${'b'.repeat(4_000)}${ENDED}" [R]`],
    ['a program', `RewriteRule ^ "${'/index.php'.repeat(800)}${ENDED}"`],
    ['a time', `ExpiresDefault "access plus${' '.repeat(4_000)}${'x'.repeat(4_000)}${ENDED}"`],
  ])('with %s that ends nowhere are read at once', (_, line) => quickly(line))

  test('with long expressions are read at once', () => {
    const scope = (end: string, line: string) =>
      `<FilesMatch "${'a'.repeat(8_000)}${end}">\n${`${line}\n`.repeat(990)}</FilesMatch>\n`
    const text = scope('a', 'ExpiresActive x') + scope('b', 'ExpiresDefault x')
    const begun = performance.now()
    translate(text)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  test('set whole numbers alone', () => {
    expect(translate('php_value max_execution_time 9.5').settings.php?.seconds).toBe(9)
    expect(translate('php_value max_input_vars 1000.5').settings).toEqual({})
  })
})
