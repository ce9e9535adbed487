import { expect, test } from 'bun:test'
import { undoFillers } from '../../deploy/node/databases/watching/undo.ts'

const MIB = 1024 * 1024
const LIMITS = { statementSeconds: 60, temporaryBytes: 100 * MIB }
const open = (session: number, changed: number, seconds = 1) => ({ session, changed, seconds, locked: 1 })

type Look = [mib: number, transactions: ReturnType<typeof open>[]]

test.each<[string, Look[], number[]]>([
  ['a transaction of ten statements’ time goes on', [[1, [open(1, 5, 600)]]], []],
  ['one that lasts longer ends', [[1, [open(1, 5, 601), open(2, 5)]]], [1]],
  ['no longer than a statement where too much is kept', [[101, [open(1, 0, 61), open(2, 0, 60)]]], [1]],
  [
    'who changed most since the look before ends where what is kept grows beyond its bound',
    [
      [60, [open(1, 9_000), open(2, 100)]],
      [110, [open(1, 9_100), open(2, 5_000), open(3, 50)]],
    ],
    [2],
  ],
  [
    'nobody ends below the bound',
    [
      [50, [open(1, 100)]],
      [99, [open(1, 90_000)]],
    ],
    [],
  ],
  [
    'nobody ends for what others left and what is not small again yet',
    [
      [150, []],
      [152, [open(1, 90_000)]],
    ],
    [],
  ],
  [
    'nor who only reads while it grows',
    [
      [50, [open(1, 0)]],
      [150, [open(1, 0)]],
    ],
    [],
  ],
])('%s', (_, looks, ends) => {
  const fillers = undoFillers(LIMITS)
  const told = looks.map(([mib, transactions]) => fillers(transactions, mib * MIB))
  expect(told.at(-1)).toEqual(ends)
})
