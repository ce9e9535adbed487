import { Database } from 'bun:sqlite'

/** Run as a process of its own: holds the write lock of a database until a line comes in. */
const [path = ''] = process.argv.slice(2)
const db = new Database(path)
db.run('PRAGMA busy_timeout = 5000')
db.run('BEGIN IMMEDIATE')
process.stdout.write('held\n')
for await (const _ of process.stdin) break
db.run('ROLLBACK')
db.close()
