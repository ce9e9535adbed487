import type { Manifest } from './manifest.ts'

const SETTINGS = `<?php
/*
 * Made by the control panel; change it as you like, but keep the next line.
 * Installation {{=id}}
 */
if (!defined('MEDIAWIKI')) {
    exit;
}
$wgSitename = {{title}};
$wgMetaNamespace = 'Project';
$wgServer = (empty($_SERVER['HTTPS']) || $_SERVER['HTTPS'] === 'off' ? 'http://' : 'https://') . {{host}};
$wgScriptPath = '';
$wgArticlePath = '/wiki/$1';
$wgLanguageCode = {{language}};

$wgDBtype = 'mysql';
$wgDBserver = 'localhost:' . {{socket}};
$wgDBname = {{database}};
$wgDBuser = {{user}};
$wgDBpassword = '';
$wgDBprefix = '';
$wgDBTableOptions = 'ENGINE=InnoDB, DEFAULT CHARSET=binary';
$wgMainCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_DB;

$wgSecretKey = {{secret}};
$wgUpgradeKey = {{secret}};
$wgAuthenticationTokenVersion = '1';

$wgEmergencyContact = {{email}};
$wgPasswordSender = {{sender}};
$wgPingback = false;
$wgEnableUploads = true;
$wgUseImageMagick = false;
// What was deleted is served to nobody.
$wgDeletedDirectory = __DIR__ . '/.deleted';

// Who has an account writes; accounts are made by administrators.
$wgGroupPermissions['*']['edit'] = false;
$wgGroupPermissions['*']['createaccount'] = false;

if ({{scheduled}}) {
    // A task of the site does it (maintenance/runJobs.php).
    $wgJobRunRate = 0;
}
if (PHP_SAPI !== 'cli' && is_file(__DIR__ . '/.maintenance')) {
    $wgReadOnly = 'MediaWiki is being updated.';
}

wfLoadSkin('Vector');
$wgDefaultSkin = 'vector';
foreach (['Cite', 'ParserFunctions', 'WikiEditor'] as $controlpanel_extension) {
    if (is_file(__DIR__ . "/extensions/$controlpanel_extension/extension.json")) {
        wfLoadExtension($controlpanel_extension);
    }
}
`

export const mediawiki: Manifest = {
  kind: 'mediawiki',
  name: 'MediaWiki',
  description: {
    en: 'The wiki that Wikipedia runs on, for large collections of pages.',
    es: 'El wiki de Wikipedia, para grandes colecciones de páginas.',
  },
  php: { from: '7.4', extensions: ['intl', 'mbstring', 'mysqli', 'xml', 'gd'] },
  database: 'mw',
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
  archive: { version: '\\d{1,4}(?:\\.\\d{1,4}){1,3}' },
  debian: {
    packages: ['mediawiki', 'mediawiki-classes'],
    version: '/usr/share/mediawiki/includes/Defines.php',
    parts: [
      { from: '/usr/share/mediawiki', into: '' },
      { from: '/usr/share/mediawiki/extensions-core', into: 'extensions' },
    ],
  },
  left: ['LocalSettings.php', 'config', 'extensions-core', 'images', 'mw-config'],
  version: {
    file: 'includes/Defines.php',
    pattern: "^define\\(\\s*'MW_VERSION', '([0-9A-Za-z.+-]{1,40})' \\);",
  },
  settings: 'LocalSettings.php',
  entry: 'index.php',
  folders: ['images', '.deleted'],
  files: [{ path: 'LocalSettings.php', text: SETTINGS }],
  installer: [
    '{php}',
    '{folder}/maintenance/install.php',
    '--dbserver=localhost:{socket}',
    '--dbname={database}',
    '--dbuser={user}',
    '--dbpass=',
    '--server={url}',
    '--scriptpath=',
    '--lang={language}',
    '--passfile=php://stdin',
    '--skins=Vector',
    '--confpath={folder}',
    '--',
    '{title}',
    '{login}',
  ],
  task: ['maintenance/runJobs.php', '--maxtime=50'],
  update: {
    kept: ['LocalSettings.php', 'images', '.deleted'],
    merged: ['extensions', 'skins'],
    left: [],
    upgrade: ['{php}', '{folder}/maintenance/update.php', '--quick'],
  },
  admits: [],
  signIn: '/index.php?title=Special:UserLogin',
  welcome: {
    en: 'Sign in with this password, which works for a week and which you then replace by your own: {clave}',
    es: 'Entre con esta contraseña, que vale una semana y que entonces cambiará por la suya: {clave}',
  },
}
