import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes files below a folder, whose folders are made. */
function put(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

function run(argv: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(argv, { cwd })
  if (exitCode !== 0) throw new Error(stderr.toString())
}

type Site = {
  files?: Record<string, string>
  more?: (folder: string) => void
  /** A whole archive in the place of the files. */
  tar?: Uint8Array
  conf?: string
}
type Account = {
  sites: Record<string, Site>
  databases?: Record<string, string>
  zones?: Record<string, string>
  cron?: string
  more?: Record<string, string>
}

const BLOCK = 512
export type RawEntry = { path: string; type?: string; link?: string; content?: string; size?: number }

/** A header as POSIX has it (ustar), whatever it says. */
export function rawHeader({ path, type = '0', link = '', content = '', size }: RawEntry): Buffer {
  const block = Buffer.alloc(BLOCK)
  const put = (at: number, text: string) => void block.write(text, at, 'latin1')
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(0, path.slice(0, 100))
  put(100, '0000644')
  put(108, '0000000')
  put(116, '0000000')
  put(124, octal(size ?? content.length, 11))
  put(136, octal(1_700_000_000, 11))
  put(148, '        ')
  put(156, type)
  put(157, link)
  put(257, 'ustar\u000000')
  // A device's numbers: those of /dev/null.
  put(329, '0000001')
  put(337, '0000003')
  const sum = block.reduce((all, byte) => all + byte, 0)
  put(148, `${octal(sum, 6)}\u0000 `)
  return block
}

/** An archive of entries that no honest program writes; longer paths have a header of their own (pax). */
export function rawTar(entries: RawEntry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const long = entry.path.length > 100 ? [longPath(entry.path)] : []
    return [...long, rawHeader(entry), padded(entry.content ?? '')]
  })
  return Buffer.concat([...parts, Buffer.alloc(BLOCK * 2)])
}

function longPath(path: string): Buffer {
  const record = ` path=${path}\n`
  const length = [4, 5, 6]
    .map((digits) => record.length + digits)
    .find((one) => `${one}${record}`.length === one)
  const content = `${length}${record}`
  return Buffer.concat([rawHeader({ path: 'pax', type: 'x', content }), padded(content)])
}

const padded = (content: string) =>
  Buffer.from(content.padEnd(Math.ceil(content.length / BLOCK) * BLOCK, '\0'), 'latin1')

/** An archive as `v-backup-user` leaves it. */
export function hestiaArchive(
  to: string,
  { sites, databases = {}, zones = {}, cron, more = {} }: Account,
): void {
  const work = mkdtempSync(join(tmpdir(), 'hestia-'))
  try {
    put(work, { 'hestia/user.conf': "NAME='vieja'\n", ...more })
    for (const [domain, { files = {}, more: extra, tar, conf = '' }] of Object.entries(sites)) {
      const folder = join(work, 'site')
      rmSync(folder, { recursive: true, force: true })
      put(folder, files)
      extra?.(folder)
      put(work, {
        [`web/${domain}/hestia/web.conf`]: `DOMAIN='${domain}' IP='203.0.113.9' IP6='' ALIAS='www.${domain}' ${conf}\n`,
      })
      if (tar) writeFileSync(`${work}/web/${domain}/domain_data.tar`, tar)
      else run(['tar', '--zstd', '-cPf', `${work}/web/${domain}/domain_data.tar.zst`, '.'], folder)
    }
    rmSync(join(work, 'site'), { recursive: true, force: true })
    for (const [name, sql] of Object.entries(databases)) {
      put(work, {
        [`db/${name}/hestia/db.conf`]: `DB='${name}' DBUSER='${name}' TYPE='mysql' CHARSET='UTF8'\n`,
        [`db/${name}/${name}.mysql.sql`]: sql,
      })
      run(['gzip', `${name}.mysql.sql`], join(work, 'db', name))
    }
    for (const [name, text] of Object.entries(zones)) put(work, { [`dns/${name}/conf/${name}.db`]: text })
    if (cron !== undefined) put(work, { 'cron/cron.conf': cron })
    run(['tar', '--sort=name', '-cf', to, '.'], work)
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** An archive as cPanel's `pkgacct` leaves it: an added domain lies in a folder of the main one. */
export function cpanelArchive(to: string, more: Record<string, string> = {}): void {
  const work = mkdtempSync(join(tmpdir(), 'cpanel-'))
  const top = 'cpmove-otra'
  const root = '/home/otra/public_html'
  try {
    put(join(work, top), {
      'userdata/main': `---\naddon_domains:\n  segunda.es: segunda.otra.es\nmain_domain: otra.es\nparked_domains: []\nsub_domains:\n  - segunda.otra.es\n`,
      'userdata/otra.es': `---\ndocumentroot: ${root}\nphpversion: ea-php81\nserveralias: www.otra.es\n`,
      'userdata/segunda.otra.es': `---\ndocumentroot: ${root}/segunda.es\nserveralias: segunda.es www.segunda.es\n`,
      'homedir/public_html/index.html': 'Otra',
      'homedir/public_html/segunda.es/index.html': 'Segunda',
      'homedir/etc/otra.es/passwd': 'eva:x:1000:1000::/home/otra/mail/otra.es/eva:/bin/false\n',
      'homedir/privado/nota.txt': 'nota',
      'homedir/.bashrc': 'alias',
      'homedir/tmp/cosa': 'cosa',
      'mysql.sql': [
        "GRANT USAGE ON *.* TO 'otra_web'@'localhost' IDENTIFIED BY PASSWORD '*A';",
        "GRANT USAGE ON *.* TO 'otra_lejos'@'203.0.113.7' IDENTIFIED BY PASSWORD '*B';",
        "GRANT ALL PRIVILEGES ON `otra\\_tienda`.* TO 'otra_lejos'@'203.0.113.7';",
      ].join('\n'),
      'mysql/otra_tienda.sql': 'CREATE TABLE t (a int);\n-- Dump completed on 2026-11-20\n',
      'cron/otra':
        'SHELL="/bin/bash"\n0 3 * * * /usr/local/bin/ea-php81 -q /home/otra/public_html/segunda.es/tarea.php\n',
      ...more,
    })
    run(['tar', '-czf', to, top], work)
  } finally {
    rmSync(work, { recursive: true })
  }
}
