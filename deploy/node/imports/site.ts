import { AppError, noSpace } from '../../../lib/endpoint/errors.ts'
import type { DatabaseAccess } from '../../../lib/endpoint/ports/databases.ts'
import type { ImportArchive, ImportedSite, PlacedSite } from '../../../lib/endpoint/ports/imports.ts'
import place from '../backups/place.pl' with { type: 'text' }
import { whileWanted } from '../cage/while-wanted.ts'
import { BSDTAR } from '../customer-files/archives.ts'
import { STAGING } from '../files/layout.ts'
import { type Argv, type Means, start } from './programs.ts'
import { chosen, countContent, feedContent } from './read.ts'
import settings from './settings.pl' with { type: 'text' }

const FIND = '/usr/bin/find'
const MKDIR = '/usr/bin/mkdir'
const MV = '/usr/bin/mv'
const PERL = '/usr/bin/perl'
const RM = '/usr/bin/rm'
/** How large a site may be if its owner has no limit. */
const MOST_BYTES = 50 * 1024 ** 3
/** What a program writes besides, such as the cage's own files. */
const SLACK_BYTES = 64 * 1024
const NEVER = new AbortController().signal

type Work = { means: Means; archive: ImportArchive; wanted: ImportedSite; access: DatabaseAccess | null }

/**
 * Counts a site's files, unpacks them beside the site, and puts what is there in the place of its own folder at the
 * end. All of it is done by programs of the client's.
 */
export async function placeSite(work: Work): Promise<PlacedSite> {
  const { means, archive, wanted } = work
  const { site, content, room, signal, id } = wanted
  const most = Math.min(room ?? MOST_BYTES, MOST_BYTES)
  const counted = await countContent(means, { archive, content }, { room: most + 1, signal })
  if (room !== null && counted.bytes > room) throw noSpace('disco')
  const home = `/sitios/${site.domain}`
  const staging = `${home}/${STAGING}/${id}`
  const unpacked = `${home}/${STAGING}/${id}-in`
  const clear = () => run(work, NEVER, [RM, '-rf', '--one-file-system', '--', staging, unpacked])
  await clear()
  try {
    await run(work, signal, [MKDIR, '--', staging, unpacked])
    await unpack(work, { unpacked, bytes: counted.bytes })
    // What a link of another server leads to is not here, or is not to be led to.
    await run(work, signal, [FIND, unpacked, '-type', 'l', '-delete'])
    await run(work, signal, [MV, '-T', '--', `${unpacked}/${content.folder}`, `${staging}/public`])
    const changed = await rewrite(work, `${staging}/public`)
    await run(work, signal, [PERL, '-e', place, '--', staging, home, '/'])
    return { bytes: counted.bytes, links: counted.links, settings: changed }
  } finally {
    await clear()
  }
}

async function unpack(work: Work, { unpacked, bytes }: { unpacked: string; bytes: number }): Promise<void> {
  const { means, archive, wanted } = work
  const { site, content, signal } = wanted
  const options = ['--no-same-owner', '--no-same-permissions', ...chosen(content)]
  const to = await start(means, site.clientId, {
    argv: [BSDTAR, '-xf', '-', '-C', unpacked, ...options],
    site,
    fileBytes: bytes + SLACK_BYTES,
  })
  const read = () => to.stdout.pipeTo(new WritableStream())
  await feedContent(means, { archive, content }, { to, signal, read })
}

/** Names the new databases in the settings of the programs that are known; answers which files those were. */
async function rewrite(work: Work, folder: string): Promise<string[]> {
  const { wanted, access } = work
  const pairs = Object.entries(wanted.databases)
  if (access === null || pairs.length === 0) return []
  const user = `${access.userPrefix}${wanted.site.clientId}`
  const names = pairs.flat()
  const said = await run(work, wanted.signal, [
    ...[PERL, '-e', settings, '--', folder, access.socket, user],
    ...names,
  ])
  return said.split('\n').filter((line) => line !== '')
}

/** Runs a program of the site's to its end; answers what it said. */
async function run({ means, wanted }: Work, signal: AbortSignal, argv: Argv | string[]): Promise<string> {
  const { site } = wanted
  signal.throwIfAborted()
  const [program = '', ...words] = argv
  const caged = await start(means, site.clientId, { argv: [program, ...words], site, reads: false })
  return whileWanted([caged], signal, async () => {
    const said = await new Response(caged.stdout).text()
    const { code, reason, stderr } = await caged.ended
    if (reason === 'exit' && code === 0) return said
    if (/No space left|Disk quota exceeded|File too large/.test(stderr)) throw noSpace('disco')
    if (reason !== 'exit') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
    // The folder that the archive tells of is not in it, or is something else.
    throw new AppError('archivo_peligroso', {}, { cause: new Error(stderr.slice(-300)) })
  })
}
