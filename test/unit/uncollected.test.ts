import { expect, test } from 'bun:test'
import { areUncollected } from '../../deploy/node/confinement/uncollected.ts'
import { deadProcesses } from '../../deploy/node/services/process.ts'

const dead = { pid: 7, startTicks: 70 }

test.each([
  ['none has ended', [[]], false],
  ['one is collected a moment later', [[dead], []], false],
  ['another has its number by then', [[dead], [{ ...dead, startTicks: 71 }]], false],
  ['one stays', [[dead], [dead]], true],
])('where %s, doctor is told so', async (_name, looks, stays) => {
  let at = 0
  expect(await areUncollected(() => looks[at++] ?? [], 0)).toBe(stays)
})

test('a process that has ended is found until its parent collects it', async () => {
  const parent = Bun.spawn(['perl', '-e', '$| = 1; fork or exit; sleep 1; print "x"; <STDIN>; wait'], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  await parent.stdout.getReader().read()
  expect(deadProcesses(({ parent: of }) => of === parent.pid)).toHaveLength(1)
  parent.stdin.end()
  await parent.exited
  expect(deadProcesses(({ parent: of }) => of === parent.pid)).toEqual([])
})
