import { describe, expect, test } from 'bun:test'
import { baseline, compared } from './baseline.ts'
import { circlesOf } from './circles.ts'
import { MEASURES } from './measures.ts'
import { importsOf, sources } from './source.ts'

test('the baseline names the rules that there are', () => {
  expect(Object.keys(baseline)).toEqual(Object.keys(MEASURES))
})

describe.each(Object.entries(MEASURES))('%s', (rule, measure) => {
  const { grown, shrunk } = compared(baseline[rule] ?? {}, measure())
  test('are no more than the baseline allows', () => {
    expect(grown).toEqual({})
  })
  test('are no fewer, or `bun run baseline` lowers it', () => {
    expect(shrunk).toEqual({})
  })
})

test('a place that breaks a rule more often or newly has grown, one that breaks it less has shrunk', () => {
  expect(compared({ same: 1, less: 2, none: 1, more: 1 }, { same: 1, less: 1, more: 2, fresh: 1 })).toEqual({
    grown: { more: 2, fresh: 1 },
    shrunk: { less: 1, none: 0 },
  })
})

test('a circle is found, and what only leads to it or away from it is in none', () => {
  const graph = { to: ['a'], a: ['b'], b: ['c'], c: ['a', 'away'], away: [], own: ['own'] }
  const circles = circlesOf(new Map(Object.entries(graph)))
  expect(Object.fromEntries([...circles].map(([node, others]) => [node, others.sort()]))).toEqual({
    ...{ to: [], away: [], own: ['own'] },
    ...{ a: ['a', 'b', 'c'], b: ['a', 'b', 'c'], c: ['a', 'b', 'c'] },
  })
})

/** Its upkeep has ended: each of these three has an interface of our own, so that one file is what a successor changes. */
test('oslo is imported in its three places alone', () => {
  const users = [...sources].filter(([, file]) => importsOf(file).some((name) => /^oslo(\/|$)/.test(name)))
  expect(users.map(([path]) => path).sort()).toEqual([
    'deploy/node/host/passwords.ts',
    'lib/identity/bearer.ts',
    'lib/sign-in/totp.ts',
  ])
})
