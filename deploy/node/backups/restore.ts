import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError, noSpace } from '../../../lib/endpoint/errors.ts'
import type { CagedEnd } from '../../../lib/endpoint/node-port.ts'
import type { SiteOfCopy, SiteRestore } from '../../../lib/endpoint/ports/backups.ts'
import { whileWanted } from '../cage/while-wanted.ts'
import { BSDTAR, literally } from '../customer-files/archives.ts'
import { STAGING } from '../files/layout.ts'
import place from './place.pl' with { type: 'text' }
import { readSnapshot } from './restic.ts'
import { type Node, startIn } from './site-files.ts'
import type { Listed } from './tar-index.ts'
import type { Places } from './target.ts'

const MKDIR = '/usr/bin/mkdir'
const RM = '/usr/bin/rm'
const MV = '/usr/bin/mv'
const FIND = '/usr/bin/find'
const PERL = '/usr/bin/perl'
const NO_ROOM = /No space left|Disk quota exceeded|File too large/

export type Means = Node & { places: Places }

/**
 * Unpacks into a folder of its own and puts what is there in its place at the end: until then nothing of the site is
 * touched. All of it is done by programs of the client's. Answers some of what it left alone because the client may not
 * read it: nothing has copied that.
 */
export async function restoreSite(means: Means, restore: SiteRestore): Promise<string[]> {
  const { site, path, beside, id, room, signal } = restore
  const bytes = await bytesBelow(means.places, restore)
  if (room !== null && bytes > room) throw noSpace('disco')
  const home = `/sitios/${site.domain}`
  const staging = `${home}/${STAGING}/${id}`
  const run = (argv: readonly [string, ...string[]]) => runToEnd(means, { site, signal }, argv)
  await runToEnd(means, { site, signal: NEVER }, [RM, '-rf', '--', staging])
  try {
    await run([MKDIR, '--', staging])
    await unpack(means, restore, staging)
    if (beside !== null) {
      await putBeside(run, { staging, home, beside })
      return []
    }
    return linesOf(await run([PERL, '-e', place, '--', staging, home, path]))
  } finally {
    await runToEnd(means, { site, signal: NEVER }, [RM, '-rf', '--', staging])
  }
}

const NEVER = new AbortController().signal

type Run = (argv: readonly [string, ...string[]]) => Promise<string>

const linesOf = (said: string) => said.split('\n').filter((line) => line !== '')

/** Whether a site's folder has nothing but folders, besides its logs and what is not whole yet. */
export async function holdsNothing(node: Node, site: SiteOfCopy, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  const home = `/sitios/${site.domain}`
  const aside = [STAGING, 'registros'].flatMap((name) => ['-path', `${home}/${name}`, '-prune', '-o'])
  const argv = [FIND, home, ...aside, '!', '-type', 'd', '-print', '-quit'] as const
  const caged = await startIn(node, site, { argv, readOnly: true })
  return whileWanted([caged], signal, async () => {
    const found = await new Response(caged.stdout).bytes()
    requireDone(await caged.ended)
    return found.length === 0
  })
}

/** Under a new name: one that a killed run left is this restore's own. */
async function putBeside(run: Run, { staging, home, beside }: Record<'staging' | 'home' | 'beside', string>) {
  await run([RM, '-rf', '--', `${home}/${beside}`])
  await run([MV, '-T', '--', staging, `${home}/${beside}`])
  await run([MKDIR, '--', staging])
}

/** The bytes that what is asked for takes, by the list of the copy; 409 `archivo_no_existe` where it is not in it. */
export async function bytesBelow(
  places: Places,
  { repository, index, path }: Pick<SiteRestore, 'repository' | 'index' | 'path'>,
): Promise<number> {
  const packed = Readable.from(readSnapshot(places, repository, index))
  const plain = packed.pipe(createGunzip())
  packed.on('error', (error) => plain.destroy(error))
  let bytes = 0
  let found = path === '/'
  for await (const line of createInterface({ input: plain })) {
    const entry = JSON.parse(line) as Listed
    if (path !== '/' && entry.path !== path && !entry.path.startsWith(`${path}/`)) continue
    found = true
    bytes += entry.stored ?? entry.bytes
  }
  if (!found) throw new AppError('archivo_no_existe', {}, { status: 409 })
  return bytes
}

/** A path of a site as its archive has it, for bsdtar. */
export const patternOf = (path: string) => `.${literally(path)}`

async function unpack(means: Means, restore: SiteRestore, staging: string): Promise<void> {
  const { repository, snapshot, site, path, signal } = restore
  const wanted = path === '/' ? [] : [patternOf(path)]
  const caged = await startIn(means, site, {
    argv: [BSDTAR, '-xf', '-', '-C', staging, '--no-same-owner', '--no-same-permissions', '--', ...wanted],
    stdin: 'pipe',
  })
  await whileWanted([caged], signal, async () => {
    const said = caged.stdout.pipeTo(new WritableStream())
    for await (const part of readSnapshot(means.places, repository, snapshot)) {
      await caged.stdin?.write(part)
    }
    caged.stdin?.end()
    await said
    requireDone(await caged.ended)
  })
}

async function runToEnd(
  means: Means,
  { site, signal }: { site: SiteOfCopy; signal: AbortSignal },
  argv: readonly [string, ...string[]],
): Promise<string> {
  signal.throwIfAborted()
  const caged = await startIn(means, site, { argv })
  return whileWanted([caged], signal, async () => {
    const said = await new Response(caged.stdout).text()
    requireDone(await caged.ended)
    return said
  })
}

function requireDone({ code, reason, stderr }: CagedEnd): void {
  if (reason === 'exit' && code === 0) return
  if (NO_ROOM.test(stderr)) throw noSpace('disco')
  if (/Permission denied|Operation not permitted/.test(stderr)) throw new AppError('prohibido')
  throw new Error(`a program that restores failed: ${stderr.slice(0, 300)}`)
}
