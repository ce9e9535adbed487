import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { MailSpool } from '../../../lib/endpoint/ports/mail.ts'
import { emailAddress } from '../../../lib/text/email-address.ts'
import { clientIdsOf, type Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { ensureDirectory, exists, hasCode, move, removeFile, removeIfEmpty } from '../host/files.ts'
import { createAllowances } from './allowances.ts'
import { createRetries } from './retries.ts'

export type Spool = MailSpool & {
  /** Gives a client a place to leave mail in. */
  open(clientId: number): void
  /** Forgets a client that was removed. */
  forget(clientId: number): void
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** The limit that the sending program keeps to: a larger file was put there in another way. */
const MOST_BYTES = 11 * 1024 * 1024
/** Largest directory that is listed, some ten thousand names: a longer listing would hold the panel up. */
const MOST_DIRECTORY_BYTES = 512 * 1024
const MOST_RECIPIENTS = 1000
/** Longest list of recipients: an address has at most 254 characters. */
const MOST_HEAD_BYTES = MOST_RECIPIENTS * 255 + 1
const ASIDE = 'unsent-'
/** What was not sent is kept for its client to see, for as long as somebody may miss it. */
const KEEP_ASIDE_MS = 30 * 86_400_000
/**
 * The mail that customers' programs leave: a directory for each client, inside its quota, below one that only root
 * may change. Anything may lie in it: files are opened without following links or blocking, and checked before they
 * are read. Retries are counted in memory: a start tries everything once more.
 */
export function createSpool(layout: Layout, identity: Identity): Spool {
  const retries = createRetries()
  const allowances = createAllowances(layout, identity)
  const open = (clientId: number) => {
    const owner = identity.customer(clientId)
    ensureDirectory(mailOf(layout, clientId), { mode: 0o700, owner, keepMode: true })
    allowances.open(clientId)
  }
  const messagesOf = (clientId: number) => messages(layout, clientId, open)
  return {
    open,
    tell: allowances.tell,
    forget(clientId) {
      allowances.forget(clientId)
      retries.keep(clientId, [])
    },
    waiting: () => clientIdsOf(layout).filter((clientId) => messagesOf(clientId).length > 0),
    due(clientId, now) {
      const names = messagesOf(clientId)
      retries.keep(clientId, names)
      return now === null ? names : names.filter((name) => retries.isDue(clientId, name, now))
    },
    ...handling(layout, retries),
  }
}

/** What becomes of single messages. */
function handling(
  layout: Layout,
  retries: ReturnType<typeof createRetries>,
): Pick<MailSpool, 'read' | 'sent' | 'postpone' | 'putAside' | 'unsent'> {
  const pathOf = (clientId: number, name: string) => join(mailOf(layout, clientId), name)
  const putAside = (clientId: number, name: string) => {
    retries.forget(clientId, name)
    moveWithin(pathOf(clientId, name), pathOf(clientId, ASIDE + name))
  }
  return {
    read(clientId, name) {
      const parsed = parse(readSmall(pathOf(clientId, name)))
      if (parsed === null) putAside(clientId, name)
      return parsed && { ...parsed, to: retries.of(clientId, name)?.later ?? parsed.to }
    },
    sent(clientId, name, refused) {
      if (refused + (retries.of(clientId, name)?.refused ?? 0) > 0) return putAside(clientId, name)
      retries.forget(clientId, name)
      removeFile(pathOf(clientId, name))
    },
    postpone(clientId, rest, now) {
      if (retries.again(clientId, rest, now)) return true
      putAside(clientId, rest.name)
      return false
    },
    putAside,
    unsent: (clientId) => forgetOldUnsent(mailOf(layout, clientId)).length,
  }
}

/** What the client's programs leave to be sent. */
export const mailOf = (layout: Layout, clientId: number) => join(layout.client(clientId), 'mail')

/** Moves within one directory: no link is followed, and the owner could do the same. */
function moveWithin(from: string, to: string): void {
  try {
    move(from, to)
  } catch (error) {
    if (!hasCode(error, 'EISDIR', 'ENOTDIR', 'ENOTEMPTY')) throw error
  }
}

/** Whole messages, oldest first; those that begin with a dot are being written. */
function messages(layout: Layout, clientId: number, open: (clientId: number) => void): string[] {
  const path = mailOf(layout, clientId)
  const { size } = lstatSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size > MOST_DIRECTORY_BYTES) {
    // A directory that was full keeps its size (ext4), so it is made anew once its owner has emptied it.
    if (removeIfEmpty(path)) open(clientId)
    return []
  }
  if (!exists(path)) return []
  return readdirSync(path)
    .filter((name) => /^[0-9][0-9a-z-]{0,99}$/.test(name))
    .sort()
}

/** The names of what was put aside, without those that are older than what is kept. */
function forgetOldUnsent(path: string): string[] {
  const before = Date.now() - KEEP_ASIDE_MS
  const isOld = (name: string) => Number(/^unsent-(\d{11})-/.exec(name)?.[1] ?? Number.NaN) * 1000 < before
  const names = readdirSync(path).filter((name) => name.startsWith(ASIDE))
  for (const name of names) if (isOld(name)) removeFile(join(path, name))
  return names.filter((name) => !isOld(name))
}

/**
 * Anything may stand there, and be locked, leased or swapped meanwhile: whatever the kernel answers, it is then no
 * message.
 */
function readSmall(path: string): Buffer | null {
  let handle: number
  try {
    handle = openSync(path, READ)
  } catch {
    return null
  }
  try {
    const found = fstatSync(handle)
    // A file with a second name could be somebody else's.
    if (!found.isFile() || found.nlink !== 1 || found.size > MOST_BYTES) return null
    const head = part(handle, Math.min(found.size, MOST_HEAD_BYTES))
    // Reads no further than the size that was checked: a file that grows meanwhile has no end.
    return head.includes('\n\n') ? part(handle, found.size) : null
  } finally {
    closeSync(handle)
  }
}

function part(handle: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  return bytes.subarray(0, readSync(handle, bytes, 0, size, 0))
}

/** A line for each recipient, an empty one, and the message itself. */
function parse(bytes: Buffer | null): { to: string[]; message: Buffer } | null {
  const end = bytes?.subarray(0, MOST_HEAD_BYTES).indexOf('\n\n') ?? -1
  if (bytes === null || end < 0) return null
  const lines = bytes.subarray(0, end).toString('latin1').split('\n')
  if (lines.length > MOST_RECIPIENTS) return null
  const to = lines.flatMap((line) => emailAddress(line) ?? [])
  return to.length === lines.length ? { to, message: withPlainLineEnds(bytes.subarray(end + 2)) } : null
}

/** A bare CR ends a line for some servers and readers and for others not: what is looked at here is what they get. */
function withPlainLineEnds(message: Buffer): Buffer {
  if (!message.includes(13)) return message
  return Buffer.from(message.toString('latin1').replace(/\r\n?/g, '\n'), 'latin1')
}
