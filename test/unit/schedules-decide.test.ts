import { describe, expect, test } from 'bun:test'
import {
  decideChange,
  decideSchedule,
  isBegun,
  requireIdle,
  type Schedule,
} from '../../lib/schedules/decide.ts'
import { lastText } from '../../lib/schedules/output.ts'
import { nextOf } from '../../lib/schedules/pattern.ts'
import { room } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const NOW = new Date('2026-11-23T10:01:30Z')
const MINUTE_MS = 60_000

describe('a pattern', () => {
  test.each([
    ['*/5 * * * *', '2026-11-23T10:05:00.000Z'],
    ['0 3 * * *', '2026-11-24T03:00:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['5 4 * * sun', '2026-11-29T04:05:00.000Z'],
  ])('%s comes next in UTC', (pattern, next) => {
    expect(nextOf(pattern, NOW)?.toISOString()).toBe(next)
  })

  test.each([
    '* * * * * *',
    '* * * *',
    '0 0 30 2 *',
    '99 * * * *',
    '@reboot',
    '2026-11-24T10:00:00',
    '',
    ' * * * * *',
    '* * * * *\n',
  ])('%p is none', (pattern) => {
    expect(nextOf(pattern, NOW)).toBeNull()
  })
})

describe('a new schedule', () => {
  const wanted = { pattern: '*/5 * * * *' }
  test('waits for its next turn, and knows how far ahead that was', () => {
    const { room: free } = room({ functions: ['programadas'], schedules: 1 })
    expect(decideSchedule(free, wanted, NOW)).toEqual({
      nextAt: new Date('2026-11-23T10:05:00Z'),
      waitMs: 3.5 * MINUTE_MS,
    })
  })
  test.each([
    ['a plan without them', room({ functions: ['php'] }), [402, 'funcion_de_pago']],
    [
      'a plan that has no more',
      room({ functions: ['programadas'], schedules: 1 }, { programadas: 1 }),
      [409, 'limite_del_plan'],
    ],
    [
      'a plan that does not say how many, beyond a hundred',
      room({ functions: ['programadas'] }, { programadas: 100 }),
      [409, 'limite_del_plan'],
    ],
    [
      'a client without a plan, beyond a hundred',
      { room: { ...room({}, { programadas: 100 }).room, plan: null } },
      [409, 'limite_del_plan'],
    ],
  ] as const)('is refused for %s', (_, facts, refused) => {
    expect(refusal(() => decideSchedule(facts.room, wanted, NOW))).toEqual([...refused])
  })
})

describe('a changed schedule', () => {
  const before = {
    pattern: '0 3 * * *',
    argv: ['true'],
    active: false,
    nextAt: new Date(0),
    waitMs: 1,
  } as Schedule
  test('that is switched on again does not make up for what it missed', () => {
    expect(decideChange(before, { active: true }, NOW).nextAt).toEqual(new Date('2026-11-24T03:00:00Z'))
  })
  test('keeps its turn where only its program changes', () => {
    expect(decideChange({ ...before, active: true }, { argv: ['false'] }, NOW)).toEqual({
      ...{ pattern: '0 3 * * *', argv: ['false'], active: true },
    })
  })
})

test('a run is not begun beside another, nor of a client that is suspended, moving, or whose plan lost it', () => {
  const due = {
    client: { state: 'activo' as const, moving: false },
    functions: ['programadas'],
    running: false,
  }
  expect(isBegun(due)).toBe(true)
  expect(isBegun({ ...due, functions: null })).toBe(true)
  expect(isBegun({ ...due, running: true })).toBe(false)
  expect(isBegun({ ...due, functions: ['php'] })).toBe(false)
  expect(isBegun({ ...due, client: { state: 'suspendido', moving: false } })).toBe(false)
  expect(isBegun({ ...due, client: { state: 'activo', moving: true } })).toBe(false)
  expect(refusal(() => requireIdle({ state: 'activo' }, true))).toEqual([409, 'ya_en_curso'])
  expect(refusal(() => requireIdle({ state: 'suspendido' }, false))).toEqual([409, 'cliente_suspendido'])
})

test('the last 64 KiB of a run’s output are kept, in whole characters', async () => {
  const streamOf = (parts: Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
  const bytes = (text: string) => new TextEncoder().encode(text)
  expect(await lastText(streamOf([bytes('uno '), bytes('dos')]))).toBe('uno dos')
  const long = await lastText(streamOf(Array.from({ length: 50 }, (_, n) => bytes('ñ'.repeat(5000) + n))))
  expect(long.endsWith('ñ49')).toBe(true)
  expect(long).not.toContain('\u{fffd}')
  expect(bytes(long).length).toBeGreaterThan(65_530)
  expect(bytes(long).length).toBeLessThanOrEqual(65_536)
})
