import { withinDeadline } from '../../../lib/endpoint/deadline.ts'

/** A row as the server tells it. */
export type Row = Record<string, unknown>

/** How long one statement of the panel's may take, unless told. */
const STATEMENT_MS = 30_000

/** The panel's own way to the server: root's account, by the socket, without any password. */
export type Administration = ReturnType<typeof createAdministration>

/** Connected by the first statement; a connection that failed is made anew by the next. */
export function createAdministration(socket: string) {
  let pool: Bun.SQL | null = null

  const drop = () => {
    const old = pool
    pool = null
    void old?.close({ timeout: 0 }).catch(() => undefined)
  }

  const run = async (statement: string, timeoutMs = STATEMENT_MS): Promise<Row[]> => {
    pool ??= connect(socket)
    const asked = pool
    try {
      const rows = await withinDeadline<Row[] | null>(asked.unsafe(statement), timeoutMs, () => null)
      if (rows === null) throw new Error('MariaDB did not answer in time')
      return rows
    } catch (error) {
      // A refusal leaves the connection as it is; anything else may have broken it.
      if (!isRefusal(error) && pool === asked) drop()
      throw error
    }
  }

  const answers = () =>
    run('select 1').then(
      () => true,
      () => false,
    )
  return { run, close: drop, answers, version: () => versionOf(run) }
}

const connect = (socket: string) =>
  new Bun.SQL({
    adapter: 'mysql',
    path: socket,
    username: 'root',
    database: 'mysql',
    max: 4,
    idleTimeout: 30,
    connectionTimeout: 5,
  })

async function versionOf(run: (statement: string) => Promise<Row[]>): Promise<string | null> {
  const [row] = await run('select version() as version')
  return /^[0-9.]+/.exec(String(row?.version ?? ''))?.[0] ?? null
}

/** Whether the server itself refused the statement, by its number. */
export const isRefusal = (error: unknown, ...numbers: number[]): boolean =>
  error instanceof Error &&
  'errno' in error &&
  typeof error.errno === 'number' &&
  error.errno >= 1000 &&
  error.errno < 2000 &&
  (numbers.length === 0 || numbers.includes(error.errno))
