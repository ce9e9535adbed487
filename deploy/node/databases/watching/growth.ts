import { readdirSync, statSync } from 'node:fs'
import type { Administration } from '../connection.ts'
import type { Session } from './sessions.ts'

/** By less than this a client may be over its plan until the measurement of each minute. */
const MUCH_BYTES = 8 * 1024 * 1024
const ACCOUNT = /^[a-z0-9_]{1,64}$/

type Options = {
  administration: Administration
  /** The server's data: a directory for each base. */
  data: string
  /** A session that did nothing for longer has written nothing since the look before. */
  everyMs: number
  /** The client that has this account; null where none has. */
  clientOf(account: string): number | null
}

export type Growth = ReturnType<typeof watchGrowth>

/** Sees which clients' bases grow much, by the sizes of their files: of those alone who are doing something. */
export function watchGrowth({ administration, data, everyMs, clientOf }: Options) {
  const known = new Map<string, number>()
  let grown = new Set<number>()

  const compare = (account: string, bytes: number) => {
    const before = known.get(account)
    const isMuch = before !== undefined && bytes >= before + MUCH_BYTES
    if (before === undefined || bytes < before || isMuch) known.set(account, bytes)
    const client = isMuch ? clientOf(account) : null
    if (client !== null) grown.add(client)
  }

  return {
    async look(sessions: readonly Session[]): Promise<void> {
      const active = sessions.filter(({ isBusy, ms }) => isBusy || ms < 2 * everyMs)
      const accounts = new Set(active.map(({ owner }) => owner).filter((owner) => clientOf(owner) !== null))
      for (const [account, names] of await databasesOf(administration, [...accounts])) {
        compare(
          account,
          names.reduce((sum, base) => sum + bytesBelow(`${data}/${base}`), 0),
        )
      }
    },
    hasGrown: () => grown.size > 0,
    /** The clients that have grown since this was asked before. */
    take(): number[] {
      const taken = [...grown]
      grown = new Set()
      return taken
    },
  }
}

async function databasesOf({ run }: Administration, accounts: string[]): Promise<Map<string, string[]>> {
  const safe = accounts.filter((account) => ACCOUNT.test(account))
  if (safe.length === 0) return new Map()
  const rows = await run(
    `SELECT User AS account, Db AS base FROM mysql.db WHERE Host = 'localhost' AND User IN ('${safe.join("', '")}')`,
  )
  const held = new Map<string, string[]>()
  for (const { account, base } of rows) {
    const name = String(base).replaceAll('\\', '')
    held.set(String(account), [...(held.get(String(account)) ?? []), name])
  }
  return held
}

/** Of the tables' files of a base. */
export function bytesBelow(directory: string): number {
  const files = namesIn(directory).filter((name) => name.endsWith('.ibd'))
  return files.reduce(
    (sum, name) => sum + (statSync(`${directory}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // The base is gone, or was never made.
    return []
  }
}
