import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { MailSpool } from '../../../lib/endpoint/node-port.ts'
import { emailAddress } from '../../../lib/text/email-address.ts'
import { type BackOff, longestMs, nextTry } from '../../../lib/work/back-off.ts'
import { waitsUntil } from '../../../lib/work/clock.ts'
import { clientIdsOf, type Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { ensureDirectory, exists, hasCode, move, removeFile, removeIfEmpty } from '../host/files.ts'

export type Spool = MailSpool & {
  /** Gives a client a place to leave mail in. */
  open(clientId: number): void
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** The limit that the sending program keeps to: a larger file was put there in another way. */
const MOST_BYTES = 11 * 1024 * 1024
/** Largest directory that is listed, some ten thousand names: a longer listing would hold the panel up. */
const MOST_DIRECTORY_BYTES = 512 * 1024
const MOST_RECIPIENTS = 50
/** Longest list of recipients: an address has at most 254 characters. */
const MOST_HEAD_BYTES = MOST_RECIPIENTS * 255 + 1
/** Mail to further recipients waits for the next day. */
export const RECIPIENTS_A_DAY = 500
const ASIDE = 'unsent-'
const BACK_OFF: BackOff = { waitsMs: [60_000, 300_000, 900_000, 3_600_000], spread: 0 }
/** The first, those soon after it, and hourly ones for a day. */
const TRIES = BACK_OFF.waitsMs.length + 24

/**
 * The mail that customers' programs leave: a directory for each client, inside its quota, below one that only root
 * may change. Anything may lie in it: files are opened without following links or blocking, and checked before they
 * are read. Retries and the day's recipients are counted in memory: a start tries everything once more.
 */
export function createSpool(layout: Layout, identity: Identity): Spool {
  const retries = createRetries()
  const pathOf = (clientId: number, name: string) => join(mailOf(layout, clientId), name)
  const putAside = (clientId: number, name: string) => {
    retries.forget(pathOf(clientId, name))
    moveWithin(pathOf(clientId, name), pathOf(clientId, ASIDE + name))
  }
  const open = (clientId: number) => {
    const owner = identity.customer(clientId)
    ensureDirectory(mailOf(layout, clientId), { mode: 0o700, owner, keepMode: true })
  }
  const messagesOf = (clientId: number): string[] => {
    const path = mailOf(layout, clientId)
    const { size } = lstatSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
    if (size <= MOST_DIRECTORY_BYTES) return messages(path)
    // A directory that was full keeps its size (ext4), so it is made anew once its owner has emptied it.
    if (removeIfEmpty(path)) open(clientId)
    return []
  }
  return {
    open,
    waiting: () => clientIdsOf(layout).filter((clientId) => messagesOf(clientId).length > 0),
    due: (clientId, now) => messagesOf(clientId).filter((name) => retries.isDue(pathOf(clientId, name), now)),
    charge: createDayCount(),
    read(clientId, name) {
      const parsed = parse(readSmall(pathOf(clientId, name)))
      if (parsed === null) putAside(clientId, name)
      return parsed
    },
    sent(clientId, name) {
      retries.forget(pathOf(clientId, name))
      removeFile(pathOf(clientId, name))
    },
    postpone(clientId, name, now) {
      if (!retries.again(pathOf(clientId, name), now)) putAside(clientId, name)
    },
    putAside,
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

/** When what failed is tried again. */
function createRetries() {
  const tries = new Map<string, { count: number; at: Date }>()
  return {
    isDue: (path: string, now: Date) =>
      waitsUntil(tries.get(path)?.at ?? null, now, longestMs(BACK_OFF)) === null,
    /** False where that was the last try. */
    again(path: string, now: Date): boolean {
      const count = (tries.get(path)?.count ?? 0) + 1
      if (count >= TRIES) return false
      tries.set(path, { count, at: nextTry(now, BACK_OFF, count) })
      return true
    },
    forget: (path: string) => void tries.delete(path),
  }
}

function createDayCount(): MailSpool['charge'] {
  const today = { day: '', recipients: new Map<number, number>() }
  return (clientId, recipients, now) => {
    const day = now.toISOString().slice(0, 10)
    if (today.day !== day) Object.assign(today, { day, recipients: new Map() })
    const all = (today.recipients.get(clientId) ?? 0) + recipients
    if (all > RECIPIENTS_A_DAY) return false
    today.recipients.set(clientId, all)
    return true
  }
}

/** Whole messages, oldest first; those that begin with a dot are being written. */
function messages(path: string): string[] {
  if (!exists(path)) return []
  return readdirSync(path)
    .filter((name) => /^[0-9][0-9a-z-]{0,99}$/.test(name))
    .sort()
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
  return to.length === lines.length ? { to, message: bytes.subarray(end + 2) } : null
}
