import { describe, expect, test } from 'bun:test'
import { ORDINARY_PHP } from '../../../lib/sites/php-shapes.ts'
import {
  CPANEL,
  DRUPAL,
  JOOMLA,
  LARAVEL,
  MOODLE,
  PRESTASHOP,
  SINGLE_PAGE,
  W3_TOTAL_CACHE,
  WORDPRESS,
} from './published.ts'
import { told, translate } from './translated.ts'

describe('the published files of', () => {
  test('WordPress hold as they are', () => {
    expect(told(WORDPRESS)).toEqual({ settings: {}, changed: [], left: [] })
    expect(translate(WORDPRESS).taken).toHaveLength(5)
  })

  test('W3 Total Cache set what browsers keep; its page cache and headers are left', () => {
    const { settings, changed, left } = told(W3_TOTAL_CACHE)
    const kept = (seconds: number) => ({ seconds, immutable: false })
    expect(settings).toEqual({
      cache: {
        ...{ seconds: null, parameters: [], files: false },
        classes: { style: kept(31_536_000), html: kept(3_600), image: kept(2_592_000) },
      },
    })
    expect(changed).toEqual(['13 el_mas_corto'])
    expect(left.map((one) => one.replace(/^\d+ /, ''))).toEqual([
      ...['sin_clase', 'tiempo', 'cabecera', 'cabecera', 'cabecera', 'variable', 'cache_de_paginas'],
    ])
  })

  test('Joomla hold but for its filter of queries and a header', () => {
    expect(told(JOOMLA)).toEqual({ settings: {}, changed: [], left: ['4 cabecera', '10 por_consulta'] })
  })

  test('Drupal hold, with times for files; closed endings are left', () => {
    const { settings, changed, left } = told(DRUPAL)
    expect(Object.keys(settings)).toEqual(['cache'])
    expect(Object.values(settings.cache?.classes ?? {}).map((kept) => kept?.seconds)).toEqual(
      Array.from({ length: 6 }, () => 1_209_600),
    )
    expect(changed.map((one) => one.replace(/^\d+ /, ''))).toEqual(['por_clases'])
    expect(left).toEqual([
      ...['3 archivos_por_nombre', '12 tipo', '14 ajuste_de_php', '25 modulo', '31 variable'],
    ])
  })

  test('Laravel hold but for slashes at the end', () => {
    expect(told(LARAVEL)).toEqual({ settings: {}, changed: [], left: ['15 condiciones'] })
  })

  test('PrestaShop hold in part', () => {
    const { settings, left } = told(PRESTASHOP)
    expect(settings.cache?.classes).toEqual({
      image: { seconds: 2_592_000, immutable: false },
      style: { seconds: 604_800, immutable: false },
      font: { seconds: 31_536_000, immutable: false },
    })
    expect(left).toEqual([
      ...['4 variable', '7 variable', '8 reescritura', '9 reescritura', '14 reescritura', '18 cabecera'],
      ...['26 cabecera', '27 cabecera', '28 pagina'],
    ])
  })

  test('Moodle and of an application of a single page', () => {
    expect(told(MOODLE)).toEqual({
      settings: { php: { ...ORDINARY_PHP, inputVariables: 5000 } },
      changed: [],
      left: ['2 pagina', '5 expresion'],
    })
    expect(told(SINGLE_PAGE)).toEqual({ settings: { singlePage: true }, changed: [], left: [] })
  })

  test('cPanel set HTTPS, limits of PHP and a protected file; what is by name of the host is left', () => {
    const { settings, changed, left } = told(CPANEL)
    expect(settings).toEqual({
      httpsOnly: true,
      php: {
        ...ORDINARY_PHP,
        ...{ seconds: 120, memoryBytes: 512 * 1024 ** 2, uploadBytes: 96 * 1024 ** 2 },
      },
      guards: [{ path: '/wp-login.php', user: 'ana' }],
    })
    expect(changed).toEqual(['16 limitado', '26 contrasena_nueva'])
    expect(left).toEqual(['9 por_nombre', '12 version_de_php', '20 ajuste_de_php'])
  })
})
