import { expect, test } from 'bun:test'
import { readReport } from '../report.ts'

const REPORT = `bun test v1.3

test/a.test.ts:
(pass) one [1.00ms]
error: expect(received).toBe(expected)
(fail) two [2.00ms]

test/b.test.ts:
(pass) three [1.00ms]

1 tests failed:
(fail) two [2.00ms]

 2 pass
 1 fail
 0 skip
Ran 3 tests across 2 files. [1.00s]
`

test('a failure that Bun tells again at the end is told once, under its own file', () => {
  expect(readReport(REPORT, 1)).toEqual({
    counts: { passed: 2, failed: 1, skipped: 0 },
    failures: [
      {
        file: 'test/a.test.ts',
        told: 'test/a.test.ts:\nerror: expect(received).toBe(expected)\n(fail) two [2.00ms]',
      },
    ],
  })
})

test('a run that ends badly and names no failure counts as one', () => {
  const crashed = REPORT.replaceAll(/^.*(fail|error).*\n/gm, '')
  expect(readReport(crashed, 137).counts).toEqual({ passed: 2, failed: 1, skipped: 0 })
})
