import { describe, expect, test } from 'bun:test'
import { translateHtaccess } from '../../lib/htaccess/decide.ts'
import type { CurrentSettings } from '../../lib/htaccess/merge.ts'
import { readDirectives } from '../../lib/htaccess/read.ts'
import { ORDINARY_PHP } from '../../lib/sites/php-shapes.ts'
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
} from './htaccess/published.ts'

const NONE: CurrentSettings = {
  ...{ redirects: [], guards: [], errorPages: {}, indexFiles: null, cache: null, php: null },
  ...{ ordinaryPhp: ORDINARY_PHP, memoryBytes: null },
}
const NAMES = ['ana.es', 'www.ana.es']
const translate = (text: string, current: Partial<CurrentSettings> = {}, path = '/.htaccess') =>
  translateHtaccess([{ path, text, leadsTo: null }], { ...NONE, ...current }, NAMES)

/** What is set, what is taken otherwise, and what is left, each by its reason, with the first words. */
function told(text: string, current?: Partial<CurrentSettings>, path?: string) {
  const { settings, changed, left } = translate(text, current, path)
  const words = ({ line, reason }: { line: number | null; reason: string }) => `${line} ${reason}`
  return { settings, changed: changed.map(words), left: left.map(words) }
}

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

describe('a redirect', () => {
  const redirects = (line: string, path?: string) => {
    const { settings, left } = told(line.startsWith('Rewrite') ? `RewriteEngine On\n${line}` : line, {}, path)
    const [one] = settings.redirects ?? []
    return one ? `${one.from} ${one.to} ${one.status}` : left.join().replace(/^\d+ /, '')
  }
  test.each([
    ['Redirect 301 /a https://b.es/c', '/a/* https://b.es/c/* 301'],
    ['Redirect /a /b', '/a/* /b/* 302'],
    ['Redirect permanent "/con espacio" /b', '/con espacio/* /b/* 301'],
    ['Redirect seeother /a.html /b.html', '/a.html /b.html 302'],
    ['Redirect gone /a', 'codigo'],
    ['Redirect 301 / https://nueva.es/', '/* https://nueva.es/* 301'],
    ['Redirect 301 /a/b/c/d/e /f', '/a/b/c/d/e /f 301'],
    ['RedirectPermanent /a.php https://b.es/?x=1', '/a.php https://b.es/?x=1 301'],
    ['RedirectMatch 301 ^/blog/(.*)$ /noticias/$1', '/blog/* /noticias/* 301'],
    ['RedirectMatch 301 ^/a/?$ /b', '/a /b 301'],
    ['RedirectMatch 301 \\.aspx$ /', 'expresion'],
    ['RewriteRule ^old\\.html$ /new.html [R=301,L]', '/old.html /new.html 301'],
    ['RewriteRule ^old/(.*)$ https://b.es/new/$1 [R=301,NE,L]', '/old/* https://b.es/new/* 301'],
    ['RewriteRule ^old(/.*)?$ /new$1 [R=308]', '/old/* /new/* 308'],
    ['RewriteRule ^(.*)$ https://nueva.es/$1 [R=301,L]', '/* https://nueva.es/* 301'],
    ['RewriteRule ^a/?$ b/ [R]', '/a /b/ 302'],
    ['RewriteRule ^a/([0-9]+)$ /b?id=$1 [R=301]', 'expresion'],
    ['RewriteRule ^a-(.*)$ /b-$1 [R=301]', 'expresion'],
    ['RewriteRule ^a$ javascript:alert(1) [R]', 'destino'],
    ['RewriteRule ^a$ "https\\:\\/\\/b\\.es\\/" [R=301]', '/a https://b.es/ 301'],
    ['RewriteRule ^a$ "//otra.es/" [R]', 'destino'],
    ['RewriteRule ^a$ /a [R]', 'destino'],
    ['RewriteCond %{QUERY_STRING} ^id=7$\nRewriteRule ^a$ /b? [R=301]', 'por_consulta'],
    ['RewriteCond %{HTTP_HOST} ^www\\. [NC]\nRewriteRule ^(.*)$ https://ana.es/$1 [R=301,L]', 'por_nombre'],
    ['RewriteCond %{REMOTE_ADDR} !^1\\.2\\.3\\.4$\nRewriteRule .* /obras.html [R=302]', 'por_direccion'],
    ['RewriteRule ^tienda/(.*)$ /index.php?p=$1 [L]', 'ruta_como_parametro'],
    ['RewriteRule ^(.*)$ public/$1 [L]', 'raiz_web'],
  ])('%s', (line, expected) => expect(redirects(line)).toBe(expected))

  test('of a folder is for addresses below it', () => {
    expect(redirects('RewriteRule ^a$ b [R=301]', '/tienda/.htaccess')).toBe('/tienda/a /tienda/b 301')
    expect(redirects('Redirect 301 /a /b', '/tienda/.htaccess')).toBe('/a/* /b/* 301')
  })

  test('is in force only with its engine on, and a rule that another skips is not understood', () => {
    expect(told('RewriteRule ^a$ /b [R]').left).toEqual(['1 apagada'])
    const skipping =
      'RewriteEngine On\nRewriteCond %{HTTPS} on\nRewriteRule ^ - [S=1]\nRewriteRule ^a$ /b [R]'
    expect(told(skipping)).toMatchObject({ settings: {}, left: ['3 condiciones', '4 condiciones'] })
  })
})

