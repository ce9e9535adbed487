import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../host/files.ts'
import { DEFAULT_USERS, type UserRange, usersIn } from '../users/users.ts'
import { clientIdsOf } from './clients.ts'
import type { Layout } from './layout.ts'

/** A part of the user numbers that systemd (systemd.io/UIDS-GIDS) and login.defs leave to nobody. */
const FIRST_BASE = 1_900_000_000
const RANGE = 10_000_000
const RANGES = 20

/**
 * The users that this panel's clients have. Where another panel of the machine has the ordinary ones, a panel
 * without clients takes a range of its own, notes it beside its files, and keeps to it.
 */
export function rangeFor(layout: Layout, passwd = '/etc/passwd'): UserRange {
  const path = join(layout.base, 'users.json')
  const kept = existsSync(path) ? parse(readFileSync(path, 'utf8')) : null
  if (kept !== null) return kept
  const users = usersIn(readFileSync(passwd, 'utf8'))
  const others = users.filter(({ home }) => !home.startsWith(`${layout.clients}/`))
  const isFree = ({ uidBase, prefix }: UserRange) =>
    others.every(
      ({ name, uid }) =>
        !(name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) &&
        !(uidBase >= FIRST_BASE && uid >= uidBase && uid < uidBase + RANGE),
    )
  if (isFree(DEFAULT_USERS) || clientIdsOf(layout).length > 0) return DEFAULT_USERS
  const ranges = Array.from({ length: RANGES }, (_, index) => ({
    uidBase: FIRST_BASE + index * RANGE,
    prefix: `${DEFAULT_USERS.prefix}${index + 2}x`,
  }))
  const free = ranges.find(isFree)
  if (free === undefined) throw new Error('other panels of this machine have taken every range of users')
  mkdirSync(layout.base, { recursive: true, mode: 0o711 })
  writeWhole({ path, content: JSON.stringify(free), mode: 0o600 })
  return free
}

function parse(text: string): UserRange {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && 'uidBase' in value && 'prefix' in value) {
    const { uidBase, prefix } = value
    if (Number.isSafeInteger(uidBase) && typeof prefix === 'string' && /^[a-z0-9]+$/.test(prefix)) {
      return { uidBase: Number(uidBase), prefix }
    }
  }
  throw new Error('users.json beside the sites is damaged: it says which users the clients have')
}
