import { expect, test } from 'bun:test'
import { dueWarnings, type Warned } from '../../lib/usage/warnings.ts'

const none = { used: 0, limit: null }

/** Tells the thresholds sent for disk as its use goes through these values, of a limit of 1,000. */
function sentFor(values: number[]): number[] {
  let warned: Warned = {}
  return values.flatMap((used) => {
    const use = { disco_bytes: { used, limit: 1000 }, inodos: none, trafico_bytes: none }
    const due = dueWarnings(use, { warned, month: '2026-11' })
    warned = due.warned
    return due.send.map(({ threshold }) => threshold)
  })
}

test('80% and 100% are each told once, however often they are measured', () => {
  expect(sentFor([799, 800, 801, 900, 999, 1000, 1001, 1500])).toEqual([80, 100])
})

test('a jump past both is told once, as the higher', () => {
  expect(sentFor([10, 5000, 5000, 900])).toEqual([100])
})

test('use that swings around a threshold is told once, and again only after it fell below 70%', () => {
  expect(sentFor([800, 790, 810, 750, 820, 701, 850])).toEqual([80])
  expect(sentFor([800, 699, 800, 1000, 600, 1000])).toEqual([80, 80, 100, 100])
})

test('traffic is told anew each month, and no limit means no warning', () => {
  const use = { disco_bytes: none, inodos: none, trafico_bytes: { used: 90, limit: 100 } }
  const first = dueWarnings(use, { warned: {}, month: '2026-11' })
  expect(first.send).toEqual([{ resource: 'trafico_bytes', threshold: 80, used: 90, limit: 100 }])
  expect(dueWarnings(use, { warned: first.warned, month: '2026-11' }).send).toEqual([])
  expect(dueWarnings(use, { warned: first.warned, month: '2026-12' }).send).toHaveLength(1)
  const unlimited = { disco_bytes: none, inodos: none, trafico_bytes: { used: 1e15, limit: null } }
  expect(dueWarnings(unlimited, { warned: first.warned, month: '2026-11' })).toEqual({ send: [], warned: {} })
})
