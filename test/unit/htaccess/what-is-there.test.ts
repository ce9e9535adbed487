import { describe, expect, test } from 'bun:test'
import { translateHtaccess } from '../../../lib/htaccess/decide.ts'
import type { CurrentSettings } from '../../../lib/htaccess/merge.ts'
import { ORDINARY_PHP } from '../../../lib/sites/php-shapes.ts'
import { CPANEL } from './published.ts'
import { NAMES, NONE, told, translate } from './translated.ts'

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
