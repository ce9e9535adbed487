import { readFileSync } from 'node:fs'
import { openAccessLists } from '../files/acl.ts'
import type { Identity } from '../files/clients.ts'
import { ownerOf, type UserRange } from './users.ts'

/** Debian's user for web servers. */
export const WEB_USER = 'www-data'

/** Who is who here: with root, users of their own for web server and clients; without, one user for all. */
export function identityOf(users: UserRange): Identity {
  if (process.getuid?.() !== 0) return { root: null, web: null, customer: () => null, accessLists: null }
  const [, uid, gid] = new RegExp(`^${WEB_USER}:[^:]*:(\\d+):(\\d+):`, 'm').exec(
    readFileSync('/etc/passwd', 'utf8'),
  ) ?? [undefined, undefined, undefined]
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${WEB_USER} on this machine`)
  return {
    root: { uid: 0, gid: 0 },
    web: { uid: Number(uid), gid: Number(gid) },
    customer: (clientId) => ownerOf(users, clientId),
    accessLists: openAccessLists(),
  }
}
