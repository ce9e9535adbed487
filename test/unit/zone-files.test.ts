import { describe, expect, test } from 'bun:test'
import { MOST_REFUSED, parseZoneFile, readZoneFile } from '../../lib/dns/zonefile/zonefile.ts'
import { oneOfEach } from '../../lib/store/turns.ts'

const many = (line: (at: number) => string) => Array.from({ length: 8_000 }, (_, at) => line(at)).join('\n')

describe('a zone file for somebody who waits', () => {
  test.each([
    ['records of all kinds', many((at) => `n${at % 4_000} ${300 + (at % 2)} TXT "${at} \\"x\\" ñ"`)],
    ['names and lines that are refused', 'a A 1.2.3.4\n@ DS 1 13 2 00\nb CNAME a\nb TXT x\nc A 1\n$TTL'],
  ])('%s are read as at once', async (_, text) => {
    expect(await readZoneFile(text, 'ana.es')).toEqual(parseZoneFile(text, 'ana.es'))
  })

  test('lets others have the panel in between', async () => {
    const text = many((at) => `t${at} 300 TXT "${'x'.repeat(100)}${at}"`)
    let turns = 0
    const others = setInterval(() => (turns += 1), 1)
    await readZoneFile(text, 'ana.es')
    clearInterval(others)
    expect(turns).toBeGreaterThan(2)
  })

  test('is not read on after a hundred refusals, and those are told', async () => {
    const { rrsets, refused } = await readZoneFile('x\n'.repeat(8_000), 'ana.es')
    expect(rrsets).toEqual([])
    expect(refused.map(({ linea }) => linea)).toEqual(Array.from({ length: MOST_REFUSED }, (_, at) => at + 1))
    const clashing = await readZoneFile(
      many((at) => `c${at} CNAME c${at}`),
      'ana.es',
    )
    expect(clashing.refused).toHaveLength(MOST_REFUSED)
  })
})

test('work of one is done in turn, more than may wait is refused, and others do not wait', async () => {
  const inTurn = oneOfEach<string>(2)
  const done: string[] = []
  const work = (name: string) => async () => {
    await Bun.sleep(5)
    done.push(name)
  }
  const first = ['a', 'b', 'c'].map((name) => inTurn('ana', work(name)))
  await expect(inTurn('ana', work('d'))).rejects.toMatchObject({ codigo: 'no_disponible', status: 503 })
  await inTurn('bea', work('e'))
  expect(done).not.toContain('b')
  await Promise.all(first)
  expect(done.filter((name) => name !== 'e')).toEqual(['a', 'b', 'c'])
  const failing = inTurn('ana', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await inTurn('ana', work('f'))
  expect(done).toContain('f')
})
