import { describe, expect, test } from 'bun:test'
import { withOwnCollations } from '../../deploy/node/databases/loading/collations.ts'
import { newName } from '../../lib/imports/archives/database-names.ts'
import { taskOf } from '../../lib/imports/archives/tasks.ts'
import { zoneRecords } from '../../lib/imports/archives/zone-records.ts'

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
  const { rrsets, changed, refused } = zoneRecords({ name: 'bea.es', text }, names)
  expect(rrsets.map(({ name, type, values }) => `${name} ${type} ${values}`).sort()).toEqual([
    '@ A 192.0.2.1',
    'mail A 203.0.113.9',
  ])
  expect(changed.map(({ to }) => to)).toEqual([['192.0.2.1'], []])
  expect(refused.map(({ linea }) => linea)).toEqual([4])
})
