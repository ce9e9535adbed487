import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesiredSftpAccount } from '../../../lib/endpoint/ports/sftp.ts'
import {
  exists,
  type Owner,
  readLink,
  removeFile,
  setLink,
  syncDirectory,
  writeWhole,
} from '../host/files.ts'
import { userNamed } from '../users/users.ts'
import { OWN_USERS, type Places, renderGroup, renderPasswd, type User } from './config.ts'

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,80}[a-z0-9])?$/
const KEY = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]+={0,2}$/
const SECRET = /^\$2b\$\d\d\$[./A-Za-z0-9]{53}$/

type Entry = User & { clientId: number }
/** A client, and the Unix user as which all of its accounts act. */
export type AccountsOf = { clientId: number; owner: Owner }

/**
 * Clients' accounts in the form in which the SSH server reads them at each login: a link that names the client and
 * what the account sees, a file with its keys, and one with its password's hash. The list of users is made from the
 * links.
 */
export type Accounts = { places: Places; temporary: string }

/** Names of a client's accounts. */
const namesOf = ({ places }: Accounts, clientId: number): string[] =>
  entries(places).flatMap((entry) => (entry.clientId === clientId ? entry.name : []))

/** A client's accounts that see a site. */
export const seeing = ({ places }: Accounts, site: { clientId: number; siteId: number }) =>
  entries(places).filter(
    (entry) => entry.clientId === site.clientId && (entry.site === null || entry.site === site.siteId),
  )

/** Those of the client's accounts here that will have fewer rights, or will no longer exist. */
export function lessened(accounts: Accounts, of: AccountsOf, wanted: DesiredSftpAccount[]): string[] {
  const { places } = accounts
  return namesOf(accounts, of.clientId).filter((name) => {
    const account = wanted.find((one) => one.name === name)
    if (account === undefined) return true
    if (readLink(join(places.accounts, name)) !== linkOf(of, account)) return true
    const secret = contentOf(places.secrets, name)
    if (secret !== null && secret !== secretFile(account.passwordHash)) return true
    const kept = new Set(account.keys.map(keyLine))
    return (contentOf(places.keys, name) ?? '').split('\n').some((line) => line !== '' && !kept.has(line))
  })
}

/** Those of a client's accounts that are not as wanted, or not wanted; whether they may write is not looked at. */
export function differing(places: Places, of: AccountsOf, wanted: DesiredSftpAccount[]): string[] {
  const may = /[rw]$/
  const isAsWanted = (account: DesiredSftpAccount) =>
    readLink(join(places.accounts, account.name))?.replace(may, '') ===
      linkOf(of, account).replace(may, '') &&
    contentOf(places.secrets, account.name) === secretFile(account.passwordHash) &&
    contentOf(places.keys, account.name) === keysFile(account.keys)
  const held = exists(places.accounts) ? entries(places) : []
  const names = new Set(wanted.map(({ name }) => name))
  return [
    ...wanted.flatMap((account) => (isAsWanted(account) ? [] : account.name)),
    ...held.flatMap(({ clientId, name }) => (clientId === of.clientId && !names.has(name) ? name : [])),
  ]
}

/** Makes a client's accounts match what is wanted; takes effect at the next login. */
export function setAccounts(accounts: Accounts, of: AccountsOf, wanted: DesiredSftpAccount[]): void {
  const { places, temporary } = accounts
  for (const account of wanted) requireSound(account)
  const names = new Set(wanted.map(({ name }) => name))
  for (const name of namesOf(accounts, of.clientId)) if (!names.has(name)) drop(accounts, name)
  for (const account of wanted) {
    const { name, passwordHash, keys } = account
    hold(accounts, { path: join(places.secrets, name), content: secretFile(passwordHash), mode: 0o600 })
    hold(accounts, { path: join(places.keys, name), content: keysFile(keys), mode: 0o644 })
    setLink(temporary, join(places.accounts, name), linkOf(of, account))
  }
  for (const directory of [places.accounts, places.secrets, places.keys]) syncDirectory(directory)
  writeUsers(accounts)
}

/** Takes accounts away by their names. */
export function dropAccounts(accounts: Accounts, names: string[]): void {
  if (names.length === 0) return
  for (const name of names) drop(accounts, name)
  syncDirectory(accounts.places.accounts)
  writeUsers(accounts)
}

/**
 * Writes the list of users. Another process may be writing it for another client, so it is written again until it
 * matches the links.
 */
export function writeUsers({ places, temporary }: Accounts): void {
  for (;;) {
    const users = entries(places)
    const passwd = renderPasswd(users, unprivileged())
    const group = renderGroup(users)
    if (contentOf(places.etc, 'passwd') === passwd && contentOf(places.etc, 'group') === group) return
    writeWhole({ path: join(places.etc, 'group'), content: group, mode: 0o644 }, temporary)
    writeWhole({ path: join(places.etc, 'passwd'), content: passwd, mode: 0o644 }, temporary)
  }
}

/** Removes the link first: without it nobody can sign in any more, whatever else is left of the account. */
function drop({ places }: Accounts, name: string): void {
  removeFile(join(places.accounts, name))
  for (const directory of [places.secrets, places.keys]) removeFile(join(directory, name))
  for (const used of [name, `${name}.password`]) removeFile(join(places.used, used))
}

function hold({ temporary }: Accounts, file: { path: string; content: string | null; mode: number }): void {
  const { content, ...place } = file
  if (content === null) removeFile(file.path)
  else if (!exists(file.path) || readFileSync(file.path, 'utf8') !== content) {
    writeWhole({ ...place, content }, temporary)
  }
}

function contentOf(directory: string, name: string): string | null {
  const path = join(directory, name)
  return exists(path) ? readFileSync(path, 'utf8') : null
}

const entries = (places: Places): Entry[] =>
  readdirSync(places.accounts).flatMap((name) => entryOf(places, name) ?? [])

function entryOf(places: Places, name: string): Entry | null {
  const told = readLink(join(places.accounts, name)) ?? ''
  const [, client, uid, gid, site, may] = /^([1-9]\d*)_([1-9]\d*)_([1-9]\d*)_(\d+)_([rw])$/.exec(told) ?? []
  if (client === undefined || may === undefined) return null
  const siteId = Number(site)
  return {
    name,
    clientId: Number(client),
    uid: Number(uid),
    gid: Number(gid),
    site: siteId === 0 ? null : siteId,
    readOnly: may === 'r',
  }
}

/** The user as which the server waits for name and password; Debian's package creates it. */
const unprivileged = (): number => userNamed('sshd')?.uid ?? 65_534

const linkOf = ({ clientId, owner }: AccountsOf, { siteId, readOnly }: DesiredSftpAccount) =>
  `${clientId}_${owner.uid}_${owner.gid}_${siteId ?? 0}_${readOnly ? 'r' : 'w'}`

const secretFile = (hash: string | null) => (hash === null ? null : `${hash}\n`)
const keyLine = (key: string) => `restrict ${key}`
const keysFile = (keys: string[]) => (keys.length === 0 ? null : `${keys.map(keyLine).join('\n')}\n`)

/** Values that are rendered into files are validated again here. */
function requireSound({ name, keys, passwordHash }: DesiredSftpAccount): void {
  if (!NAME.test(name) || OWN_USERS.includes(name)) throw new TypeError('not the name of an account')
  if (!keys.every((key) => KEY.test(key))) throw new TypeError('not a public key')
  if (passwordHash !== null && !SECRET.test(passwordHash)) throw new TypeError('not the hash of a password')
}
