import { openAccessLists } from '../files/acl.ts'
import type { Identity } from '../files/clients.ts'
import { ROOT } from '../host/files.ts'
import { ownerOf, type UserRange, userNamed } from './users.ts'

/** Debian's user for web servers. */
export const WEB_USER = 'www-data'

/** Who is who here: with root, users of their own for web server and clients; without, one user for all. */
export function identityOf(users: UserRange): Identity {
  if (process.getuid?.() !== 0) return { root: null, web: null, customer: () => null, accessLists: null }
  const web = userNamed(WEB_USER)
  if (web === null) throw new Error(`there is no user ${WEB_USER} on this machine`)
  return {
    root: ROOT,
    web,
    customer: (clientId) => ownerOf(users, clientId),
    accessLists: openAccessLists(),
  }
}
