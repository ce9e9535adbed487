import { statSync } from 'node:fs'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { NodeDriver } from '../../../lib/endpoint/node-port.ts'
import { ensureSiteDirectories, type Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import type { SiteFolder, StartHelper } from './helpers.ts'
import type { StartProgram } from './programs.ts'
import { siteFiles } from './site-files.ts'

/** Of Debian's openssh-sftp-server; the umask keeps what it makes from other clients, not from the web server. */
const SFTP_SERVER = ['/usr/lib/openssh/sftp-server', '-u', '0027'] as const
/** A helper that is in use for so long is replaced by the next who asks. */
const HELPER_MS = 6 * 3_600_000

/** Starts helpers and programs in a client's cage, of which they see the one site. */
function starters(
  run: NodeDriver['runCaged'],
  prepare: (folder: SiteFolder) => void,
): { helper: StartHelper; program: StartProgram } {
  const viewOf = (folder: SiteFolder) => {
    prepare(folder)
    return { client: { clientId: folder.clientId, sites: [folder] }, sees: { site: folder.domain } }
  }
  return {
    async helper(folder) {
      const caged = await run({ ...viewOf(folder), argv: SFTP_SERVER, deadlineMs: HELPER_MS, stdin: 'pipe' })
      const { stdin, stdout, ended, stop } = caged
      if (stdin === null) throw new Error('a helper without an input')
      return { stdin, stdout, ended, stop }
    },
    program: (folder, program) => run({ ...viewOf(folder), ...program }),
  }
}

type Node = { layout: Layout; identity: Identity; runCaged: NodeDriver['runCaged'] }

/** The files of a node's sites; what lies beside their documents is made anew where an earlier version served them. */
export function siteFilesOf({ layout, identity, runCaged }: Node, now: () => Date) {
  const { helper, program } = starters(runCaged, (folder) => {
    requireDocuments(layout, folder)
    ensureSiteDirectories(layout, identity, folder)
  })
  const staging = ({ clientId, siteId }: SiteFolder) => layout.staging(clientId, siteId)
  return siteFiles({ helper, program, staging, now })
}

/** An empty folder in the place of one that was moved away or lost would hide that from who looks for it. */
function requireDocuments(layout: Layout, { clientId, siteId }: SiteFolder): void {
  const documents = statSync(layout.publicOf(clientId, siteId), { throwIfNoEntry: false })
  if (documents?.isDirectory()) return
  const cause = new Error(`there is no ${layout.publicOf(clientId, siteId)}`)
  throw new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause })
}
