import type { Manifest } from './manifest.ts'

/** Its pages, settings and people lie in `.dokuwiki`, which no visitor is served; what it brings itself beside it. */
const PRELOAD = `<?php
// Made by the control panel, which makes it anew at an update.
if (PHP_SAPI !== 'cli' && is_file(__DIR__ . '/../.maintenance')) {
    header('Retry-After: 60');
    header('Content-Type: text/plain; charset=utf-8');
    http_response_code(503);
    exit('DokuWiki is being updated.');
}
if (!defined('DOKU_CONF')) {
    define('DOKU_CONF', dirname(__DIR__) . '/.dokuwiki/conf/');
}
$controlpanel_conf = dirname(__DIR__) . '/conf/';
$config_cascade = ['main' => ['default' => ["{$controlpanel_conf}dokuwiki.php"], 'local' => [DOKU_CONF . 'local.php'], 'protected' => [DOKU_CONF . 'local.protected.php']]];
foreach (['acronyms' => 'conf', 'entities' => 'conf', 'interwiki' => 'conf', 'license' => 'php', 'manifest' => 'json', 'mediameta' => 'php', 'mime' => 'conf', 'scheme' => 'conf', 'smileys' => 'conf', 'wordblock' => 'conf'] as $controlpanel_name => $controlpanel_ending) {
    $config_cascade[$controlpanel_name] = [
        'default' => ["$controlpanel_conf$controlpanel_name.$controlpanel_ending"],
        'local' => [DOKU_CONF . "$controlpanel_name.local.$controlpanel_ending"],
    ];
}
$config_cascade['plugins'] = [
    'default' => ["{$controlpanel_conf}plugins.php"],
    'local' => [DOKU_CONF . 'plugins.local.php'],
    'protected' => ["{$controlpanel_conf}plugins.required.php", DOKU_CONF . 'plugins.protected.php'],
];
unset($controlpanel_conf, $controlpanel_name, $controlpanel_ending);
`

const SETTINGS = `<?php
/*
 * Made by the control panel. What you set in DokuWiki stands in local.php; this comes after it.
 * Installation {{=id}}
 */
$conf['savedir'] = dirname(__DIR__) . '/data';
`

const FIRST = `<?php
$conf['title'] = {{title}};
$conf['lang'] = {{language}};
$conf['license'] = '0';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['disableactions'] = 'register';
$conf['autopasswd'] = 0;
$conf['passcrypt'] = 'bcrypt';
$conf['mailfrom'] = {{sender}};
`

export const dokuwiki: Manifest = {
  kind: 'dokuwiki',
  name: 'DokuWiki',
  description: {
    en: 'A wiki that keeps its pages in files and needs no database.',
    es: 'Un wiki que guarda sus páginas en archivos, sin base de datos.',
  },
  php: { from: '7.2', extensions: ['json', 'xml', 'gd'] },
  database: null,
  languages: {
    en_US: 'en',
    es_ES: 'es',
    ca: 'ca',
    eu: 'eu',
    gl_ES: 'gl',
    de_DE: 'de',
    fr_FR: 'fr',
    it_IT: 'it',
    pt_PT: 'pt',
    pt_BR: 'pt-br',
  },
  archive: { version: '\\d{4}-\\d\\d-\\d\\d[a-z]?' },
  debian: {
    packages: ['dokuwiki'],
    version: '/usr/share/dokuwiki/VERSION',
    parts: [
      {
        from: '/usr/share/dokuwiki',
        into: '',
        only: ['VERSION', 'bin', 'doku.php', 'feed.php', 'inc', 'index.php', 'vendor'],
      },
      {
        from: '/usr/share/dokuwiki/lib',
        into: 'lib',
        only: ['exe', 'images', 'scripts', 'styles', 'index.html'],
      },
      { from: '/var/lib/dokuwiki/lib', into: 'lib', only: ['plugins', 'tpl'] },
      {
        from: '/etc/dokuwiki',
        into: 'conf',
        only: [
          'acronyms.conf',
          'dokuwiki.php',
          'entities.conf',
          'interwiki.conf',
          'license.php',
          'manifest.json',
          'mediameta.php',
          'mime.conf',
          'plugins.php',
          'plugins.required.php',
          'scheme.conf',
          'smileys.conf',
          'wordblock.conf',
        ],
      },
    ],
  },
  left: [
    'install.php',
    'data',
    '.htaccess',
    '.htaccess.dist',
    'conf/local.php',
    'conf/users.auth.php',
    'conf/acl.auth.php',
  ],
  version: { file: 'VERSION', pattern: '^(\\d{4}-\\d\\d-\\d\\d[a-z]?)' },
  settings: '.dokuwiki/conf/local.protected.php',
  entry: 'index.php',
  folders: [
    ...[
      'attic',
      'cache',
      'index',
      'locks',
      'log',
      'media',
      'media_attic',
      'media_meta',
      'meta',
      'pages',
      'tmp',
    ].map((name) => `.dokuwiki/data/${name}`),
    '.dokuwiki/conf',
  ],
  files: [
    { path: 'inc/preload.php', text: PRELOAD, renewed: true },
    { path: '.dokuwiki/conf/local.protected.php', text: SETTINGS },
    { path: '.dokuwiki/conf/local.php', text: FIRST },
  ],
  installer: null,
  task: null,
  update: { kept: ['.dokuwiki'], merged: ['lib/plugins', 'lib/tpl'], left: [], upgrade: null },
  admits: [],
  signIn: '/doku.php?do=login',
  welcome: {
    en: 'Choose your password by this link, which works for three days:\n{enlace}',
    es: 'Elija su contraseña con este enlace, que vale tres días:\n{enlace}',
  },
}
