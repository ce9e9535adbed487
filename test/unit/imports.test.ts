import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withOwnCollations } from '../../deploy/node/databases/loading/collations.ts'
import { openArchive } from '../../deploy/node/imports/directory.ts'
import { parseZoneFile } from '../../lib/dns/zonefile/zonefile.ts'
import { cpanelContents, cpanelListing } from '../../lib/imports/archives/cpanel.ts'
import { newName } from '../../lib/imports/archives/database-names.ts'
import { taskOf } from '../../lib/imports/archives/tasks.ts'
import { zoneRecords } from '../../lib/imports/archives/zone-records.ts'
import { requireUntouched } from '../../lib/imports/decide-new.ts'
import { decideProtected } from '../../lib/imports/decide-protected.ts'
import { GUARDS_MAX } from '../../lib/sites/rules-shapes.ts'

const KNOWN = {
  homes: [
    { path: 'web/ana.es/public_html', domain: 'ana.es' },
    { path: 'public_html', domain: 'bea.es' },
    { path: 'public_html/otra', domain: 'otra.es' },
  ],
  php: (domain: string) => (domain === 'otra.es' ? null : '8.2'),
}
const translated = (command: string, pattern = '*/5 * * * *') => {
  const task = taskOf({ pattern, command }, KNOWN)
  return task && `${task.domain}: ${task.argv.join(' ')}`
}

describe('a line of a crontab', () => {
  test.each([
    ['php /home/u/web/ana.es/public_html/cron.php', 'ana.es: php8.2 public/cron.php'],
    [
      '/usr/bin/php7.4 -q /home/u/public_html/a.php "un valor" >/dev/null 2>&1',
      'bea.es: php8.2 -q public/a.php un valor',
    ],
    ['cd /home/u/public_html && php wp-cron.php', 'bea.es: php8.2 public/wp-cron.php'],
    [
      'wget -q -O - https://www.bea.es/wp-cron.php?doing_wp_cron >/dev/null',
      'bea.es: php8.2 public/wp-cron.php',
    ],
    // Without PHP, of another customer, above its own folder, or with what a shell does.
    ['php /home/u/public_html/otra/a.php', null],
    ['php /home/u/ajena/a.php', null],
    ['php /home/u/public_html/../../etc/a.php', null],
    ['php /home/u/public_html/a.php; id', null],
    ['php /home/u/public_html/a.php "$(id)"', null],
    ['php /home/u/public_html/a.php `id`', null],
    ['php /home/u/public_html/a.php > /home/u/log', null],
    ['/home/u/public_html/a.sh', null],
    ['curl https://ajena.es/a.php', null],
    ['curl https://bea.es/a.php?clave=1', null],
  ])('%s becomes %p', (command, expected) => {
    expect(translated(command)).toBe(expected)
  })

  test('that never comes is none', () => {
    expect(translated('php /home/u/public_html/a.php', '99 * * * *')).toBeNull()
  })
})

test.each([
  ['vieja_Mi-Tienda', 'acme_mi_tienda'],
  ['suelta', 'acme_suelta'],
  ['vieja_', null],
])('the database %s becomes %p', (old, expected) => {
  expect(newName('acme', old)).toBe(expected)
})

test('the collations of MySQL 8 are replaced where a dump defines, and in no row of it', () => {
  const sql = [
    ') ENGINE=InnoDB COLLATE=utf8mb4_0900_ai_ci;',
    '  `a` text COLLATE utf8mb4_0900_as_cs,',
    '/*!50003 SET collation_connection  = utf8mb4_0900_ai_ci */ ;',
    "INSERT INTO `t` VALUES (' COLLATE=utf8mb4_0900_ai_ci');",
    "(' COLLATE=utf8mb4_0900_ai_ci'),",
    '',
  ]
  expect(
    withOwnCollations(Buffer.from(sql.join('\n')), false)
      .toString()
      .split('\n'),
  ).toEqual([
    ') ENGINE=InnoDB COLLATE=utf8mb4_unicode_520_ci;',
    '  `a` text COLLATE utf8mb4_bin,',
    '/*!50003 SET collation_connection  = utf8mb4_unicode_520_ci */ ;',
    ...sql.slice(3),
  ])
  expect(withOwnCollations(Buffer.from(' COLLATE=utf8mb4_0900_ai_ci'), true).toString()).toContain('0900')
})

