import { rootMessage } from '../../../../lib/text/root-message.ts'
import { type DatabaseLimits, type MariadbPlaces, temporaryTablesFile } from '../config.ts'
import type { Administration } from '../connection.ts'
import { LOADING_ACCOUNT } from '../rights.ts'
import { lateOf, tooLarge, tooMany } from './excess.ts'
import type { Growth } from './growth.ts'
import { lockHolders } from './lock-holders.ts'
import { rollsBackPrepared } from './prepared.ts'
import { type Session, sessionsOf, type Transaction, transactionsOf } from './sessions.ts'
import { temporaryFiles } from './temporary-files.ts'
import { temporaryTables } from './temporary-tables.ts'
import { undoBytes, undoFillers } from './undo.ts'
import { endsUnending } from './unending.ts'
import type { Withheld } from './withheld.ts'

export const LOOK_MS = 1_000
const ANSWER_MS = 4_000
/** A file of temporary tables grows by some hundred megabytes in a second. */
const TABLES_MS = 250

export type Watched = {
  administration: Administration
  limits: DatabaseLimits
  /** The server's process; null while it does not run. */
  pid(): number | null
  /** Where it keeps what rows were before, and what it sorts. */
  places: Pick<MariadbPlaces, 'data' | 'temporary'>
  withheld: Withheld
  growth: Growth
  /** The memory that the plan of an account's client gives to its programs; null where it gives no number. */
  planned(owner: string): number | null
  /** Done before each look, also where the server answers no more. */
  first(): Promise<void>
  /** Keeps the client of an account away from the server for a while. */
  keepOut(owner: string, why: string): Promise<void>
  report(message: string): void
}

/**
 * Ends statements that take too long, those whose sorts fill the disk, sessions whose temporary tables do or that hold
 * too much memory, and those beyond what a client may have at once with all of its accounts. Rolls back what sessions
 * left prepared. The server's own limit of a statement is one that each session can lift.
 */
export function watchSessions(given: Watched) {
  const { pid } = given
  const { tell, administration } = afterFirstAnswer(given)
  const watched = { ...given, administration }
  const tables = temporaryTables(temporaryTablesFile(watched.places), watched.limits.temporaryBytes)
  const seen: Seen = (sessions, transactions) => {
    tables.quiet(transactions)
    // The sizes of many files take longer than a look, which does not wait for them.
    void tell(watched.growth.look(sessions))
  }
  const looks = [
    { everyMs: LOOK_MS, look: looksAt(watched, seen) },
    { everyMs: TABLES_MS, look: looksAtTables(watched, tables) },
    { everyMs: LOOK_MS, look: rollsBackPrepared(watched) },
  ]
  let timers: ReturnType<typeof setInterval>[] = []
  return {
    begin() {
      if (timers.length > 0) return
      timers = looks.map(({ everyMs, look }) => {
        let looking = false
        const once = () => {
          if (looking || pid() === null) return
          looking = true
          void tell(look()).finally(() => (looking = false))
        }
        return setInterval(once, everyMs)
      })
      for (const timer of timers) timer.unref()
    },
    end() {
      for (const timer of timers) clearInterval(timer)
      timers = []
    },
  }
}

type Seen = (sessions: readonly Session[], transactions: readonly Transaction[]) => void

function looksAt(watched: Watched, seen: Seen) {
  const { administration, limits, places, withheld, planned, pid, first, report } = watched
  /** Told to end at the look before: a statement that goes on takes its session along. */
  let told: ReadonlySet<number> = new Set()
  const endUnending = endsUnending(watched)
  const ofUndo = undoFillers(limits)
  const fillers = temporaryFiles(places.temporary, { mostBytes: limits.temporaryBytes, report })
  return async () => {
    await first()
    const found = await sessionsOf(administration, ANSWER_MS)
    const ended = [...new Set([...lateOf(found, limits), ...fillers(pid(), found)])]
    const transactions = await transactionsOf(administration, found, ANSWER_MS)
    seen(found, transactions)
    const undo = ofUndo(transactions, undoBytes(places.data))
    const holders = await lockHolders(administration, found, ANSWER_MS)
    const gone = new Set([
      ...tooMany(found, limits),
      ...tooLarge(found, limits, planned),
      ...undo,
      ...holders,
    ])
    const orders = ended.map((id) => (told.has(id) ? `KILL ${id}` : `KILL QUERY ${id}`))
    const ends = [...orders, ...[...gone].map((id) => `KILL ${id}`)]
    // One that has ended by itself meanwhile is no fault.
    for (const statement of ends) await administration.run(statement).catch(() => undefined)
    told = new Set(ended)
    await endUnending(found)
    await withheld.giveBack()
  }
}

function looksAtTables(
  { administration, withheld, report }: Watched,
  tables: ReturnType<typeof temporaryTables>,
) {
  return async () => {
    if (!tables.hasChanged()) return
    const all = await sessionsOf(administration, ANSWER_MS)
    const sessions = all.filter(({ owner }) => !LOADING_ACCOUNT.test(owner))
    const found = tables.filler(sessions, await transactionsOf(administration, sessions, ANSWER_MS))
    if (found === null) return
    const { owner, session } = found
    if (session !== null) {
      report(
        `temporary tables take too much of the disk: the session ${session} of ${owner} that wrote most ends`,
      )
      // One that has ended by itself meanwhile is no fault.
      await administration.run(`KILL ${session}`).catch(() => undefined)
      return
    }
    if (!withheld.has(owner)) {
      report(
        `temporary tables of ${owner} take too much of the disk: its sessions end, and it makes none for a day`,
      )
    }
    await withheld.take(owner)
  }
}

/**
 * Reports why a look failed, from the first answer on: a server that is still starting is told of by its supervisor. A
 * look may end without asking it anything.
 */
function afterFirstAnswer({ administration, report }: Pick<Watched, 'administration' | 'report'>) {
  let answered = false
  const run: Administration['run'] = async (...asked) => {
    const rows = await administration.run(...asked)
    answered = true
    return rows
  }
  const tell = async (look: Promise<void>) => {
    try {
      await look
    } catch (error) {
      if (answered) report(rootMessage(error))
    }
  }
  return { tell, administration: { ...administration, run } }
}