describe('what is closed', () => {
  const guards = (text: string, path?: string) => {
    const { settings, changed, left } = told(text, {}, path)
    return [settings.guards ?? [], [...changed, ...left].map((one) => one.replace(/^\d+ /, '')).join()]
  }
  const closed = (path: string, user = 'nadie') => [{ path, user }]
  test.each([
    ['a folder', 'Deny from all', '/wp-content/uploads/.htaccess', closed('/wp-content/uploads'), 'cerrada'],
    ['a folder by the new words', 'Require all denied', '/a/.htaccess', closed('/a'), 'cerrada'],
    ['a deep folder', 'Deny from all', '/a/b/c/d/e/.htaccess', [], 'muy_honda'],
    [
      'a file',
      '<Files xmlrpc.php>\nOrder deny,allow\nDeny from all\n</Files>',
      '/.htaccess',
      closed('/xmlrpc.php'),
      'solo_en_su_carpeta',
    ],
    ['dot files', '<FilesMatch "^\\.ht">\nRequire all denied\n</FilesMatch>', '/.htaccess', [], ''],
    ['dumps', '<FilesMatch "\\.(bak|sql|log)$">\nRequire all denied\n</FilesMatch>', '/.htaccess', [], ''],
    [
      'programs',
      '<FilesMatch "\\.(php|phtml)$">\nRequire all denied\n</FilesMatch>',
      '/.htaccess',
      [],
      'programas',
    ],
    [
      'others',
      '<FilesMatch "\\.(ini|sh)$">\nRequire all denied\n</FilesMatch>',
      '/.htaccess',
      [],
      'archivos_por_nombre',
    ],
    [
      'all but an address',
      'Order deny,allow\nDeny from all\nAllow from 1.2.3.4',
      '/.htaccess',
      [],
      'por_direccion,por_direccion,por_direccion',
    ],
    ['nothing', 'Order allow,deny\nAllow from all', '/.htaccess', [], ''],
    [
      'a password',
      'AuthType Basic\nAuthUserFile /x\nRequire valid-user',
      '/p/.htaccess',
      closed('/p', 'usuario'),
      'contrasena_nueva',
    ],
    [
      'by a rule',
      'RewriteEngine On\nRewriteRule ^includes/ - [F,L]',
      '/.htaccess',
      closed('/includes'),
      'cerrada',
    ],
    [
      'by an expression',
      'RewriteEngine On\nRewriteRule ^wp-includes/[^/]+\\.php$ - [F,L]',
      '/.htaccess',
      [],
      'expresion',
    ],
  ])('%s', (_, text, path, list, reason) => expect(guards(text, path)).toEqual([list, reason]))

  test('tells of each of its lines that it is part of one setting', () => {
    const { taken } = translate('AuthType Basic\nAuthName "Acceso"\nRequire user ana', {}, '/p/.htaccess')
    expect(taken.map(({ line, setting }) => [line, setting])).toEqual([
      [2, 'protegidas'],
      [3, 'protegidas'],
    ])
  })
})