test('names that are served here lead here, and mail stays where it was', () => {
  const text = '@ IN A 203.0.113.9\n@ IN AAAA 2001:db8::9\nmail IN A 203.0.113.9\nmalo IN A no\n'
  const names = { served: new Set(['bea.es']), addresses: ['192.0.2.1'] }
  const { rrsets, changed, refused } = zoneRecords(
    { name: 'bea.es', ...parseZoneFile(text, 'bea.es') },
    names,
  )
  expect(rrsets.map(({ name, type, values }) => `${name} ${type} ${values}`).sort()).toEqual([
    '@ A 192.0.2.1',
    'mail A 203.0.113.9',
  ])
  expect(changed.map(({ to }) => to)).toEqual([['192.0.2.1'], []])
  expect(refused.map(({ linea }) => linea)).toEqual([4])
})

describe('the records of a zone are replaced', () => {
  const zone = { clientId: 1, siteId: null, customised: false }
  const refusal = (of: Partial<{ clientId: number; siteId: number; customised: boolean }>, made: boolean) => {
    try {
      requireUntouched({ ...zone, ...of }, { clientId: 1, made })
      return null
    } catch (error) {
      return (error as { codigo?: string }).codigo
    }
  }
  test.each([
    ['where the import made it', {}, true, null],
    ['where it came with a site', { siteId: 7 }, false, null],
    ['but not where the client made it', {}, false, 'ya_existe'],
    [
      'but not where the client changed what came with a site',
      { siteId: 7, customised: true },
      false,
      'ya_existe',
    ],
    ['but not where the client changed what the import made', { customised: true }, true, 'ya_existe'],
    ['but not where it is of another client by now', { clientId: 2 }, true, 'zona_no_existe'],
  ])('%s', (_, of, made, code) => expect(refusal(of, made)).toBe(code as never))
})

test('a folder named as an archive is refused and left open nowhere', () => {
  const directory = mkdtempSync(join(tmpdir(), 'imports-'))
  mkdirSync(join(directory, 'folder'))
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let i = 0; i < 50; i++) expect(() => openArchive(directory, 'folder')).toThrow('ruta_invalida')
  expect(open()).toBeLessThan(before + 50)
  rmSync(directory, { recursive: true })
})

test('a document root longer than any is none', () => {
  const listing = cpanelListing()
  listing.text('cpmove-ana/userdata/main', 'main_domain: a.es\nsub_domains:\n  - b.es\n  - c.es\n')
  const rootIs = (domain: string, path: string) =>
    listing.text(`cpmove-ana/userdata/${domain}`, `documentroot: /home/ana/${path}\n`)
  rootIs('a.es', 'public_html')
  rootIs('b.es', `b${'/'.repeat(3)}`)
  rootIs('c.es', `c${'/'.repeat(1_000_000)}d`)
  const { sites } = cpanelContents(listing)
  expect(sites.map(({ content }) => content.folder)).toEqual([
    'cpmove-ana/homedir/public_html',
    'cpmove-ana/homedir/b',
  ])
})

describe('protected folders of an imported site', () => {
  const decided = (folders: string[]) => {
    const content = { text: 'Require all denied\n', whole: true }
    const rules = folders.map((folder) => ({ folder, above: false, content }))
    const { guards, left } = decideProtected({ found: { rules, asked: [] }, domain: 'a.es', names: ['a.es'] })
    const isOpen = (folder: string) =>
      !guards.some(({ path }) => path === folder || folder.startsWith(`${path}/`))
    return { guards: guards.length, open: folders.filter(isOpen), left: left.map(({ why }) => why) }
  }
  const many = (count: number, below: string) => Array.from({ length: count }, (_, at) => `${below}/f${at}`)

  test('are all closed, sixty of them each by itself', () => {
    expect(decided(many(60, ''))).toEqual({ guards: 60, open: [], left: [] })
  })

  test('are closed together where there are more than can be told one by one', () => {
    const told = decided([...many(GUARDS_MAX, '/zona/a'), ...many(30, '/zona/b'), '/otra/c'])
    expect([told.open, told.left, told.guards <= GUARDS_MAX]).toEqual([[], [], true])
  })

  test('that no folder but the whole site has in common are named where they stay open', () => {
    const told = decided(many(GUARDS_MAX + 2, ''))
    expect([told.guards, told.open.length, told.left]).toEqual([GUARDS_MAX, 2, ['demasiadas', 'demasiadas']])
  })
})
