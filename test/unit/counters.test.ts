import { describe, expect, test } from 'bun:test'
import { addressKey, memoryLimits } from '../../lib/store/counters.ts'

const at = (seconds: number) => new Date(1_700_000_000_000 - (1_700_000_000_000 % 60_000) + seconds * 1000)

describe('a budget', () => {
  test('allows its number a minute, and tells how much is left and until when', () => {
    const limits = memoryLimits()
    expect(limits.charge({ name: 'a', limit: 2, windowSeconds: 60 }, at(0))).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 60,
    })
    expect(limits.charge({ name: 'a', limit: 2, windowSeconds: 60 }, at(20))).toMatchObject({
      allowed: true,
      remaining: 0,
      resetSeconds: 40,
    })
    expect(limits.charge({ name: 'a', limit: 2, windowSeconds: 60 }, at(59))).toMatchObject({
      allowed: false,
      remaining: 0,
      resetSeconds: 1,
    })
    expect(limits.charge({ name: 'b', limit: 2, windowSeconds: 60 }, at(59)).allowed).toBe(true)
    // The first is a minute old, the second is not. Refused requests do not count.
    expect(limits.charge({ name: 'a', limit: 2, windowSeconds: 60 }, at(60))).toMatchObject({
      allowed: true,
      remaining: 0,
      resetSeconds: 20,
    })
    expect(limits.charge({ name: 'a', limit: 2, windowSeconds: 60 }, at(60))).toMatchObject({
      allowed: false,
      resetSeconds: 20,
    })
  })

  test.each([0, 500, 13_000, 59_900])(
    'lets no more through in any minute, also one that begins at %p',
    (offset) => {
      const limits = memoryLimits()
      const passed: number[] = []
      // Bursts around the ends of clock minutes, and a few requests between them.
      for (let ms = offset; ms < 300_000; ms += ms % 60_000 > 55_000 || ms % 60_000 < 2000 ? 50 : 1700) {
        if (
          limits.charge({ name: 'a', limit: 20, windowSeconds: 60 }, new Date(at(0).getTime() + ms)).allowed
        )
          passed.push(ms)
      }
      for (const begin of passed) {
        expect(passed.filter((ms) => ms >= begin && ms < begin + 60_000).length).toBeLessThanOrEqual(20)
      }
      expect(passed.length).toBeGreaterThan(80)
    },
  )

  test('of a day is counted in slices, and no day has more', () => {
    const limits = memoryLimits()
    const day = { name: 'a', limit: 1000, windowSeconds: 86_400 }
    const passed: number[] = []
    for (let second = 0; second < 3 * 86_400; second += 40)
      if (limits.charge(day, at(second)).allowed) passed.push(second)
    for (const begin of passed)
      expect(passed.filter((second) => second >= begin && second < begin + 86_400).length).toBeLessThan(1001)
    expect(passed.length).toBeGreaterThan(2900)
    const { allowed, resetSeconds } = limits.charge(day, at(3 * 86_400 - 1))
    expect([allowed, resetSeconds > 0 && resetSeconds <= 86_400]).toEqual([false, true])
    expect(limits.charge(day, at(3 * 86_400 - 1 + resetSeconds)).allowed).toBe(true)
  })

  test('refuses until the seconds that it told are over, and allows after', () => {
    const limits = memoryLimits()
    for (let i = 0; i < 20; i++) limits.charge({ name: 'a', limit: 20, windowSeconds: 60 }, at(i * 2))
    const { allowed, resetSeconds } = limits.charge({ name: 'a', limit: 20, windowSeconds: 60 }, at(45))
    expect({ allowed, resetSeconds }).toEqual({ allowed: false, resetSeconds: 15 })
    expect(
      limits.charge({ name: 'a', limit: 20, windowSeconds: 60 }, at(45 + resetSeconds - 0.1)).allowed,
    ).toBe(false)
    expect(limits.charge({ name: 'a', limit: 20, windowSeconds: 60 }, at(45 + resetSeconds)).allowed).toBe(
      true,
    )
  })

  test('refuses nobody after a clock was set back', () => {
    const limits = memoryLimits()
    for (let i = 0; i < 3; i++) limits.charge({ name: 'a', limit: 1, windowSeconds: 60 }, at(400 * 86_400))
    expect(limits.charge({ name: 'a', limit: 1, windowSeconds: 60 }, at(0)).allowed).toBe(true)
  })
})

describe('strikes', () => {
  const struck = (times: number) => {
    const limits = memoryLimits()
    for (let i = 0; i < times; i++) limits.strike([{ name: 'a', limit: 10 }], at(i))
    return limits
  }

  test('nine in a minute lock nothing, ten do', () => {
    expect(struck(9).lockedSeconds(['a'], at(9))).toBe(0)
    expect(struck(10).lockedSeconds(['a'], at(9))).toBe(60)
    expect(struck(10).lockedSeconds(['b'], at(9))).toBe(0)
  })

  test('ten in more than a minute lock nothing', () => {
    const limits = memoryLimits()
    for (let i = 0; i < 20; i++) limits.strike([{ name: 'a', limit: 10 }], at(i * 10))
    expect(limits.lockedSeconds(['a'], at(200))).toBe(0)
  })

  test('each lock-out lasts twice as long as the one before, up to fifteen minutes', () => {
    const limits = memoryLimits()
    let now = 0
    const lengths: (number | Promise<number>)[] = []
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 10; i++) limits.strike([{ name: 'a', limit: 10 }], at(now))
      const length = Number(limits.lockedSeconds(['a'], at(now)))
      lengths.push(length)
      now += length
      expect(limits.lockedSeconds(['a'], at(now))).toBe(0)
    }
    expect(lengths).toEqual([60, 120, 240, 480, 900, 900])
  })

  test('an hour of quiet starts anew', () => {
    const limits = struck(10)
    for (let i = 0; i < 10; i++) limits.strike([{ name: 'a', limit: 10 }], at(3700))
    expect(limits.lockedSeconds(['a'], at(3700))).toBe(60)
  })

  test('a lock-out does not survive a clock set back', () => {
    const limits = memoryLimits()
    for (let i = 0; i < 10; i++) limits.strike([{ name: 'a', limit: 10 }], at(400 * 86_400))
    expect(limits.lockedSeconds(['a'], at(0))).toBe(0)
  })

  test('a flood of names displaces the oldest, not all', () => {
    const limits = struck(10)
    for (let i = 0; i < 49_999; i++) limits.strike([{ name: `flood${i}`, limit: 10 }], at(9))
    expect(limits.lockedSeconds(['a'], at(10))).toBeGreaterThan(0)
    for (let i = 0; i < 2; i++) limits.strike([{ name: `more${i}`, limit: 10 }], at(9))
    expect(limits.lockedSeconds(['a'], at(10))).toBe(0)
  })
})

describe('the key of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%p is %p', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
