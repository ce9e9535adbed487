import { lstatSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { id } from '../files/layout.ts'
import { exists, type Owner } from '../host/files.ts'
import { findProcesses, isAlive, type ProcessState, signal, userOf, waitUntil } from '../services/process.ts'
import { runProgram } from '../services/program.ts'

/** Below the addresses that login.defs gives to people's accounts and containers' ranges. */
const UID_BASE = 20_000
const UID_JUMP_FROM = 60_000
const UID_JUMP = 140_000
/** As many clients as a range of users has room for. */
const CLIENTS_MAX = 10_000_000
/** useradd and groupadd: cannot lock or update the files, since another program holds them. */
const BUSY = [1, 10]
const ATTEMPTS = 10
const END_MS = 3_000

export type UserRange = {
  uidBase: number
  prefix: string
  /** How many numbers are the range's own; 10,000,000 unless told. */
  size?: number
}
export const DEFAULT_USERS: UserRange = { uidBase: UID_BASE, prefix: 'cp' }

/** The Unix user of a client. 60000 to 65535 are left out: systemd's dynamic users and `nobody` live there. */
export function ownerOf(range: UserRange, clientId: number): Owner {
  id(clientId)
  const plain = range.uidBase + clientId
  const uid = range.uidBase === UID_BASE && plain >= UID_JUMP_FROM ? plain + UID_JUMP : plain
  return { uid, gid: uid }
}

/** The user's name, `cp` and the client's number: never the customer's own text. */
export function userName(range: UserRange, clientId: number): string {
  return `${range.prefix}${id(clientId)}`
}

/** The client whose user, or whose number, an account has; null when it is outside of the range. */
export function clientOf(range: UserRange, account: { name: string; number: number }): number | null {
  const { name, number } = account
  const named = name.startsWith(range.prefix) ? name.slice(range.prefix.length) : ''
  if (/^[1-9][0-9]{0,8}$/.test(named)) return Number(named)
  const jumped = range.uidBase === UID_BASE && number >= UID_JUMP_FROM ? number - UID_JUMP : number
  const clientId = jumped - range.uidBase
  const isItsNumber =
    clientId > 0 && clientId < (range.size ?? CLIENTS_MAX) && ownerOf(range, clientId).uid === number
  return isItsNumber ? clientId : null
}

/**
 * Makes user and group of a client if they are missing, and points an existing one at this home. Throws when the
 * number or the name belongs to somebody else, another panel too, since files would then change hands.
 */
export async function ensureUser(range: UserRange, clientId: number, home: string): Promise<void> {
  const name = userName(range, clientId)
  const { uid, gid } = ownerOf(range, clientId)
  const other = foreignUser(range, { clientId, home }, await readFile('/etc/passwd', 'utf8'))
  if (other !== null) {
    throw new Error(
      `user ${other.name} (${other.uid}, home ${other.home}) has the name or number of ${name} (${uid}), and is not this panel's`,
    )
  }
  const grouped = () => has('/etc/group', name, gid)
  const hasGroup = await grouped()
  if (await has('/etc/passwd', name, uid)) {
    if (!hasGroup) await retried(['/usr/sbin/groupadd', '-g', String(gid), name], grouped)
    const there = usersIn(await readFile('/etc/passwd', 'utf8')).find((user) => user.name === name)
    // usermod refuses while the user runs something; a later sync does it.
    if (there?.home !== home) await runProgram(['/usr/sbin/usermod', '-d', home, name])
    return
  }
  // Both by one program, from a range of one number: another program's group is never taken instead.
  const group = hasGroup ? ['-g', String(gid), '-N'] : ['-U', '-K', `GID_MIN=${gid}`, '-K', `GID_MAX=${gid}`]
  const account = ['-u', String(uid), ...group, '-d', home, '-M', '-l']
  // No subordinate ids: a customer's programs make no containers.
  const quiet = ['-s', '/usr/sbin/nologin', '-K', 'SUB_UID_COUNT=0', '-K', 'SUB_GID_COUNT=0']
  const made = async () => (await has('/etc/passwd', name, uid)) && (await grouped())
  await retried(['/usr/sbin/useradd', ...account, ...quiet, name], made)
}

/**
 * Whether the client's name or number is held by a user that this panel did not make. Its own have the client's
 * directory as their home, since the first version, and no two panels have one directory.
 */
export async function isForeign(range: UserRange, clientId: number, home: string): Promise<boolean> {
  return foreignUser(range, { clientId, home }, await readFile('/etc/passwd', 'utf8')) !== null
}

type Holder = ReturnType<typeof usersIn>[number]

/** The user that this panel did not make and that has a client's name or number; null where there is none. */
export function foreignUser(
  range: UserRange,
  { clientId, home }: { clientId: number; home: string },
  passwd: string,
): Holder | null {
  const name = userName(range, clientId)
  const { uid } = ownerOf(range, clientId)
  const held = usersIn(passwd).filter((user) => user.name === name || user.uid === uid)
  const isOthers = (user: Holder) =>
    user.name !== name || user.uid !== uid || (user.home !== home && !hasMoved(user, home))
  return held.find(isOthers) ?? null
}

/** Whether the data directory was moved since: the home is gone, and the files are the user's. */
function hasMoved(user: { uid: number; home: string }, home: string): boolean {
  const found = lstatSync(join(home, 'tmp'), { throwIfNoEntry: false })
  return !exists(user.home) && found?.uid === user.uid
}

/** The users that a passwd file lists. */
export function usersIn(passwd: string): { name: string; uid: number; gid: number; home: string }[] {
  return passwd.split('\n').map((line) => {
    const [name = '', , uid = '', gid = '', , home = ''] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid), home }
  })
}

