import { describe, expect, test } from 'bun:test'
import { ORDINARY_PHP } from '../../../lib/sites/php-shapes.ts'
import { told, translate } from './translated.ts'

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
