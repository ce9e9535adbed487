import { appendFileSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../../lib/endpoint/context.ts'
import type { Environment } from '../../config.ts'
import { ensureDirectory, exists } from '../host/files.ts'
import { log, logLine } from '../host/log.ts'
import { ownUnit } from '../services/unit.ts'
import { settingsOf } from '../settings/file.ts'
import { isBegunBefore, putAside } from '../web/logs.ts'
import type { WebNode } from '../web/node.ts'
import { removeRotated } from './shorten.ts'

const MAX_BYTES = 8 * 1_048_576
const DAY_MS = 86_400_000

/** Where the log of a panel is that no service manager keeps one of. */
const directoryIn = (dataDir: string) => join(dataDir, 'registro')
const fileIn = (dataDir: string) => join(directoryIn(dataDir), 'panel.log')

/**
 * The log of a serving panel: on standard error, and as a file in the data directory unless it is a service, whose
 * output the journal keeps. The file is put aside at 8 MiB, three times over.
 */
export function servingLog(dataDir: string): Log {
  if (ownUnit() !== null) return log
  return (...told) => {
    const line = logLine(...told)
    process.stderr.write(line)
    try {
      keepLine(dataDir, line)
    } catch {
      // A full disk must not end what is being logged; standard error has it.
    }
  }
}

/** The same of a panel that may not have come so far as to know its settings. */
export function logOf(env: Environment): Log {
  try {
    return servingLog(settingsOf(env).PANEL_DATA)
  } catch {
    return log
  }
}

function keepLine(dataDir: string, line: string): void {
  const path = fileIn(dataDir)
  const size = lstatSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) ensureDirectory(directoryIn(dataDir), { mode: 0o700, owner: null })
  else if (size >= MAX_BYTES) putAside(path)
  appendFileSync(path, line, { mode: 0o600 })
}

type Shortening = { dataDir: string; now: () => Date; web: Pick<WebNode, 'shortenLogs'> | null }

/** Shortens the addresses in a node's logs that are older than a moment; its own lines of that age go. */
export const shorteningOf =
  ({ dataDir, now, web }: Shortening) =>
  async (before: Date): Promise<number> => {
    const yesterday = new Date(now().getTime() - DAY_MS)
    const own = clearOwnLog(dataDir, { before, yesterday })
    return own + ((await web?.shortenLogs(before, yesterday)) ?? 0)
  }

function clearOwnLog(dataDir: string, { before, yesterday }: { before: Date; yesterday: Date }): number {
  if (!exists(directoryIn(dataDir))) return 0
  const found = lstatSync(fileIn(dataDir), { throwIfNoEntry: false })
  if (found && isBegunBefore(found, yesterday)) putAside(fileIn(dataDir))
  return removeRotated(directoryIn(dataDir), before)
}
