import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { FailingDisk } from './failing-disk.ts'

let disk: FailingDisk
afterEach(() => disk.remove())

test.each([
  ['a later transaction', 5],
  ['the close', 0],
])(
  'rows that SQLite failed to copy into the database, telling nobody, are not lost by %s',
  async (_, later) => {
    disk = new FailingDisk({ journal: false })
    const path = join(disk.mount, 'panel.db')
    const client = embeddedClient(path)
    const write = async (id: number, bytes: number) => {
      const transaction = await client.transaction('write')
      await transaction.execute({ sql: 'insert into rows values (?, randomblob(?))', args: [id, bytes] })
      await transaction.commit()
    }
    await client.executeMultiple('create table rows (id integer primary key, bytes blob)')
    // The journal gets its place on the disk first, so that only the database lacks any.
    await write(0, 6_500_000)
    for (let id = 1; id < 20; id++) await write(id, 100_000)
    disk.exhaust()
    for (let id = 20; id < 50; id++) await write(id, 100_000)
    disk.relieve()
    for (let id = 50; id < 50 + later; id++) await write(id, 100)
    client.close()
    disk.forget()
    const again = embeddedClient(path)
    const answer = async (sql: string) => (await again.execute(sql)).rows.map((row) => Object.values(row)[0])
    expect(await answer('pragma integrity_check')).toEqual(['ok'])
    expect(await answer('select count(*) from rows')).toEqual([50 + later])
    again.close()
  },
)
