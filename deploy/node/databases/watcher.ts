import { statSync } from 'node:fs'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { type DatabaseLimits, type MariadbPlaces, UNDO_FILES } from './config.ts'
import type { Administration } from './connection.ts'
import { LOADING_ACCOUNT } from './rights.ts'
import { temporaryFiles } from './temporary.ts'

const LOOK_MS = 2_000
/** An index of a large table is made by one statement, of a dump that nobody can write otherwise. */
const TIMES_FOR_LOADING = 10
/** The panel's own, and the one that dumps. */
const OWN = ['root', 'mysql']

/** Sessions as the server lists them; `owner` is the account of the client that each belongs to. */
const SESSIONS = `SELECT p.id AS id, p.command AS command, p.tid AS thread, p.time_ms AS ms, p.memory_used AS bytes,
  coalesce((SELECT m.User FROM mysql.db d JOIN mysql.db m ON m.Db = d.Db AND m.Host = 'localhost' AND m.User <> 'mysql'
    WHERE d.User = p.user AND d.Host = '%' LIMIT 1), p.user) AS owner
  FROM information_schema.processlist p
  WHERE p.user NOT IN ('${OWN.join("', '")}', 'system user', 'event_scheduler', 'unauthenticated user') ORDER BY p.id`

/** A transaction keeps what all rows were before, of all clients, for as long as it lasts: so many statements' time. */
const STATEMENTS = 10
/** Beyond this no transaction lasts longer than a statement may. */
const MOST_UNDO_BYTES = 1024 ** 3

type Session = { id: number; owner: string; isBusy: boolean; thread: number; ms: number; bytes: number }

export type Watched = {
  administration: Administration
  limits: DatabaseLimits
  /** The server's process; null while it does not run. */
  pid(): number | null
  /** Where it keeps what rows were before, and what it sorts. */
  places: Pick<MariadbPlaces, 'data' | 'temporary'>
  /** Done before each look, also where the server answers no more. */
  first(): Promise<void>
  report(message: string): void
}

/**
 * Ends statements that take too long, those whose sorts fill the disk, sessions that hold too much memory, and those
 * beyond what a client may have at once with all of its accounts.
 * The server's own limit of a statement is one that each session can lift.
 */
export function watchSessions({ administration, limits, places, pid, first, report }: Watched) {
  let timer: ReturnType<typeof setInterval> | null = null
  let looking = false
  /** Told to end at the look before: a statement that goes on takes its session along. */
  let told: ReadonlySet<number> = new Set()
  const tell = afterFirstAnswer(report)
  const fillers = temporaryFiles(places.temporary, { mostBytes: limits.temporaryBytes, report })

  const look = async () => {
    await first()
    const found = await sessionsOf(administration)
    const ended = [...new Set([...lateOf(found, limits), ...fillers(pid(), found)])]
    const old = await oldTransactions(administration, limits, places.data)
    const gone = [...tooMany(found, limits), ...tooLarge(found, limits), ...old]
    const orders = ended.map((id) => (told.has(id) ? `KILL ${id}` : `KILL QUERY ${id}`))
    const ends = [...orders, ...gone.map((id) => `KILL ${id}`)]
    // One that has ended by itself meanwhile is no fault.
    for (const statement of ends) await administration.run(statement).catch(() => undefined)
    told = new Set(ended)
  }

  const lookOnce = () => {
    if (looking || pid() === null) return
    looking = true
    void tell(look()).finally(() => (looking = false))
  }

  return {
    begin() {
      timer ??= setInterval(lookOnce, LOOK_MS)
      timer.unref()
    },
    end() {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
  }
}

/** Reports why a look failed, from the first answer on: a server that is still starting is told of by its supervisor. */
function afterFirstAnswer(report: Watched['report']) {
  let answered = false
  return async (look: Promise<void>) => {
    try {
      await look
      answered = true
    } catch (error) {
      if (answered) report(rootMessage(error))
    }
  }
}

async function sessionsOf({ run }: Administration): Promise<Session[]> {
  const rows = await run(SESSIONS, 2 * LOOK_MS)
  return rows.map(({ id, owner, command, thread, ms, bytes }) => ({
    id: Number(id),
    owner: String(owner),
    isBusy: command !== 'Sleep',
    thread: Number(thread),
    ms: Number(ms),
    bytes: Number(bytes),
  }))
}

/** Sessions whose transaction began too long ago. */
async function oldTransactions(
  { run }: Administration,
  { statementSeconds }: DatabaseLimits,
  data: string,
): Promise<number[]> {
  const most = undoBytes(data) > MOST_UNDO_BYTES ? statementSeconds : statementSeconds * STATEMENTS
  const rows = await run(
    `SELECT t.trx_mysql_thread_id AS id FROM information_schema.innodb_trx t
      JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.user NOT IN ('${OWN.join("', '")}') AND t.trx_started < now() - INTERVAL ${Math.ceil(most)} SECOND`,
    2 * LOOK_MS,
  )
  return rows.map(({ id }) => Number(id))
}

/** Of a server whose data is older it is in ibdata1, which keeps its size. */
function undoBytes(data: string): number {
  const paths = Array.from({ length: UNDO_FILES }, (_, at) => `${data}/undo00${at + 1}`)
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

const lateOf = (sessions: Session[], { statementSeconds }: DatabaseLimits): number[] =>
  sessions.flatMap(({ id, owner, isBusy, ms }) => {
    const most = statementSeconds * 1000 * (LOADING_ACCOUNT.test(owner) ? TIMES_FOR_LOADING : 1)
    return isBusy && ms >= most ? [id] : []
  })

/** What a session keeps in variables of its own goes beyond the server's limit, which stops statements alone. */
const tooLarge = (sessions: Session[], { sessionMemoryBytes }: DatabaseLimits): number[] =>
  sessions.flatMap(({ id, bytes }) => (bytes > sessionMemoryBytes ? [id] : []))

/** The latest of each client's, which come last. */
const tooMany = (sessions: Session[], { connections }: DatabaseLimits): number[] =>
  Object.values(Object.groupBy(sessions, ({ owner }) => owner)).flatMap((held) =>
    (held ?? []).slice(connections).map(({ id }) => id),
  )
