import type { Administration } from '../connection.ts'
import { sizeOf } from '../sizes.ts'
import type { Session } from './sessions.ts'

/** By less than this a client may be over its plan until the measurement of each minute. */
const MUCH_BYTES = 8 * 1024 * 1024
/** Files of a client that are asked for in each look, two of a table: of one with more, all are in each second look, … */
const FILES = 1024
const ACCOUNT = /^[a-z0-9_]{1,64}$/

type Options = {
  administration: Pick<Administration, 'run'>
  /** The server's data: a directory for each base. */
  data: string
  /** A session that did nothing for longer has written nothing since the look before. */
  everyMs: number
  /** The client that has this account; null where none has. */
  clientOf(account: string): number | null
}

export type Growth = ReturnType<typeof watchGrowth>

/**
 * Sees which clients' bases grow much, by the sizes of what they hold: of those alone who have been doing something. A
 * base of many files is looked at less often: a partitioned table has thousands.
 */
export function watchGrowth({ administration, data, everyMs, clientOf }: Options) {
  const { compare, ...told } = growths(clientOf)
  /** Who has done something since its files were looked at, and the look from which on they may be again. */
  const owed = new Set<string>()
  const due = new Map<string, number>()
  let turn = 0
  let looking = false

  const lookAt = async (accounts: string[]) => {
    for (const [account, names] of await datadatabasesOf(administration, accounts)) {
      const { bytes, files } = await sizeOf(administration, data, names)
      due.set(account, turn + Math.ceil(files / FILES))
      compare(account, bytes)
    }
    for (const account of accounts) owed.delete(account)
  }

  return {
    /** Does no more than remember who does something while the look before goes on. */
    async look(sessions: readonly Session[]): Promise<void> {
      turn += 1
      const active = sessions.filter(({ isBusy, ms }) => isBusy || ms < 2 * everyMs)
      for (const { owner } of active) if (clientOf(owner) !== null) owed.add(owner)
      if (looking) return
      looking = true
      await lookAt([...owed].filter((account) => (due.get(account) ?? 0) <= turn)).finally(
        () => (looking = false),
      )
    },
    ...told,
  }
}

/** Who has grown by much since it was last asked about. */
function growths(clientOf: Options['clientOf']) {
  const known = new Map<string, number>()
  let grown = new Set<number>()
  return {
    compare(account: string, bytes: number): void {
      const before = known.get(account)
      const isMuch = before !== undefined && bytes >= before + MUCH_BYTES
      if (before === undefined || bytes < before || isMuch) known.set(account, bytes)
      const client = isMuch ? clientOf(account) : null
      if (client !== null) grown.add(client)
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

async function datadatabasesOf(
  { run }: Options['administration'],
  accounts: string[],
): Promise<Map<string, string[]>> {
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