describe('other directives', () => {
  test.each([
    ['ErrorDocument 404 /errores/404.html', { errorPages: { 404: '/errores/404.html' } }, ''],
    ['ErrorDocument 404 "No hay"', {}, 'pagina'],
    ['ErrorDocument 404 /../x.html', {}, 'pagina'],
    ['ErrorDocument 418 /a.html', {}, 'codigo'],
    ['DirectoryIndex portada.html index.php', { indexFiles: ['portada.html', 'index.php'] }, ''],
    ['DirectoryIndex index.cgi', {}, 'indice'],
    ['DirectoryIndex disabled', {}, 'listado'],
    ['Options All -Indexes', {}, 'manejador'],
    ['Options -Indexes +FollowSymLinks', {}, ''],
    ['Options +Indexes', {}, 'listado'],
    ['php_value memory_limit 4G', { php: { ...ORDINARY_PHP, memoryBytes: 1024 ** 3 } }, 'limitado'],
    ['php_value memory_limit -1', { php: { ...ORDINARY_PHP, memoryBytes: 1024 ** 3 } }, 'limitado'],
    ['php_value memory_limit mucho', {}, 'mal_escrita'],
    ['php_flag display_errors on', { php: { ...ORDINARY_PHP, showErrors: true } }, ''],
    ['php_value auto_prepend_file /etc/passwd', {}, 'ajuste_de_php'],
    ['php_flag engine off', {}, 'programas'],
    ['SetHandler cgi-script', {}, 'programas'],
    ['Header set X-Frame-Options DENY', {}, 'cabecera'],
    ['AddDefaultCharset UTF-8', {}, 'juego_de_caracteres'],
    ['SecFilterEngine Off', {}, 'desconocida'],
    ['ServerSignature Off', {}, ''],
    ['<If "%{HTTP_HOST} == \'a\'">\nRedirect /a /b\n</If>', {}, 'seccion'],
    ['<IfModule mod_security.c>\nRedirect /a /b\n</IfModule>', {}, 'modulo'],
    ['<IfModule !mod_rewrite.c>\nErrorDocument 404 /a.html\n</IfModule>', {}, ''],
    ['<IfVersion >= 2.4>\nErrorDocument 404 /a.html\n</IfVersion>', { errorPages: { 404: '/a.html' } }, ''],
    ['<IfVersion < 2.4>\nErrorDocument 404 /a.html\n</IfVersion>', {}, ''],
    ['</IfModule>\nErrorDocument 404 /a.html', {}, 'mal_escrita'],
    ['ErrorDocument \\\n404 \\\n/a.html', { errorPages: { 404: '/a.html' } }, ''],
  ])('%s', (text, settings, reason) => {
    const answer = told(text)
    const reasons = [...answer.changed, ...answer.left].map((one) => one.replace(/^\d+ /, ''))
    expect([answer.settings, reasons.join()]).toEqual([settings, reason])
  })

  test('set times for classes of files, by their endings too', () => {
    const long =
      '<FilesMatch "\\.(jpe?g|png|woff2)$">\nHeader set Cache-Control "max-age=60, public, immutable"\n</FilesMatch>'
    const kept = { seconds: 60, immutable: true }
    expect(told(long).settings.cache?.classes).toEqual({ image: kept, font: kept })
    const expires =
      '<FilesMatch "\\.(css|js)$">\nExpiresActive On\nExpiresDefault "access plus 2 hours 30 minutes"\n</FilesMatch>'
    expect(told(expires).settings.cache?.classes).toEqual({ style: { seconds: 9_000, immutable: false } })
    expect(told('ExpiresByType image/png "access plus 1 day"').left).toEqual(['1 apagada'])
  })

  test('of a folder that a site has only as a whole are left', () => {
    for (const line of ['ErrorDocument 404 /a.html', 'DirectoryIndex a.html', 'php_value memory_limit 64M']) {
      expect(told(line, {}, '/sub/.htaccess')).toEqual({ settings: {}, changed: [], left: ['1 carpeta'] })
    }
  })
})

describe('what a site has already', () => {
  test('stays, and is listed where it is another', () => {
    const current: Partial<CurrentSettings> = {
      redirects: [{ from: '/a/*', to: '/mio/*', status: 302 }],
      guards: [{ path: '/p', user: 'eva' }],
      errorPages: { 404: '/mia.html' },
      indexFiles: ['mia.html'],
      cache: {
        seconds: 60,
        parameters: ['p'],
        files: false,
        classes: { image: { seconds: 5, immutable: false } },
      },
      php: { ...ORDINARY_PHP, memoryBytes: 64 * 1024 ** 2 },
    }
    const text = `Redirect 301 /a /b
Redirect 301 /c /d
ErrorDocument 404 /otra.html
DirectoryIndex otra.html
ExpiresActive On
ExpiresByType image/png A60
ExpiresByType text/css A60
php_value memory_limit 128M
php_value max_input_vars 3000`
    const { settings, left } = told(text, current)
    expect(left).toEqual([1, 3, 4, 6, 8].map((line) => `${line} ya_hay_otra`))
    expect(settings).toEqual({
      redirects: [...(current.redirects ?? []), { from: '/c/*', to: '/d/*', status: 301 }],
      cache: {
        ...{ seconds: 60, parameters: ['p'], files: false },
        classes: { image: { seconds: 5, immutable: false }, style: { seconds: 60, immutable: false } },
      },
      php: { ...ORDINARY_PHP, memoryBytes: 64 * 1024 ** 2, inputVariables: 3000 },
    })
    expect(told('Deny from all', current, '/p/.htaccess').settings).toEqual({})
  })

  test('is set no second time, and the plan bounds it', () => {
    const first = translate(CPANEL).settings
    const again = translate(CPANEL, {
      ...(first.guards ? { guards: first.guards } : {}),
      ...(first.php ? { php: first.php } : {}),
    })
    expect(again.settings).toEqual({ httpsOnly: true })
    expect(told('php_value memory_limit 512M', { memoryBytes: 2e8 })).toEqual({
      settings: { php: { ...ORDINARY_PHP, memoryBytes: 2e8 } },
      changed: ['1 limitado'],
      left: [],
    })
  })
})

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