/** A user of this machine, such as those that Debian's packages make for their services; null where there is none. */
export function userNamed(name: string): Owner | null {
  const found = usersIn(readFileSync('/etc/passwd', 'utf8')).find((user) => user.name === name)
  return found === undefined ? null : { uid: found.uid, gid: found.gid }
}

/** Tells of a client, without a look at the disk, whether its user and group stand in these files as they should. */
export function ownUsers(
  range: UserRange,
  homeOf: (clientId: number) => string,
  files: { passwd: string; group: string },
): (clientId: number) => boolean {
  const users = usersIn(files.passwd)
  const groups = usersIn(files.group)
  const byUid = Map.groupBy(users, ({ uid }) => uid)
  const byGid = Map.groupBy(groups, ({ uid }) => uid)
  const named = new Map(users.map((user) => [user.name, user]))
  const grouped = new Map(groups.map((group) => [group.name, group]))
  return (clientId) => {
    const name = userName(range, clientId)
    const { uid, gid } = ownerOf(range, clientId)
    const alone = byUid.get(uid)?.length === 1 && byGid.get(gid)?.length === 1
    const user = named.get(name)
    return alone && user?.uid === uid && user.home === homeOf(clientId) && grouped.get(name)?.uid === gid
  }
}

/** Removes user and group of a client; what is already gone, or somebody else's, is fine. */
export async function removeUser(range: UserRange, clientId: number, home: string): Promise<void> {
  if (await isForeign(range, clientId, home)) return
  const name = userName(range, clientId)
  const { uid, gid } = ownerOf(range, clientId)
  if (await isListed('/etc/passwd', name, uid)) {
    // Forced: useradd's file of sessions is no reason to keep a user that runs nothing.
    await retried(
      ['/usr/sbin/userdel', '--force', name],
      async () => !(await isListed('/etc/passwd', name, uid)),
    )
  }
  if (await isListed('/etc/group', name, gid)) {
    await retried(['/usr/sbin/groupdel', name], async () => !(await isListed('/etc/group', name, gid)))
  }
}

async function isListed(file: string, name: string, number: number): Promise<boolean> {
  return new RegExp(`^${name}:[^:]*:${number}:`, 'm').test(await readFile(file, 'utf8'))
}

/** Whether this name has this number in passwd or group; throws where one of them is taken by another. */
async function has(file: string, name: string, number: number): Promise<boolean> {
  const text = `\n${await readFile(file, 'utf8')}`
  const byName = text.includes(`\n${name}:`)
  const found = new RegExp(`\n([^:\n]*):[^:\n]*:${number}:`).exec(text)?.[1]
  if (!byName && found === undefined) return false
  if (byName && found === name) return true
  throw new Error(`${file}: ${name} and ${number} do not belong together; another program uses one of them`)
}

async function retried(argv: string[], done: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const result = await runProgram(argv)
    if (result.code === 0 || (await done())) return
    if (attempt === ATTEMPTS || !BUSY.includes(result.code)) {
      throw new Error(`${argv[0]} failed (${result.code}): ${result.output.slice(0, 200)}`)
    }
    await Bun.sleep(50 * attempt)
  }
}

/**
 * Ends every process of a client, whatever it started; those begun since then for which `spare` holds may run on.
 * Throws when another survives.
 */
export async function endProcesses(
  range: UserRange,
  clientId: number,
  spare: (found: ProcessState) => boolean = () => false,
): Promise<void> {
  const { uid, gid } = ownerOf(range, clientId)
  const ofClient = () => findProcesses(({ pid }) => userOf(pid) === uid)
  const before = ofClient()
  const ended = await waitUntil(
    async () => {
      await killAll(uid, gid)
      const left = [...before.filter(isAlive), ...ofClient().filter((found) => !spare(found))]
      for (const one of left) signal(one, 'SIGKILL')
      return left.length === 0
    },
    { timeoutMs: END_MS },
  )
  if (!ended) throw new Error(`processes of user ${uid} do not end`)
}

/**
 * Sent by that user itself to all of its processes in one call: a program that forks without a pause always has a
 * process that a list from a moment ago lacks. There may be nothing to end.
 */
async function killAll(uid: number, gid: number): Promise<void> {
  const as = ['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
  await runProgram([...as, '/usr/bin/perl', '-e', 'kill "KILL", -1'])
}
