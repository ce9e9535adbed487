import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../deploy/config.ts'
import { writtenDirectories } from '../../deploy/node/settings/written.ts'

test('each start clears the folder of the sites’ logs of what a killed process left there', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'written-'))
  // Others can pass to the sites below it.
  chmodSync(dataDir, 0o711)
  mkdirSync(join(dataDir, 'web'))
  const { node } = readConfig({ PANEL_DATA: dataDir }, { host: 'panel.test', node: 'nodo1', addresses: [] })
  expect(writtenDirectories(node)).toContain(join(dataDir, 'web/l'))
  rmSync(dataDir, { recursive: true })
})
