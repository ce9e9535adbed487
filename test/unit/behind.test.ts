import { expect, test } from 'bun:test'
import { behindUnit } from '../../deploy/node/confinement/behind.ts'

test('where systemd starts no scope, programs run without one, and in one once it does', async () => {
  const asked: string[][] = []
  let code = 1
  const { words, prepare } = behindUnit('controlpanel', async (argv) => {
    asked.push([...argv])
    return { code, output: '' }
  })
  await prepare()
  expect(words).toEqual([])
  code = 0
  await prepare()
  expect([words[0], words.at(-1)]).toEqual(['/usr/bin/systemd-run', '--'])
  expect(words).toContain('--slice=system-controlpanel_copias.slice')
  code = 1
  await prepare()
  expect(words).toEqual([])
  // The bounds of the slice are set until that has succeeded once.
  expect(asked.filter(([program]) => program === '/usr/bin/systemctl').length).toBe(2)
})
