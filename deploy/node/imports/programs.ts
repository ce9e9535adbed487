import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Caged, NodeDriver } from '../../../lib/endpoint/node-port.ts'
import type { SiteOfCopy } from '../../../lib/endpoint/ports/backups.ts'
import type { ImportArchive } from '../../../lib/endpoint/ports/imports.ts'
import { CageRefused } from '../cage/cage.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import { ensureSiteDirectories, type Identity } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'
import { bytesOf, openArchive } from './directory.ts'

export type Means = {
  layout: Layout
  identity: Identity
  runCaged: NodeDriver['runCaged']
  directory: string
}
export type Argv = readonly [string, ...string[]]
type Program = { argv: Argv; site?: SiteOfCopy; fileBytes?: number; reads?: boolean }

/** Starts a program as the client, which sees the one site, or none. */
export async function start(means: Means, clientId: number, program: Program): Promise<Caged> {
  const { argv, site, fileBytes, reads = true } = program
  if (site) ensureSiteDirectories(means.layout, means.identity, site)
  try {
    return await means.runCaged({
      client: { clientId, sites: site ? [site] : [] },
      sees: site ? { site: site.domain } : 'client',
      argv,
      deadlineMs: LONG_MS * 6,
      ...(reads ? { stdin: 'pipe' as const } : {}),
      ...(fileBytes === undefined ? {} : { fileBytes }),
    })
  } catch (error) {
    if (!(error instanceof CageRefused)) throw error
    throw new AppError('no_disponible', { retryAfterSeconds: 60 }, { cause: error })
  }
}

/** Passes an archive on to a program, until that reads no more. */
export async function feedArchive(means: Means, archive: ImportArchive, to: Caged): Promise<void> {
  const content = bytesOf(openArchive(means.directory, archive.name))
  let over = false
  void to.ended.then(() => {
    over = true
  })
  try {
    for await (const part of content) {
      if (over) return
      await to.stdin?.write(part)
    }
    to.stdin?.end()
  } finally {
    content.destroy()
  }
}

/** Passes what one program says on to another, until that reads no more. */
export async function pass(from: ReadableStream<Uint8Array>, to: Caged): Promise<void> {
  let over = false
  void to.ended.then(() => {
    over = true
  })
  for await (const part of from) {
    if (over) return
    await to.stdin?.write(part)
  }
  to.stdin?.end()
}
