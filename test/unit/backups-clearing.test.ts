import { expect, test } from 'bun:test'
import { decideClearing, type KnownCopy } from '../../lib/backups/decide-retention.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

/** A complete copy of so many days ago, whose snapshot is called like it. */
const copy = (id: string, days: number, more: Partial<KnownCopy> = {}): KnownCopy => ({
  ...{ id, startedAt: daysAgo(days), complete: true, whole: true, here: true, running: false },
  snapshots: [`${id}-content`],
  ...more,
})
const snapshot = (id: string, days: number, of: string | null = id.replace(/-.*/, '')) => ({
  ...{ id, copy: of, at: daysAgo(days) },
})
const clear = (rows: KnownCopy[], there: ReturnType<typeof snapshot>[]) => decideClearing(rows, there, NOW)

test('what the policy drops goes with its snapshots, and nothing else', () => {
  const rows = [copy('a', 0), copy('b', 400), copy('c', 400.1)]
  const there = rows.map(({ id, startedAt }) => ({ id: `${id}-content`, copy: id, at: startedAt }))
  expect(clear(rows, there)).toEqual({ copies: ['c'], snapshots: ['c-content'] })
})

test('rows whose snapshots are not there push none out that is', () => {
  // As after another store was put in its place: the latest of a month are gone from it.
  const lost = Array.from({ length: 30 }, (_, day) => copy(`lost${day}`, day))
  const old = [copy('old', 200), copy('older', 200.1)]
  const there = old.map(({ id, startedAt }) => ({ id: `${id}-content`, copy: id, at: startedAt }))
  const { copies, snapshots } = clear([...lost, ...old], there)
  expect(snapshots).toEqual(['older-content'])
  expect(copies).toContain('older')
  expect(copies).not.toContain('old')
  // The store may come back: those that the policy would keep of all stay listed.
  expect(copies).not.toContain('lost0')
})

test('a copy with one part of several missing counts as one that is not there', () => {
  const broken = copy('broken', 0, { snapshots: ['broken-content', 'broken-gone'] })
  const { copies, snapshots } = clear(
    [broken, copy('whole', 400), copy('older', 400.1)],
    [snapshot('broken-content', 0), snapshot('whole-content', 400), snapshot('older-content', 400)],
  )
  expect([copies, snapshots]).toEqual([['older'], ['older-content']])
})

test('a snapshot that a row of another destination names stays, whatever becomes of the own rows', () => {
  const elsewhere = copy('elsewhere', 900, { here: false, snapshots: ['shared'] })
  const rows = [copy('a', 0), copy('b', 400), copy('c', 400.1, { snapshots: ['shared'] }), elsewhere]
  const there = [snapshot('a-content', 0), snapshot('b-content', 400), snapshot('shared', 900, 'c')]
  expect(clear(rows, there)).toEqual({ copies: ['c'], snapshots: [] })
})

test('what no row names stays for half a year, as where the database is older than the store', () => {
  const there = [snapshot('a-content', 0), snapshot('unknown-1', 182), snapshot('unknown-2', 184)]
  expect(clear([copy('a', 0)], there)).toEqual({ copies: [], snapshots: ['unknown-2'] })
  expect(clear([], [snapshot('without-note', 5, null)]).snapshots).toEqual([])
})

test('what a killed panel left of a copy goes once that copy has ended, and not before', () => {
  const there = [snapshot('a-content', 0), snapshot('a-left', 0)]
  expect(clear([copy('a', 0)], there).snapshots).toEqual(['a-left'])
  const running = copy('a', 0, { running: true, complete: false })
  expect(clear([running], there)).toEqual({ copies: [], snapshots: [] })
})

test('ids in rows are the beginning of those in the repository', () => {
  const rows = [copy('a', 300, { snapshots: ['abcd1234'] })]
  expect(clear(rows, [snapshot('abcd1234ef56', 300, null)])).toEqual({ copies: [], snapshots: [] })
  expect(clear(rows, [snapshot('abcd9999ef56', 300, null)]).snapshots).toEqual(['abcd9999ef56'])
  const lost = Array.from({ length: 300 }, (_, day) => copy(`lost${day}`, day))
  expect(clear([...lost, ...rows], [snapshot('abcd1234ef56', 300, null)]).copies).not.toContain('a')
})

test('a clearing that was cut off between store and rows is done with at the next one', () => {
  const rows = [copy('a', 0), copy('b', 400), copy('c', 400.1)]
  const there = [snapshot('a-content', 0), snapshot('b-content', 400)]
  expect(clear(rows, there)).toEqual({ copies: ['c'], snapshots: [] })
})
