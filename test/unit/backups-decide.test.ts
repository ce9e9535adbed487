import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Lacking } from '../../deploy/node/backups/lacking.ts'
import { patternOf } from '../../deploy/node/backups/restore.ts'
import { type Listed, TarIndex } from '../../deploy/node/backups/tar-index.ts'
import { destinationProblem } from '../../deploy/node/backups/target.ts'
import { queueRemovalCopied } from '../../lib/backups/before/queue.ts'
import {
  type Copy,
  type CopyFacts,
  decideArchive,
  latestParts,
  requireTurn,
  turnAt,
  undoesAll,
} from '../../lib/backups/decide.ts'
import { type CopyToKeep, decideRetention } from '../../lib/backups/decide-retention.ts'
import { invalidEntry } from '../../lib/backups/errors.ts'
import { bareRestore } from '../../lib/backups/restore/queue.ts'
import { mayHaveBegun } from '../../lib/backups/restore-job.ts'
import type { Actor, WriteCtx } from '../../lib/endpoint/context.ts'
import type { AppError } from '../../lib/endpoint/errors.ts'
import type { Destination } from '../../lib/endpoint/ports/backups.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { partly } from '../support/partly.ts'

const NOW = new Date('2026-11-24T04:00:00Z')
const DAY_MS = 86_400_000
const ago = (days: number, other: Partial<CopyToKeep> = {}): CopyToKeep => ({
  id: String(days),
  startedAt: new Date(NOW.getTime() - days * DAY_MS),
  complete: true,
  whole: true,
  ...other,
})
const CUSTOMER = {
  ...{ kind: 'session' as const, id: 's', personId: 'p', email: null, login: { passwordHash: null } },
  ...{ client: null, impersonator: null, expiresAt: NOW, role: 'client' as const },
}
const OPERATOR: Actor = { kind: 'token', id: 't', name: 'n', expiresOn: '2027-01-01' }
const kept = (copies: CopyToKeep[]) => [...decideRetention(copies, NOW)].map(Number).sort((a, b) => a - b)

describe('of a year of copies', () => {
  test('seven days, four weeks and six months are kept', () => {
    const year = Array.from({ length: 365 }, (_, days) => ago(days))
    const dates = kept(year)
    expect(dates.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6])
    // The latest of each earlier week (Sundays) and month.
    expect(dates.slice(7)).toEqual([9, 16, 24, 55, 85, 116, 147])
  })

  test('one that is made after a loss does not take the place of the one before it', () => {
    const night = ago(0.1, { id: '2' })
    expect(kept([ago(0.01, { id: '1' }), night])).toEqual([1, 2])
    // However often a button is pressed that day.
    const pressed = Array.from({ length: 60 }, (_, at) => ago(0.09 - at / 1000, { id: String(100 + at) }))
    const left = kept([...pressed, night])
    expect([left.includes(2), left.length]).toEqual([true, 21])
    expect(kept([ago(0, { id: '1' }), ago(9.01, { id: '2' }), ago(9.02, { id: '3' })])).toEqual([1, 2])
  })

  test('those that are incomplete, or of one thing only, count for nothing and stay a week', () => {
    const copies = [
      ago(0, { complete: false }),
      ago(1, { whole: false }),
      ago(8, { complete: false }),
      ago(40),
    ]
    expect(kept(copies)).toEqual([0, 1, 40])
  })

  test('of many that are incomplete within a day, the latest twenty are kept', () => {
    const many = Array.from({ length: 30 }, (_, at) => ago(at / 100, { id: String(at), complete: false }))
    expect(kept(many)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })
})

