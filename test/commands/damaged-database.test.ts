import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin } from '../support/people.ts'

setDefaultTimeout(120_000)

const PAGE_BYTES = 4096

let panel: Panel
beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  await firstAdmin(panel)
})
afterAll(() => panel?.stop())

test.each([
  ['its first page', 0],
  ['a page in its middle', 40],
])(
  'a database that has lost %s is not served: the next steps are told, and a backup put back serves',
  async (_, page) => {
    const path = join(panel.dataDir, 'panel.db')
    const backup = join(panel.dataDir, `copia-${page}.db`)
    expect((await panel.command('backup', backup)).status).toBe(0)
    await panel.kill()
    const left = `${path}.before-2026-01-0${page === 0 ? 1 : 2}T00-00-00-000Z`
    writeFileSync(left, '')
    using database = new Database(path)
    database.run('pragma wal_checkpoint(truncate)')
    database.close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, page * PAGE_BYTES, page * PAGE_BYTES + 2000)
    writeFileSync(path, bytes)
    const { status, error } = await panel.command('start')
    expect([status, error.split('\n').length]).toEqual([2, 2])
    for (const part of [path, 'is damaged', 'restore FILE', left, 'recuperar']) expect(error).toContain(part)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await panel.command('restore', backup, '--misma-identidad')).status).toBe(0)
    await panel.up()
  },
)
