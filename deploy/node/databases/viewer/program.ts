import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDirectory, exists, ROOT, writeWhole } from '../../host/files.ts'

/** Adminer in one file, as Debian 12 packages it (4.8.1-1). */
const PROGRAM = '/usr/share/adminer/adminer.php'
/** No other is run: what is changed below was read in this one. */
const SHA256 = '2fd7e6d8f987b243ab1839249551f62adce19704c47d3d0c8dd9e57ea5b9c6b3'
/** Where the program in the cage finds it. */
export const SHOWN_PROGRAM = '/run/viewer/adminer.php'

/** PHP on the command line sends no headers and keeps no sessions: `viewer.php` does both in its way. */
const CHANGES: [RegExp, string][] = [
  [/\bheader\(/g, 'viewer_header('],
  [/\bsession_(?:start|write_close|regenerate_id)\(/g, 'viewer_session('],
  // The panel says which scripts a page may run.
  [/function\s+get_nonce\(\)\{/, 'function get_nonce(){return VIEWER_NONCE;'],
]

/** Whether Debian's package is there with the one version that is run. */
export const hasProgram = (): boolean => readProgram() !== null

/** Puts the program into its directory; answers its path, or null where there is none to be run. */
export function prepareProgram(directory: string): string | null {
  const original = readProgram()
  if (original === null) return null
  const changed = CHANGES.reduce((text, [from, to]) => text.replace(from, to), original.toString('latin1'))
  const content = Buffer.from(changed, 'latin1')
  const home = join(directory, 'viewer')
  const path = join(home, 'adminer.php')
  ensureDirectory(home, { mode: 0o711, owner: ROOT })
  if (!exists(path) || !readFileSync(path).equals(content)) writeWhole({ path, content, mode: 0o644 })
  return path
}

function readProgram(): Buffer | null {
  if (!exists(PROGRAM)) return null
  const content = readFileSync(PROGRAM)
  return createHash('sha256').update(content).digest('hex') === SHA256 ? content : null
}
