import { beforeEach, describe, expect, test } from 'bun:test'

// The interface's modules ask the browser for its languages when they are loaded.
Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { language } = await import('../../web/text/language.ts')
const { bytesText, countText, readBytes, readCount, readPercent } = await import('../../web/text/quantity.ts')

const GB = 1000 ** 3
const GIB = 1024 ** 3
type Case = [text: string, value: number]

describe.each(['en', 'es'] as const)('in either language (%s)', (now) => {
  beforeEach(() => language.set(now))

  test.each<Case>([
    ['10GB', 10 * GB],
    ['10 GB', 10 * GB],
    ['10 GiB', 10 * GIB],
    ['10gb', 10 * GB],
    [' 10G ', 10 * GB],
    ['10\u00a0GB', 10 * GB],
    ['1 000 MB', GB],
    ['1.5 TB', 1500 * GB],
    ['1,5 TB', 1500 * GB],
    ['1,5 TiB', 1536 * GIB],
    ['0,125 GB', GB / 8],
    ['512 kB', 512_000],
    ['4096 bytes', 4096],
    ['4096 B', 4096],
    ['0', 0],
  ])('the size %p is %p bytes', (text, value) => {
    expect(readBytes(text)).toEqual({ value })
  })

  test.each<Case>([
    ['150', 150],
    ['150%', 150],
    [' 150 % ', 150],
    ['150\u00a0%', 150],
  ])('the share %p is %p percent', (text, value) => {
    expect(readPercent(text)).toEqual({ value })
  })

  test.each(['', '%', '12.5 %', '1,5', '150 %%', '-5 %', '150 % MB', '2 cores'])(
    'the share %p is refused in words',
    (text) => {
      expect(readPercent(text)).toEqual({ problem: expect.stringMatching(/\S/) })
    },
  )

  test.each<Case>([
    ['1000', 1000],
    ['1 000', 1000],
    ['1\u202f000\u202f000', 1_000_000],
    ["1'000", 1000],
    ['1.234.567', 1_234_567],
    ['1,234,567', 1_234_567],
    ['0', 0],
  ])('the count %p is %p', (text, value) => {
    expect(readCount(text)).toEqual({ value })
  })

  test.each([
    '',
    ' ',
    'ten',
    '-5',
    '+5',
    '1e3',
    '0x10',
    'Infinity',
    '∞',
    '1,00',
    '5.0',
    '1,234,567.0',
    '1.2.3',
    '1 00',
    '12,34,56',
    '5 GB',
    '99999999999999999999',
    '½',
  ])('the count %p is refused with words', (text) => {
    expect(readCount(text)).toEqual({ problem: expect.stringMatching(/\S/) })
  })

  test.each([
    '',
    'GB',
    '10',
    '10 XB',
    '10 GBs',
    '10 G B',
    '10GB 5',
    '1,5,5 GB',
    '9999999 PB',
    '-1 GB',
    '10 Gb/s',
  ])('the size %p is refused with words', (text) => {
    expect(readBytes(text)).toEqual({ problem: expect.stringMatching(/\S/) })
  })

  test.each([0, 1, 1000, 1536 * 1024 ** 2, 10 * GIB, 5_000_000_000, Number.MAX_SAFE_INTEGER])(
    '%p is put into a field as what is read back as itself',
    (value) => {
      expect(readBytes(bytesText(value))).toEqual({ value })
      expect(readCount(countText(value))).toEqual({ value })
    },
  )
})

describe('thousands are separated as the reader does', () => {
  test.each<['en' | 'es', string, number]>([
    ['en', '1,000', 1000],
    ['es', '1.000', 1000],
    ['en', '1,234.5 GB', 1234.5 * GB],
    ['es', '1.234,5 GB', 1234.5 * GB],
    ['es', '1.000 GB', 1000 * GB],
  ])('%s: %p is %p', (now, text, value) => {
    language.set(now)
    expect(text.endsWith('GB') ? readBytes(text) : readCount(text)).toEqual({ value })
  })

  test.each<['en' | 'es', string]>([
    ['en', '1.000'],
    ['es', '1,000'],
    ['en', '1.500 TB'],
    ['es', '1,500 TB'],
  ])('%s: %p has two readings, and is refused with how to type it', (now, text) => {
    language.set(now)
    const reading = text.endsWith('TB') ? readBytes(text) : readCount(text)
    expect(reading).toEqual({
      problem: expect.stringContaining(text.startsWith('1.5') || text.startsWith('1,5') ? '1500' : '1000'),
    })
  })
})
