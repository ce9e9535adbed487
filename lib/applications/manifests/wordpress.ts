import type { Manifest } from './manifest.ts'

export const wordpress: Manifest = {
  kind: 'wordpress',
  name: 'WordPress',
  description: {
    en: 'Websites, blogs and shops, with themes and plug-ins.',
    es: 'Webs, blogs y tiendas, con temas y extensiones.',
  },
  php: { from: '7.4', extensions: ['mysqli'] },
  database: 'wp',
  languages: null,
  archive: { version: '\\d{1,4}(?:\\.\\d{1,4}){1,3}' },
  debian: {
    packages: ['wordpress', 'wordpress-l10n', 'wordpress-theme-twentytwentythree'],
    version: '/usr/share/wordpress/wp-includes/version.php',
    // Its languages are chosen among; see `debian.ts`.
    parts: [{ from: '/usr/share/wordpress', into: '' }],
  },
  // Of Debian's own: settings that look elsewhere, and a link out of the package.
  left: ['wp-config.php', '.htaccess'],
  version: { file: 'wp-includes/version.php', pattern: "^\\$wp_version\\s*=\\s*'([0-9A-Za-z.+-]{1,40})';" },
  settings: 'wp-config.php',
  entry: 'index.php',
  folders: [],
  files: [],
  installer: null,
  task: ['wp-cron.php'],
  update: { kept: ['wp-config.php'], merged: [], left: ['wp-content'], upgrade: null },
  admits: ['sesion', 'clonar'],
  signIn: '/wp-login.php',
  welcome: {
    en: 'Choose your password by this link, which works for a day:\n{enlace}',
    es: 'Elija su contraseña con este enlace, que vale un día:\n{enlace}',
  },
}
