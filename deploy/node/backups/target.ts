import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import {
  BackupFault,
  type Destination,
  type DestinationProblem,
  type Repository,
} from '../../../lib/endpoint/ports/backups.ts'
import { sha256 } from '../../../lib/secrets/hash.ts'
import { ensureDirectory, writeWhole } from '../host/files.ts'

/** What the copies of a node need beside their destination. */
export type Places = {
  /** Root's alone: unfinished packs, keys for SFTP, known hosts. */
  directory: string
  /** Loopback without TLS is a destination, too. */
  test: boolean
  /** The words before restic that have it stay behind what is served; none where nothing is served yet. */
  behind?: readonly string[]
}

type Target = { location: string; options: string[]; environment: Record<string, string> }

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/
/** No blank, quote, backslash or escape: parts of it become words of a command. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/

/** Where a repository is, as restic names it. */
export function targetOf(places: Places, { destination, name }: Repository): Target {
  if (!NAME.test(name)) throw new TypeError('not the name of a repository')
  switch (destination.kind) {
    case 'carpeta':
      return { location: join(directoryOf(destination), name), options: [], environment: {} }
    case 'sftp':
      return sftpTarget(places, destination, name)
    case 's3':
      return s3Target(places, destination, name)
    case 'rest':
      return restTarget(places, destination, name)
  }
}

export const NO_DIRECTORY = 'there is no such directory'

/** One that is there: a disk that is not mounted would be filled below its mount point. */
function directoryOf({ url }: Destination): string {
  if (!existsSync(url)) throw new BackupFault('unreachable', NO_DIRECTORY)
  return url
}

function s3Target(places: Places, destination: Destination, name: string): Target {
  const url = webUrl(places, destination.url)
  const [id = '', secret = ''] = splitOnce(destination.credential?.reveal() ?? '')
  return {
    location: `s3:${url.origin}${trimmed(url)}/${name}`,
    options: [],
    environment: { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret },
  }
}

function restTarget(places: Places, destination: Destination, name: string): Target {
  const url = webUrl(places, destination.url)
  if (destination.credential) {
    const [user = '', password = ''] = splitOnce(destination.credential.reveal())
    url.username = encodeURIComponent(user)
    url.password = encodeURIComponent(password)
  }
  const { protocol, username, password, host } = url
  const who = username === '' ? '' : `${username}:${password}@`
  return {
    location: `rest:${protocol}//${who}${host}${trimmed(url)}/${name}/`,
    options: [],
    environment: {},
  }
}

function sftpTarget(places: Places, destination: Destination, name: string): Target {
  const { user, host, port, path } = sftpUrl(destination.url)
  const options = [
    ...['-F', '/dev/null', '-i', identityFile(places, destination), '-p', port],
    ...['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-o', 'ConnectTimeout=15'],
    ...knownHost(places, destination),
  ]
  const command = ['/usr/bin/ssh', ...options, '-l', user, host, '-s', 'sftp'].join(' ')
  return {
    location: `sftp:${user}@${host}:${path}/${name}`,
    options: ['-o', `sftp.command=${command}`],
    environment: {},
  }
}

/** One that was entered before keys were kept is taken at its word the first time. */
function knownHost({ directory }: Places, { hostKey }: Destination): string[] {
  const strict = (how: string, path: string) => [
    ...['-o', `StrictHostKeyChecking=${how}`, '-o', `UserKnownHostsFile=${path}`],
    ...['-o', 'GlobalKnownHostsFile=/dev/null'],
  ]
  if (hostKey === null) return strict('accept-new', join(directory, 'known_hosts'))
  if (!HOST_KEY.test(hostKey)) throw new TypeError('not the key of a server')
  const content = `${HOST_ALIAS} ${hostKey}\n`
  const path = join(directory, `host-${markOf(content)}`)
  writeChanged(path, content)
  return ['-o', `HostKeyAlias=${HOST_ALIAS}`, ...strict('yes', path)]
}

const HOST_ALIAS = 'destino'
const HOST_KEY = /^[a-z0-9-]+ [A-Za-z0-9+/]+=*$/

/** ssh takes a key from a file only. It lies in a directory of root's, under a name that tells nothing of it. */
function identityFile({ directory }: Places, { credential }: Destination): string {
  const key = `${(credential?.reveal() ?? '').trim()}\n`
  const path = join(directory, `ssh-${markOf(key)}`)
  writeChanged(path, key)
  return path
}

const markOf = (content: string) =>
  Buffer.from(sha256(`ssh\0${content}`))
    .toString('hex')
    .slice(0, 16)

function writeChanged(path: string, content: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeWhole({ path, content, mode: 0o600 })
}

/** Where an SFTP server is asked for its keys. */
export const sshServerOf = ({ url }: Pick<Destination, 'url'>) => sftpUrl(url)

function sftpUrl(text: string) {
  const url = new URL(text)
  const { username: user, hostname: host, port, pathname: path } = url
  return { user, host, port: port === '' ? '22' : port, path: path.replace(/\/+$/, '') }
}

function webUrl({ test }: Places, text: string): URL {
  const url = new URL(text)
  const loopback = test && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')) {
    throw new TypeError('an address without TLS')
  }
  return url
}

const trimmed = ({ pathname }: URL) => pathname.replace(/\/+$/, '')

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** The field that a destination cannot be used for, with the code of why; null for one that can. */
export function destinationProblem(
  places: Places,
  { kind, url, credential }: Omit<Destination, 'hostKey'>,
): DestinationProblem | null {
  if (!isUsable(places, { kind, url })) return { field: 'url', code: `${kind}_no_admitida` }
  if (kind === 'carpeta')
    return credential === null ? null : { field: 'credential', code: 'valor_no_admitido' }
  if (credential === null) return kind === 'rest' ? null : { field: 'credential', code: 'obligatorio' }
  const text = credential.reveal()
  const fits =
    kind === 'sftp'
      ? /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
      : /^[\x21-\x7e]+:[\x21-\x7e]+$/.test(text)
  return fits ? null : { field: 'credential', code: 'caracteres_no_admitidos' }
}

function isUsable(places: Places, { kind, url }: Pick<Destination, 'kind' | 'url'>): boolean {
  if (kind === 'carpeta') return isAbsolute(url) && PLAIN_PATH.test(url) && normalize(url) === url
  try {
    if (kind === 'sftp') return isSftp(new URL(url), sftpUrl(url))
    const web = webUrl(places, url)
    const bare = web.username === '' && web.password === '' && web.search === '' && web.hash === ''
    return bare && (web.pathname === '/' ? kind === 'rest' : PLAIN_PATH.test(trimmed(web)))
  } catch {
    return false
  }
}

const isSftp = (url: URL, { user, host, path }: ReturnType<typeof sftpUrl>) =>
  url.protocol === 'sftp:' &&
  url.password === '' &&
  /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(user) &&
  /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(host) &&
  PLAIN_PATH.test(path)

export function preparePlaces({ directory }: Places): void {
  ensureDirectory(directory, { mode: 0o700, owner: null })
}
