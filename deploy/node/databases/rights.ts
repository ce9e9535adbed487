/** SQL that makes accounts and gives them rights. All names are checked again where they are put into a statement. */

/** Kept while a client is over its plan's bytes: reading, and what makes room. */
const KEPT = ['SELECT', 'DELETE', 'DROP', 'ALTER ROUTINE', 'SHOW VIEW', 'LOCK TABLES', 'EXECUTE']
const TEMPORARY = 'CREATE TEMPORARY TABLES'
/** What a base can grow by. */
const GROWTH = [
  'INSERT',
  'UPDATE',
  'CREATE',
  'ALTER',
  'INDEX',
  'REFERENCES',
  TEMPORARY,
  'CREATE VIEW',
  'CREATE ROUTINE',
  'TRIGGER',
  'EVENT',
]
const READING = ['SELECT', 'SHOW VIEW']
/** What `mariadb-dump` asks for besides; it runs no routine, but looks at the columns of views that name one. */
const DUMPING = [...READING, 'TRIGGER', 'EVENT', 'LOCK TABLES', 'EXECUTE']
const SETS = {
  /** All but temporary tables. */
  lasting: [...KEPT, ...GROWTH].filter((right) => right !== TEMPORARY),
  shrink: KEPT,
  read: READING,
  dump: DUMPING,
}
export type May = 'all' | keyof typeof SETS

/** Of customers, and of what is being loaded or looked at, which no customer can name. */
const NAME = /^(?:[a-z0-9_]{1,64}|LOADING_\d{1,15}(?:_old|_at)?|VIEW_\d{1,15}_[0-9a-f]{12})$/
/** `mysql_native_password`: SHA-1 of SHA-1 of the password. */
const HASH = /^\*[0-9A-F]{40}$/

/** A name as an identifier; throws for what is none of the panel's. */
export function quoted(name: string): string {
  if (!NAME.test(name)) throw new TypeError('not a name of a database')
  return `\`${name}\``
}

/** Where a dump is loaded before it is a base's content: that, what was there before, and whether they were exchanged. */
export const loadingNames = (databaseId: number) => {
  const base = `LOADING_${databaseId}`
  return { base, account: base, old: `${base}_old`, at: `${base}_at` }
}
export type LoadingNames = ReturnType<typeof loadingNames>

/** Accounts that load a dump; each is for that alone. */
export const LOADING_ACCOUNT = /^LOADING_\d+$/

/** The account of one look into a base by a browser. */
export const viewAccount = (databaseId: number, random: string): string => `VIEW_${databaseId}_${random}`
/** All of them. */
export const VIEW_ACCOUNTS =
  "SELECT User AS user FROM mysql.user WHERE User LIKE BINARY 'VIEW\\\\_%' AND Host = '%'"

/** A name that a client gave, as an identifier. */
export const identifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** A base in a GRANT, where `_` and `%` would stand for any text: `a_b` is not to be `aXb`. */
const granted = (base: string): string => `\`${pattern(base)}\`.*`

/** The same as the server keeps it in `mysql.db`. */
function pattern(base: string): string {
  quoted(base)
  return base.replaceAll('_', '\\_')
}

/** The accounts that have any right on a base, and whether they may add to it. */
export const accountsOn = (base: string): string =>
  `SELECT User AS user, Host AS host, Insert_priv AS grows FROM mysql.db WHERE Db = '${pattern(base).replaceAll('\\', '\\\\')}'`

/** The account of a Unix user, which alone comes in by it; others only with the password that they were given. */
export function userAt(name: string, host: 'localhost' | '%'): string {
  quoted(name)
  return `'${name}'@'${host}'`
}

/** Makes the account of a Unix user, or brings it to this state. */
export const socketAccount = (name: string, { locked, connections }: AccountRules): string[] => {
  const user = userAt(name, 'localhost')
  const rules = `WITH MAX_USER_CONNECTIONS ${whole(connections)} ACCOUNT ${locked ? 'LOCK' : 'UNLOCK'}`
  return [
    `CREATE USER IF NOT EXISTS ${user} IDENTIFIED VIA unix_socket ${rules}`,
    `ALTER USER ${user} IDENTIFIED VIA unix_socket ${rules}`,
  ]
}

type AccountRules = { locked: boolean; connections: number }

/** The same for one with a password, of which only this hash is known. */
export function passwordAccount(name: string, hash: string, { locked, connections }: AccountRules): string[] {
  if (!HASH.test(hash)) throw new TypeError('not the hash of a password')
  const user = userAt(name, '%')
  const identified = `IDENTIFIED VIA mysql_native_password USING '${hash}'`
  const rules = `WITH MAX_USER_CONNECTIONS ${whole(connections)} ACCOUNT ${locked ? 'LOCK' : 'UNLOCK'}`
  return [
    `CREATE USER IF NOT EXISTS ${user} ${identified} ${rules}`,
    `ALTER USER ${user} ${identified} ${rules}`,
  ]
}

/** Makes the account that loads a dump: it has this password, and no rights but on what it loads. */
export function loadingAccount({ account, base }: LoadingNames, hash: string): string[] {
  if (!HASH.test(hash)) throw new TypeError('not the hash of a password')
  const user = userAt(account, 'localhost')
  return [
    `CREATE USER ${user} IDENTIFIED VIA mysql_native_password USING '${hash}' WITH MAX_USER_CONNECTIONS 1`,
    // A dump has no temporary tables.
    ...rightsOn(base, user, 'lasting'),
  ]
}

/** Gives an account its rights on a base, and takes those away that it is not to have. */
export function rightsOn(base: string, user: string, may: May): string[] {
  const on = `ON ${granted(base)}`
  if (may === 'all') return [`GRANT ${[...KEPT, ...GROWTH].join(', ')} ${on} TO ${user}`]
  const kept = SETS[may]
  const taken = [...KEPT, ...GROWTH].filter((right) => !kept.includes(right))
  return [`GRANT ${kept.join(', ')} ${on} TO ${user}`, `REVOKE ${taken.join(', ')} ${on} FROM ${user}`]
}

/** Gives or takes the right to make temporary tables alone. */
export const temporaryTablesOn = (base: string, user: string, how: 'GRANT' | 'REVOKE'): string =>
  `${how} ${TEMPORARY} ON ${granted(base)} ${how === 'GRANT' ? 'TO' : 'FROM'} ${user}`

/** Takes all rights on a base from an account; refused where it had none. */
export const noRightsOn = (base: string, user: string): string =>
  `REVOKE ALL PRIVILEGES ON ${granted(base)} FROM ${user}`

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError('not a number')
  return value
}
