import type { Form } from './words.ts'

/** Every command of the panel. Each is loaded when it is called: `panel cron` need not read what only the server needs. */
export const COMMANDS: Form[] = [
  {
    words: ['start'],
    options: [{ name: 'dejar-servicios' }],
    help: 'serve the panel; the option leaves its services (nginx, PHP-FPM, …) running at the end',
    run: async (given, output) => (await import('./start.ts')).start(given, output),
  },
  {
    words: ['admin', 'invitar'],
    options: [{ name: 'correo', value: 'ADDRESS', required: true }],
    help: 'a link for a further admin, or a reset link for an existing one',
    run: async (given, output) => (await import('./admin.ts')).admin(given, output),
  },
  {
    words: ['doctor'],
    options: [{ name: 'todos' }],
    help: 'check every part and say what to do; the option asks all sites, and not some of them',
    run: async (given, output) => (await import('./doctor.ts')).doctor(given, output),
  },
  {
    words: ['backup', 'FILE'],
    help: 'a consistent copy of the database, also under load',
    run: async (given, output) => (await import('./backup.ts')).backup(given, output),
  },
  {
    words: ['restore', 'FILE'],
    options: [{ name: 'misma-identidad' }],
    help: 'put a backup in its place; the option keeps tokens and sessions',
    run: async (given, output) => (await import('./backup.ts')).restore(given, output),
  },
  {
    words: ['recuperar'],
    options: [
      { name: 'tipo', value: 'KIND', required: true },
      { name: 'url', value: 'ADDRESS', required: true },
      { name: 'huella', value: 'SHA256:…' },
      { name: 'copia', value: 'WHEN' },
      { name: 'simular' },
    ],
    help: 'make this machine the node that a destination has copies of; KIND is carpeta, sftp, s3 or rest; WHEN is the day or the moment of an older copy; reads the password from standard input',
    run: async (given, output) => (await import('./backup.ts')).recover(given, output),
  },
  {
    words: ['papelera'],
    optional: ['lista'],
    help: 'list deleted files',
    run: async (given, output) => (await import('./trash.ts')).trash(given, output),
  },
  {
    words: ['papelera', 'restaurar', 'ID'],
    options: [
      { name: 'sitio', value: 'DOMAIN' },
      { name: 'base', value: 'NAME' },
    ],
    help: 'give deleted files back, to an existing site where one is named',
    run: async (given, output) => (await import('./trash.ts')).trash(given, output),
  },
  {
    words: ['papelera', 'purgar', 'ID'],
    help: 'remove deleted files for good',
    run: async (given, output) => (await import('./trash.ts')).trash(given, output),
  },
  {
    words: ['importar', 'FILE'],
    options: [
      { name: 'origen', value: 'PANEL', required: true },
      { name: 'cliente', value: 'CLIENT', required: true },
      { name: 'simular' },
    ],
    help: 'import an archive of another panel into a client; the option tells only what that would do',
    run: async (given, output) =>
      (await import('../imports/command.ts')).importArchive(process.env, given, output),
  },
  {
    words: ['claves', 'rotar'],
    options: [{ name: 'olvidar' }],
    help: 'seal stored secrets under a new key; the option forgets the older ones at once',
    run: async (given, output) => (await import('./keys.ts')).keys(given, output),
  },
  {
    words: ['nodo'],
    optional: ['renombrar', 'NAME'],
    help: "this node's name; rename it with all that stands under it, while the panel is stopped",
    run: async (given, output) => (await import('./node.ts')).node(given, output),
  },
  {
    words: ['cron'],
    optional: ['NAME'],
    help: 'list the scheduled handlers, or run one now',
    run: async (given, output) => (await import('./cron.ts')).cron(given, output),
  },
]
