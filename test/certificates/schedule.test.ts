import { expect, test } from 'bun:test'
import { failureKind, parseRetryAfter } from '../../deploy/node/certificates/problems.ts'
import { certificateNames, nextAttempt, renewAt } from '../../lib/sites/certificates/schedule.ts'

const now = new Date('2026-11-21T00:00:00Z')
const HOUR_MS = 3_600_000

test('a certificate is renewed at two thirds of its life, whatever its length', () => {
  expect(renewAt(now, new Date(now.getTime() + 90 * 24 * HOUR_MS))).toEqual(new Date('2027-01-20T00:00:00Z'))
  expect(renewAt(now, new Date(now.getTime() + 6 * 24 * HOUR_MS))).toEqual(new Date('2026-11-25T00:00:00Z'))
  expect(renewAt(now, now)).toEqual(now)
})

test('failed validations stay below five an hour for any number of attempts', () => {
  for (const kind of ['rechazada', 'limite', 'no_disponible'] as const) {
    let at = now
    const tries: Date[] = []
    for (let attempts = 1; attempts <= 20; attempts += 1) {
      const next = nextAttempt({ kind, attempts, now: at, retryAfter: null, seed: 0 })
      expect(next.getTime()).toBeGreaterThan(at.getTime())
      at = next
      tries.push(at)
    }
    for (const [index, time] of tries.entries()) {
      const fifth = tries[index + 4]
      if (fifth) expect(fifth.getTime() - time.getTime()).toBeGreaterThan(HOUR_MS)
    }
  }
})

test('the authority’s Retry-After is never undercut, and a shorter one does not hasten us', () => {
  const failure = { kind: 'limite', attempts: 1, now, seed: 7 } as const
  const late = new Date(now.getTime() + 100 * HOUR_MS)
  expect(nextAttempt({ ...failure, retryAfter: late })).toEqual(late)
  const own = nextAttempt({ ...failure, retryAfter: null })
  expect(nextAttempt({ ...failure, retryAfter: now })).toEqual(own)
})

test('sites that failed together are not asked for together', () => {
  const times = Array.from({ length: 100 }, (_, seed) =>
    nextAttempt({ kind: 'no_disponible', attempts: 4, now, retryAfter: null, seed }).getTime(),
  )
  expect(new Set(times).size).toBeGreaterThan(90)
  expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(0.1 * 6 * HOUR_MS)
})

test('the domain comes first, each name once, and never more than a certificate holds', () => {
  expect(certificateNames('a.es', ['www.a.es', 'a.es'])).toEqual(['a.es', 'www.a.es'])
  const many = Array.from({ length: 300 }, (_, index) => `n${index}.a.es`)
  expect(certificateNames('a.es', many)).toHaveLength(100)
})

test('Retry-After is understood in seconds and as a date, and nothing else', () => {
  expect(parseRetryAfter('60', now)).toEqual(new Date('2026-11-21T00:01:00Z'))
  expect(parseRetryAfter('Sat, 21 Nov 2026 01:00:00 GMT', now)).toEqual(new Date('2026-11-21T01:00:00Z'))
  expect(parseRetryAfter('999999999', now)).toEqual(new Date('2026-11-28T00:00:00Z'))
  expect(parseRetryAfter('soon', now)).toBeNull()
  expect(parseRetryAfter(null, now)).toBeNull()
})

test('limits, faults of the authority and refusals are told apart', () => {
  const type = (name: string) => `urn:ietf:params:acme:error:${name}`
  expect(failureKind(type('rateLimited'), 429)).toBe('limite')
  expect(failureKind('', 429)).toBe('limite')
  expect(failureKind(type('serverInternal'), 500)).toBe('no_disponible')
  expect(failureKind('', 503)).toBe('no_disponible')
  expect(failureKind(type('unauthorized'), 403)).toBe('rechazada')
})
