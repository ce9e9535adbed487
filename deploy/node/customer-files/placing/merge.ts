import type { FileOperation } from '../../../../lib/endpoint/ports/files.ts'
import { type InTheWay, inTheWay, NAMED_IN_THE_WAY } from '../../../../lib/files/errors.ts'
import { roomFor, told } from '../faults.ts'
import { found, isFolder, rootOf } from '../places.ts'
import type { Attributes } from '../protocol/packets.ts'
import { type Entry, SftpError, type SftpSession } from '../protocol/sftp.ts'
import { settle, type Work } from '../work.ts'

/** What is to get to a place, by whole paths. */
export type Pair = { from: string; to: string }

type Meeting = Pair & { what: 'free' | 'taken' | 'taken for good' | 'emptied' }

/**
 * Puts things where something may be by now: folders become one, and of files, what was said of each. All that is in
 * the way without a word on it is found before anything is moved; after a cut it goes on with what is left.
 */
export async function merge(work: Work, pairs: readonly Pair[]): Promise<void> {
  await requireWay(work, pairs)
  for (const pair of pairs) for await (const meeting of meetings(work, pair)) await settleOne(work, meeting)
}

/** 409 with the names of what is in the way. */
export async function requireWay(work: Work, pairs: readonly Pair[]): Promise<void> {
  const named: InTheWay[] = []
  let total = 0
  const places = new Set<string>()
  const note = (to: string, replaceable: boolean) => {
    total++
    if (named.length < NAMED_IN_THE_WAY) named.push({ path: shown(work, to), replaceable })
  }
  for (const pair of pairs) {
    if (pair.from === pair.to || places.has(pair.to)) note(pair.to, false)
    else
      for await (const { to, what } of meetings(work, pair))
        if (what.startsWith('taken') && !isSaid(work, to, what)) note(to, what === 'taken')
    places.add(pair.to)
  }
  if (total > 0) throw inTheWay(named, total)
}

/** A path as its site has it. */
export const shown = ({ at }: Pick<Work, 'at'>, path: string) => path.slice(rootOf(at).length) || '/'

function answerOn({ at, operation }: Work, to: string): NonNullable<FileOperation['existing']>['otherwise'] {
  const { existing } = operation
  if (existing === null) return 'refuse'
  const path = shown({ at }, to)
  if (existing.skip.has(path)) return 'skip'
  return existing.replace.has(path) ? 'replace' : existing.otherwise
}

function isSaid(work: Work, to: string, what: Meeting['what']): boolean {
  const answer = answerOn(work, to)
  return answer === 'skip' || (answer === 'replace' && what === 'taken')
}

async function settleOne(work: Work, { from, to, what }: Meeting): Promise<void> {
  const { session } = work
  if (what === 'free') await settle(session, from, to)
  else if (what === 'emptied') await removeEmpty(session, from)
  else if (what === 'taken' && answerOn(work, to) === 'replace') await roomFor(session.replace(from, to))
}

/** What was left out stays, and the folders that it lies in. */
async function removeEmpty(session: SftpSession, folder: string): Promise<void> {
  try {
    await session.rmdir(folder)
  } catch (error) {
    if (!(error instanceof SftpError)) throw await told(Promise.reject(error))
  }
}

/** Everything that finds its place free or taken, and each folder after what was in it. */
async function* meetings(work: Work, { from, to }: Pair): AsyncGenerator<Meeting> {
  const { session } = work
  const source = await found(session.lstat(from))
  if (source !== null) yield* meet(work, { from, to, source, there: await found(session.lstat(to)) })
}

type Met = Pair & { source: Attributes; there: Attributes | null }

async function* meet(work: Work, { from, to, source, there }: Met): AsyncGenerator<Meeting> {
  work.operation.signal.throwIfAborted()
  if (there === null) return yield { from, to, what: 'free' }
  const folders = Number(isFolder(source)) + Number(isFolder(there))
  if (folders < 2) return yield { from, to, what: folders === 0 ? 'taken' : 'taken for good' }
  const others = new Map((await entriesIn(work.session, to)).map((entry) => [entry.name, entry]))
  for (const entry of await entriesIn(work.session, from)) {
    const pair = { from: `${from}/${entry.name}`, to: `${to}/${entry.name}` }
    yield* meet(work, { ...pair, source: entry, there: others.get(entry.name) ?? null })
  }
  yield { from, to, what: 'emptied' }
}

/** All that a folder holds. */
export async function entriesIn(session: SftpSession, folder: string): Promise<Entry[]> {
  const handle = await told(session.openFolder(folder))
  const entries: Entry[] = []
  try {
    for (let some = await session.readFolder(handle); some !== null; some = await session.readFolder(handle))
      entries.push(...some.filter(({ name }) => name !== '.' && name !== '..'))
  } finally {
    await session.close(handle)
  }
  return entries
}
