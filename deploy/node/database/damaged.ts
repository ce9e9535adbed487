import { Database } from 'bun:sqlite'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ConfigError, type NodeConfig } from '../../config.ts'
import { innermost } from '../../http/errors.ts'
import { typed } from '../commands/output.ts'
import { databasePath, isShared } from './open.ts'

const DAMAGED = /SQLITE_(?:NOTADB|CORRUPT)/

/** Refuses to serve a database that is damaged anywhere: what was written to it next would be lost with it. */
export function refuseDamaged(config: NodeConfig): void {
  const path = databasePath(config)
  if (isShared(config) || !existsSync(path)) return
  const found = faultOf(path)
  if (found === null) return
  const left = beforeUpgrade(path)
  throw new ConfigError(
    [
      `the database ${path} is damaged (${found}), and nothing was changed. Put back a whole one:`,
      `'${typed('restore FILE')}' with the latest backup`,
      ...(left === null ? [] : [`or with ${left}, as it was before an upgrade`]),
      `or, where copies go to a destination, '${typed('recuperar')}' in an empty data directory.`,
      'Keep the damaged file until then.',
    ].join(' '),
  )
}

/** Read only: not even its journal is taken into it. */
function faultOf(path: string): string | null {
  let database: Database | null = null
  try {
    database = new Database(path, { readonly: true })
    const found = database.query<{ quick_check: string }, []>('pragma quick_check(1)').get()?.quick_check
    return found === undefined || found === 'ok' ? null : found.replace(/\s+/g, ' ').slice(0, 100)
  } catch (error) {
    const at = innermost(error)
    const code = at instanceof Error && 'code' in at ? String(at.code) : ''
    // What keeps it from being opened otherwise is told where it is opened.
    return DAMAGED.test(code) ? code : null
  } finally {
    database?.close()
  }
}

/** The latest copy that a start made before it changed the tables. */
function beforeUpgrade(path: string): string | null {
  const folder = dirname(path)
  const left = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.before-`))
  const last = left.sort().at(-1)
  return last === undefined ? null : join(folder, last)
}