test.each([
  ['Order deny,allow\nDeny from all\nAllow from all', false],
  ['Deny from all\nAllow from all', false],
  ['Order allow,deny\nDeny from all\nAllow from all', true],
  ['Require all denied\nRequire all granted', false],
  ['Require all denied\nAllow from all', true],
  ['Require all granted\nDeny from all', true],
])('%p closes the site: %p', (text, closes) => {
  expect(translate(text).settings.guards !== undefined).toBe(closes)
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

describe('a file above what is served', () => {
  const above = (text: string, leadsTo = 'public') => {
    const { settings, taken, changed, left } = translateHtaccess(
      [{ path: '/../.htaccess', text, leadsTo }],
      NONE,
      NAMES,
    )
    expect([settings, changed]).toEqual([{}, []])
    return [taken.length, left.map(({ line, reason }) => `${line} ${reason}`)]
  }
  const ON = 'RewriteEngine on\n'

  test.each([
    ['^(.*)$ public/$1 [L]', 'public'],
    ['^ public%{REQUEST_URI} [L,QSA]', 'public'],
    ['(.*) /public/$1 [L,NC]', 'public'],
    ['^(.*)$ web/app/$1 [END]', 'web/app'],
    ['^((?!public/).*)$ ./public/$1 [L]', 'public'],
    ['^$ public/ [L]', 'public'],
    ['^/?$ public/index.php [L]', 'public'],
    ['^public/ - [L]', null],
    ['^(.*)$ public2/$1 [L]', null],
    ['^(.*)$ publi/$1 [L]', null],
    ['^tienda/(.*)$ public/$1 [L]', null],
    ['^(.*)$ public/$1 [R=301,L]', null],
    ['^(.*)$ public/../$1 [L]', null],
    ['^(.*)$ public/$1?x=1 [L]', null],
    ['^(.*)$ public/index.php [L]', null],
    ['^ index.php [L]', null],
    ['^(.*)$ https://ana.es/$1 [R=301,L]', null],
    ['^(.*)$ public/$1 [F]', null],
    ['^(.*)$ public/$1 [L,S=1]', null],
  ])('%s leads to %p', (rule, leadsTo) => {
    const [taken, left] = above(`${ON}RewriteRule ${rule}`, leadsTo ?? 'public')
    expect([taken, left]).toEqual(
      leadsTo === null ? [1, [expect.stringMatching(/^2 (?:encima|condiciones)$/)]] : [2, []],
    )
  })

  test.each([
    ['%{REQUEST_URI} !^/public/', true],
    ['%{REQUEST_FILENAME} !-f', true],
    ['%{HTTP_HOST} ^(www\\.)?ana\\.es$ [NC]', true],
    ['%{HTTP_HOST} ^otro\\.es$ [NC]', false],
    ['%{QUERY_STRING} a=1', false],
    ['%{REMOTE_ADDR} ^10', false],
  ])('where %s: %p', (condition, leads) => {
    const [, left] = above(`${ON}RewriteCond ${condition}\nRewriteRule ^(.*)$ public/$1 [L]`)
    expect(left).toEqual(leads ? [] : ['3 encima'])
  })

  test('sets nothing by whatever else stands there', () => {
    const text = [
      ...['RewriteEngine on', 'RewriteBase /', 'RewriteRule ^(.*)$ public/$1 [L]', 'Options -Indexes'],
      ...['Redirect 301 /a /b', 'Deny from all', 'php_value memory_limit 1G', 'ErrorDocument 404 /x.html'],
      ...['DirectoryIndex public/index.php', 'AuthType Basic', 'Foo bar', '<Files ".env">', 'Deny from all'],
      ...['</Files>', 'ExpiresActive on', 'ExpiresDefault "access plus 1 day"', 'Require valid-user'],
    ].join('\n')
    expect(above(text)[1]).toEqual([
      ...['5 encima', '6 encima', '7 encima', '8 encima', '9 listado', '10 encima', '11 desconocida'],
      ...['16 encima', '17 encima'],
    ])
  })

  test('that was off leads nowhere, and one that could not be read is told', () => {
    expect(above('RewriteRule ^(.*)$ public/$1 [L]')[1]).toEqual(['1 apagada'])
    const file = { path: '/../.htaccess', text: 'no_es_texto', leadsTo: 'public' } as const
    expect(translateHtaccess([file], NONE, NAMES).left).toMatchObject([{ reason: 'no_es_texto' }])
  })
})
