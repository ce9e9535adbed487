import type { FilePlace } from '../../../lib/endpoint/ports/files.ts'
import { told } from './faults.ts'
import { type Helper, SftpSession } from './protocol/sftp.ts'

/** Whose site a helper is for. */
export type SiteFolder = Pick<FilePlace, 'clientId' | 'siteId' | 'domain'>

/** Starts Debian's sftp-server as the client of the site, which it sees at `/sitios/<domain>`. */
export type StartHelper = (folder: SiteFolder) => Promise<Helper>

/** A helper without requests is ended after this time. */
const IDLE_MS = 20_000
/** A helper that has not answered within this time never will: it hangs in the kernel, or at a pipe. */
const ANSWER_MS = 10_000

type Kept = {
  session: Promise<SftpSession>
  /** The directory that it works in, wherever that is moved. */
  directory: string | null
  users: number
  idle: ReturnType<typeof setTimeout> | null
}

/** One helper per site, started by the first request and kept for a while after the last. */
export class Helpers {
  readonly #start: StartHelper
  readonly #directoryOf: (folder: SiteFolder) => string | null
  readonly #kept = new Map<number, Kept>()

  /** `directoryOf` tells which directory is a site's folder now. */
  constructor(start: StartHelper, directoryOf: (folder: SiteFolder) => string | null) {
    this.#start = start
    this.#directoryOf = directoryOf
  }

  /** Runs `use` with the site's helper, which stays until then unless it fails or its client is ended. */
  async with<T>(folder: SiteFolder, use: (session: SftpSession) => Promise<T>): Promise<T> {
    const { session, leave } = await this.borrow(folder)
    try {
      return await use(session)
    } finally {
      leave()
    }
  }

  /** The same for a use that ends later, when `leave` is called. */
  async borrow(folder: SiteFolder): Promise<{ session: SftpSession; leave: () => void }> {
    const kept = await this.#running(folder)
    kept.users++
    if (kept.idle) clearTimeout(kept.idle)
    kept.idle = null
    let left = false
    const leave = () => {
      if (left) return
      left = true
      kept.users--
      if (kept.users === 0) kept.idle = setTimeout(() => this.#end(folder.siteId, kept), IDLE_MS)
      kept.idle?.unref()
    }
    try {
      return { session: await told(kept.session), leave }
    } catch (error) {
      this.#end(folder.siteId, kept)
      throw error
    }
  }

  async #running(folder: SiteFolder): Promise<Kept> {
    const directory = this.#directoryOf(folder)
    const known = this.#kept.get(folder.siteId)
    if (known && known.directory !== directory) this.#leaveAlone(folder.siteId, known)
    else if (known && !(await known.session.then(({ lost }) => lost).catch(() => true))) return known
    // Another request may have begun one meanwhile.
    const current = this.#kept.get(folder.siteId)
    if (current && current !== known) return current
    const begun: Kept = { session: this.#begin(folder), directory, users: 0, idle: null }
    begun.session.catch(() => {})
    this.#kept.set(folder.siteId, begun)
    return begun
  }

  async #begin(folder: SiteFolder): Promise<SftpSession> {
    const session = new SftpSession(await this.#start(folder), ANSWER_MS)
    const late = setTimeout(() => session.end(), ANSWER_MS)
    await session.greeted().finally(() => clearTimeout(late))
    return session
  }

  /** Nobody else gets it: its directory has been moved away, as those who use it now find out. */
  #leaveAlone(siteId: number, kept: Kept): void {
    if (kept.users === 0) this.#end(siteId, kept)
    else this.#kept.delete(siteId)
  }

  #end(siteId: number, kept: Kept): void {
    if (kept.idle) clearTimeout(kept.idle)
    if (this.#kept.get(siteId) === kept) this.#kept.delete(siteId)
    void kept.session.then((session) => session.end()).catch(() => {})
  }
}
