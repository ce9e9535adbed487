import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, refusalText } from '../../../lib/endpoint/errors.ts'
import type { FilePlace, OpenFile, SiteFiles } from '../../../lib/endpoint/ports/files.ts'
import { oneOfEach } from '../../../lib/store/turns.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'
import { Changes } from '../usage/changes.ts'
import { listBin } from './bin/entries.ts'
import { openFile } from './content.ts'
import { ofOwnFolder } from './faults.ts'
import { Helpers, type SiteFolder, type StartHelper } from './helpers.ts'
import { operate } from './operations.ts'
import { pack } from './pack.ts'
import { stagingOf } from './places.ts'
import { type Program, type StartProgram, stopping } from './programs.ts'
import type { SftpSession } from './protocol/sftp.ts'
import { forgetListing, list } from './reading/listing.ts'
import { search } from './reading/search.ts'
import { holdsAny, removeLeft } from './sweep.ts'
import { appendToUpload, beginUpload, dropUpload, lookAtUpload } from './uploads.ts'
import { removeEntry, type Writing, writeFile } from './writing.ts'

/** More sites than these are counted, not named. */
const SITES_TOLD = 20

type Means = {
  helper: StartHelper
  program: StartProgram
  /** The folder of a site where what is not whole yet lies. */
  staging(folder: SiteFolder): string
  now: () => Date
}

/** The files of this node's sites, each through a helper that runs as its client. */
export function siteFiles({ helper, program, staging, now }: Means): SiteFiles {
  const helpers = new Helpers(helper, (folder) => identityOf(dirname(staging(folder))))
  const moment = () => now().getTime()
  const turns = oneOfEach<string>()
  const means = ({ siteId }: FilePlace): Writing => ({
    now: moment,
    alone: (path, run) => turns(`${siteId}:${path}`, run),
  })
  const changes = new Changes()
  const changing = <T>(at: FilePlace, change: Change<T>, paths = [at.path]) =>
    helpers.with(at, (session) => changed(session, change, paths)).finally(() => changes.note(at.clientId))
  return {
    hasChanged: () => changes.any,
    takeChanged: () => changes.take(),
    list: (at, page) => helpers.with(at, (session) => list(session, at, page)),
    search: (at, text) => helpers.with(at, (session) => search(session, at, text)),
    bin: (at, page) => helpers.with(at, (session) => listBin(session, at, page)),
    open: (at) => opened(helpers, at, moment),
    write: (at, content) => changing(at, (session) => writeFile(session, at, { ...content, ...means(at) })),
    remove: (at, conditions) =>
      changing(at, (session) => removeEntry(session, at, { conditions, ...means(at) })),
    operate(at, operation) {
      const own = `${stagingOf(at)}/${operation.id}`
      const clearing = (one: Program) => program(at, one)
      const run = stopping(operation.signal, clearing)
      const work = (session: SftpSession) => operate({ session, at, operation, staging: own, run, clearing })
      return changing(at, work, [...operation.paths, operation.target ?? ''])
    },
    beginUpload: (at, upload) => changing(at, (session) => beginUpload(session, at, upload)),
    upload: (at, id) => helpers.with(at, (session) => lookAtUpload(session, at, id)),
    append: (at, part) => changing(at, (session) => appendToUpload(session, at, part)),
    dropUpload: (at, id) => helpers.with(at, (session) => dropUpload(session, at, id)),
    sweep: (sites, than) => swept({ staging, program }, sites, than),
    pack: (at) => helpers.with(at, (session) => pack(session, at, (one) => program(at, one))),
  }
}

type Change<T> = (session: SftpSession) => Promise<T>

/** Of what is changed, no listing that was kept tells any more. */
async function changed<T>(session: SftpSession, change: Change<T>, paths: string[]): Promise<T> {
  forgetListing(session)
  try {
    return await change(session)
  } catch (error) {
    throw ofOwnFolder(error, paths)
  } finally {
    forgetListing(session)
  }
}

/** Which directory is at a path; null where there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() ? `${found.dev}:${found.ino}` : null
}

/** Keeps the helper until the file is closed. */
async function opened(helpers: Helpers, at: FilePlace, now: () => number): Promise<OpenFile> {
  const { session, leave } = await helpers.borrow(at)
  try {
    return await openFile(session, at, { now, leave })
  } catch (error) {
    leave()
    throw error
  }
}

async function swept(
  { staging, program }: Pick<Means, 'staging' | 'program'>,
  sites: SiteFolder[],
  than: Parameters<SiteFiles['sweep']>[1],
): Promise<number> {
  let removed = 0
  const failed: { domain: string; error: unknown }[] = []
  for (const folder of sites) {
    // What one client keeps from being removed keeps nothing of the others.
    try {
      if (holdsAny(staging(folder))) removed += await removeLeft(folder, than, program)
    } catch (error) {
      failed.push({ domain: folder.domain, error })
    }
  }
  if (failed.length > 0) throw notSwept(failed)
  return removed
}

/** Names the sites, and why it failed in the first of them. */
function notSwept(failed: { domain: string; error: unknown }[]): Error {
  const shown = failed.slice(0, SITES_TOLD).map(({ domain }) => domain)
  const more = failed.length > shown.length ? ` and ${failed.length - shown.length} more` : ''
  const [first] = failed
  const why = first?.error instanceof AppError ? refusalText(first.error) : rootMessage(first?.error)
  return new Error(`leftovers of uploads could not be removed from ${shown.join(', ')}${more}: ${why}`)
}