describe('a lost node gets back', () => {
  const part = (name: string, whole = true, snapshot: string | null = 'ab') => ({
    ...{ kind: 'sitio' as const, name, bytes: 1, snapshot, index: null, sha256: null },
    fault: whole ? null : '{}',
  })
  const copy = (days: number, parts: Copy['parts'], whole = true): Copy => ({
    ...{ id: String(days), clientId: 1, state: 'completa', destination: '', whole, parts, testedAt: null },
    startedAt: ago(days).startedAt,
  })
  const chosen = (copies: Copy[]) => latestParts(copies).map(({ copy, part }) => [part.name, copy.id])

  test('each site from its latest whole copy, whatever another one lacks', () => {
    const copies = [copy(1, [part('a'), part('b', false)]), copy(2, [part('a'), part('b')])]
    expect(chosen(copies)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  test('what no copy has whole from the latest that has any of it, and nothing from what was copied before a restore', () => {
    const copies = [
      copy(1, [part('a', false, null)]),
      copy(2, [part('a', false)]),
      copy(3, [part('a', false)]),
      copy(0, [part('a')], false),
    ]
    expect(chosen(copies)).toEqual([['a', '2']])
  })
})

test.each([
  [true, 'that has all', [{ fault: null }]],
  [true, 'that lacks what a restore leaves as it is', [{ fault: '{}', undoes: true }]],
  [false, 'that lacks what a restore replaces', [{ fault: '{}', undoes: false }, { fault: null }]],
  [false, 'of an older version, which did not tell what it lacks', [{ fault: '{}' }]],
  [false, 'of nothing', []],
])('it is %p that a restore is undone by a copy %s', (expected, _, parts) => {
  const kept = { kind: 'sitio' as const, name: 'a', bytes: 1, snapshot: 'ab', index: 'cd', sha256: null }
  expect(undoesAll({ parts: parts.map((part) => ({ ...kept, ...part })) })).toBe(expected)
})

test.each<[string, { code: number; stderr: string }, object]>([
  ['/', { code: 1, stderr: '' }, { whole: true, undoes: true, lacking: [] }],
  ['/', { code: 2, stderr: 'closed /a b\n' }, { whole: false, undoes: true, lacking: ['/a b'] }],
  [
    '/public',
    { code: 2, stderr: 'closed /a\nlost /public/x\n' },
    { whole: false, undoes: false, lacking: ['/public/x', '/a'] },
  ],
])('of %s a copy whose program ended with %j lacks %j', (path, end, expected) => {
  const lacking = new Lacking(path)
  lacking.end({ ...end, signal: null, reason: 'exit' })
  expect(lacking.told()).toMatchObject(expected)
})

test('a copy whose program did not come to its end is none', () => {
  expect(() => new Lacking('/').end({ code: 137, signal: null, reason: 'exit', stderr: '' })).toThrow('ended')
  expect(() => new Lacking('/').end({ code: 0, signal: null, reason: 'deadline', stderr: '' })).toThrow(
    'ended',
  )
})

test.each([
  ['/public/corto', true],
  ['/public', false],
  [`/public${'/d'.repeat(300)}/x`, false],
])('what lies too deep for a copy counts for a restore of %s alone where that holds it', (path, undoes) => {
  const lacking = new Lacking(path)
  lacking.pass({ kind: 'carpeta', path: `/public${'/d'.repeat(256)}` })
  expect(lacking.told()).toMatchObject({ whole: false, undoes })
})

test('a night has sixty turns, and a day none', () => {
  expect(turnAt(new Date('2026-11-24T00:00:20Z'))).toEqual({ turn: 0, of: 60 })
  expect(turnAt(new Date('2026-11-24T04:59:59Z'))).toEqual({ turn: 59, of: 60 })
  expect(turnAt(new Date('2026-11-24T05:00:00Z'))).toBeNull()
})

describe('a destination', () => {
  const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----'
  const problem = (kind: Destination['kind'], url: string, credential: string | null = null) =>
    destinationProblem(
      { directory: '/nowhere', test: false },
      { kind, url, credential: credential === null ? null : new Secret(credential) },
    )

  test.each([
    ['carpeta', '/srv/copias', null],
    ['sftp', 'sftp://panel@copias.example.net:2222/home/panel/copias', KEY],
    ['s3', 'https://s3.example.net/bucket/panel', 'KEY:secret'],
    ['rest', 'https://copias.example.net/', null],
    ['rest', 'https://copias.example.net/panel', 'panel:secret'],
  ] as const)('%s at %s can be used', (kind, url, credential) => {
    expect(problem(kind, url, credential)).toBeNull()
  })

  test.each([
    ['carpeta', 'copias', null, 'url'],
    ['carpeta', '/srv/../etc', null, 'url'],
    ['carpeta', '/srv/a b', null, 'url'],
    ['carpeta', '/srv/copias', 'x:y', 'credential'],
    ['sftp', 'sftp://-oProxyCommand=x@copias.example.net/a', KEY, 'url'],
    ['sftp', 'sftp://panel@-l/a', KEY, 'url'],
    ['sftp', 'sftp://panel@copias.example.net/-a', KEY, 'url'],
    ['sftp', 'sftp://panel@copias.example.net/a', 'no key', 'credential'],
    ['s3', 'https://s3.example.net/', 'KEY:secret', 'url'],
    ['s3', 'https://s3.example.net/bucket', null, 'credential'],
    ['rest', 'http://copias.example.net/panel', null, 'url'],
    ['rest', 'http://127.0.0.1/panel', null, 'url'],
    ['rest', 'https://a:b@copias.example.net/panel', null, 'url'],
    ['rest', 'https://copias.example.net/panel', 'a b:c', 'credential'],
  ] as const)('%s at %s is refused', (kind, url, credential, field) => {
    expect(problem(kind, url, credential)?.field).toBe(field)
  })

  test.each([
    ['carpeta', 'copias', /directorio de esta máquina/],
    ['sftp', 'https://copias.example.net/a', /^Debe ser como sftp:/],
    ['s3', 'https://s3.example.net/', /bucket/],
    ['rest', '/var/copias', /^Debe empezar por https:.* Puede llevar ruta/],
  ] as const)(
    'an address of the kind %s that is %s is told what is right for that kind',
    (kind, url, words) => {
      const found = problem(kind, url, null)
      expect(found && invalidEntry(found, 'es').extra.campos).toMatchObject([
        { campo: 'url', mensaje: expect.stringMatching(words) },
      ])
    },
  )
})

test('the list of an archive tells names, kinds and lengths as they are, in parts of any size', async () => {
  const script = `cd "$1" && mkdir -p public && printf abc > "public/ñ $(printf 'x%.0s' $(seq 200))" &&
    ln -s ../etc public/enlace && truncate -s 3000000 public/hueco && printf z >> public/hueco &&
    ln public/hueco public/otro && tar --create --file=- --format=pax --sparse --sort=name --numeric-owner .`
  const directory = Bun.spawnSync(['mktemp', '-d']).stdout.toString().trim()
  const { stdout } = Bun.spawnSync(['sh', '-c', script, 'sh', directory])
  Bun.spawnSync(['rm', '-rf', directory])
  const listOf = (size: number) => {
    const found: [string, string, number][] = []
    const index = new TarIndex(({ path, kind, bytes }) => found.push([path, kind, bytes]))
    for (let at = 0; at < stdout.length; at += size) index.feed(stdout.subarray(at, at + size))
    return found
  }
  expect(listOf(stdout.length)).toEqual([
    ['/', 'carpeta', 0],
    ['/public', 'carpeta', 0],
    ['/public/enlace', 'enlace', 0],
    ['/public/hueco', 'archivo', 3_000_001],
    ['/public/otro', 'archivo', 0],
    [`/public/ñ ${'x'.repeat(200)}`, 'archivo', 3],
  ])
  expect(listOf(7)).toEqual(listOf(stdout.length))
})

describe('a customer asks for copies and restores', () => {
  const asked = (actor: Actor, underWay: number, waitSeconds: number) => {
    try {
      requireTurn({ actor, underWay, waitSeconds })
      return null
    } catch (refusal) {
      const { codigo, extra } = refusal as AppError
      return [codigo, extra.retryAfterSeconds]
    }
  }

  test('one after another and so many in a day, and is told when to come back', () => {
    expect(asked(CUSTOMER, 0, 0)).toBeNull()
    expect(asked(CUSTOMER, 1, 60)).toEqual(['ya_en_curso', undefined])
    expect(asked(CUSTOMER, 0, 60)).toEqual(['espera', 60])
  })

  test('while its operator may always', () => {
    expect(asked({ ...CUSTOMER, role: 'admin' }, 1, 60)).toBeNull()
    expect(asked(OPERATOR, 1, 60)).toBeNull()
  })
})

describe('an archive of a copy is asked of', () => {
  const part = (kind: 'sitio' | 'base', name: string, snapshot: string | null) => ({
    ...{ kind, name, bytes: 1, snapshot, index: kind === 'sitio' ? 'ef' : null, sha256: null, fault: null },
  })
  const copy: Copy = {
    ...{ id: 'cop_1', clientId: 1, state: 'completa', destination: '', whole: true, testedAt: null },
    ...{
      startedAt: NOW,
      parts: [part('sitio', 'a.es', 'ab'), part('base', 'a_b', 'cd'), part('base', 'a_c', null)],
    },
  }
  const none = { site: null, path: null, base: null }
  const decided = (asked: Partial<typeof none> | Record<string, string>) => {
    try {
      return decideArchive(copy, { ...none, ...asked }, 'es')
    } catch (refusal) {
      return (refusal as AppError).codigo
    }
  }

  test('one site, a path of it, or one base', () => {
    expect(decided({ site: 'a.es' })).toEqual({ snapshot: 'ab', files: { index: 'ef', path: '/' } })
    expect(decided({ site: 'a.es', path: '/p' })).toMatchObject({ files: { path: '/p' } })
    expect(decided({ base: 'a_b' })).toEqual({ snapshot: 'cd', files: null })
  })

  test('that it has, and nothing else', () => {
    expect(decided({})).toBe('datos_invalidos')
    expect(decided({ site: 'a.es', base: 'a_b' })).toBe('datos_invalidos')
    expect(decided({ path: '/p', base: 'a_b' })).toBe('datos_invalidos')
    expect(decided({ site: 'b.es' })).toBe('sitio_no_existe')
    expect(decided({ base: 'a_c' })).toBe('base_no_existe')
  })
})

describe('a removal', () => {
  type Asked = { isLeaving?: boolean; destination?: string | null; removed?: number; actor?: Actor }
  const asked = ({ isLeaving = false, destination = 'n', removed = 0, actor = OPERATOR }: Asked) => {
    const rows: { kind?: string; name?: string; nextAt?: Date }[] = []
    const values = (row: (typeof rows)[number]) => {
      rows.push(row)
      return { onConflictDoUpdate: () => row }
    }
    // The query builder as far as it is used here.
    const tx = { insert: () => ({ values }) } as unknown as WriteCtx['tx']
    const ctx = partly<WriteCtx>({
      actor,
      ...{ tx, queued: new Set(), config: { node: 'n' } },
      ...{ now: () => NOW, random: (count: number) => new Uint8Array(count) },
    })
    const client = { id: 1, name: 'ana', node: 'n', state: 'activo' } as CopyFacts['client']
    const job = { kind: 'base.eliminar', node: 'n', subject: 'cliente:1' }
    const facts = { client, plan: null, destination, waiting: 0, restoring: 0, removed }
    const removal = { wanted: { kind: 'base' as const, name: 'ana_x' }, job, isLeaving }
    const { copied } = queueRemovalCopied(ctx, facts, removal)
    const queued = rows.map(({ kind, name, nextAt }) => [
      kind ?? name,
      nextAt ? nextAt.getTime() - NOW.getTime() : null,
    ])
    return { queued, copied }
  }

  test('waits for the copy before it, however often it is asked for', () => {
    const copied = [
      ['base.eliminar', 600_000],
      ['copia.antes', 0],
    ]
    expect(asked({})).toEqual({ queued: copied, copied: 'pedida' })
    expect(asked({ isLeaving: true })).toEqual({ queued: [['base.eliminar', 600_000]], copied: null })
  })

  test('goes at once where copies go nowhere', () => {
    const atOnce = [['base.eliminar', 0]]
    expect(asked({ destination: null })).toEqual({ queued: atOnce, copied: 'ninguna' })
    expect(asked({ destination: null, isLeaving: true })).toEqual({ queued: atOnce, copied: null })
  })

  test('goes at once, and that is told, after twenty that a customer had copied within a day', () => {
    const last = asked({ removed: 19, actor: CUSTOMER })
    expect(last.queued).toEqual([
      ['base.eliminar', 600_000],
      ['copias_antes:1', null],
      ['copia.antes', 0],
    ])
    const refused = { queued: [['base.eliminar', 0]], copied: 'limite' as const }
    expect(asked({ removed: 20, actor: CUSTOMER })).toEqual(refused)
    expect(asked({ removed: 20 }).copied).toBe('pedida')
  })

  test('that is asked for again waits for its copy, which was the last one of the day', () => {
    const again = asked({ removed: 20, actor: CUSTOMER, isLeaving: true })
    expect(again).toEqual({ queued: [['base.eliminar', 600_000]], copied: null })
  })
})

test('a path means nothing else to bsdtar', () => {
  expect(patternOf('/public/*?[a]\\b$')).toBe('./public/\\*\\?\\[a\\]\\\\b\\$')
})

test.each([
  [1, 'copies.restore', false],
  [2, 'start', false],
  [2, 'copies.reach', false],
  [2, 'copies.restore', true],
  [2, 'database.fill', true],
  // A killed one has not told how far it came.
  [2, null, true],
])(
  'attempt %d of a restore, of which the one before came to %p, may find its own: %p',
  (attempts, step, may) => {
    expect(mayHaveBegun({ attempts, step })).toBe(may)
  },
)

test('a sparse file tells what it takes, besides how long it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparse-'))
  const [path, EIGHT] = [join(folder, 'hueco'), 2 ** 43]
  writeFileSync(path, 'x')
  truncateSync(path, EIGHT)
  writeFileSync(join(folder, 'lleno'), 'yy')
  const made = Bun.spawnSync(['tar', '--create', '--format=pax', '--sparse', '-C', folder, 'hueco', 'lleno'])
  rmSync(folder, { recursive: true })
  const found: Listed[] = []
  new TarIndex((entry) => void found.push(entry)).feed(made.stdout)
  const [sparse, full] = found
  expect([sparse?.bytes, full?.bytes, full?.stored]).toEqual([EIGHT, 2, undefined])
  expect(sparse?.stored).toBeLessThan(1_000_000)
})

test('the restore of what a lost node held can be cancelled', () => {
  const clock = { now: () => NOW, random: (bytes: number) => new Uint8Array(bytes) }
  const about = { client: { id: 1, name: 'ana', node: 'nodo1' }, copy: { id: 'cop_1' } }
  const lost = bareRestore(clock, { ...about, part: { kind: 'sitio', name: 'ana.es' } } as Parameters<
    typeof bareRestore
  >[1])
  expect(lost).toMatchObject({ cancellable: true, payload: { bare: true } })
})
