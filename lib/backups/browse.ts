import type { ReadCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { BackupFault } from '../endpoint/ports/backups.ts'
import type { FileEntry } from '../endpoint/ports/files.ts'
import { baseName } from '../files/paths.ts'
import { type Copy, decideArchive, decideCopies, requireCopy } from './decide.ts'
import { refusalOf } from './errors.ts'
import { copyFacts } from './facts.ts'
import { clientRepository } from './repository.ts'

const IN_A_SITE = /^\/sitios\/([^/]+)(\/.*)?$/s

/** The entries of a folder of a copy, in the order of their names. */
export async function folderOfCopy(
  ctx: ReadCtx,
  named: { client: string; copy: string },
  path: string,
): Promise<FileEntry[]> {
  const facts = await copyFacts(ctx, named)
  const { client, copy: found } = decideCopies(facts, ctx.config.node)
  const copy = requireCopy(found)
  if (path === '/') return [folder(copy, 'sitios')]
  const sites = copy.parts.filter(({ kind, index }) => kind === 'sitio' && index !== null)
  if (path === '/sitios') return sites.map(({ name }) => folder(copy, name))
  const [, domain, below = '/'] = IN_A_SITE.exec(path) ?? []
  const site = sites.find(({ name }) => name === domain)
  if (!site || site.index === null) throw new AppError('archivo_no_existe')
  const backups = ctx.driver?.backups
  if (!backups) throw new AppError('copias_no_disponibles')
  const entries = await backups.folder(await clientRepository(ctx, client), site.index, below).catch(refuse)
  if (entries === null) throw new AppError('archivo_no_existe')
  return entries
}

/** An archive of a part of a copy, and the name to keep it under. */
export async function archiveOfCopy(
  ctx: ReadCtx,
  named: { client: string; copy: string },
  asked: { site: string | null; path: string | null; base: string | null },
): Promise<{ content: ReadableStream<Uint8Array>; name: string }> {
  const facts = await copyFacts(ctx, named)
  const { client, copy } = decideCopies(facts, ctx.config.node)
  const wanted = decideArchive(requireCopy(copy), asked, ctx.request.language)
  const backups = ctx.driver?.backups
  if (!backups) throw new AppError('copias_no_disponibles')
  const repository = await clientRepository(ctx, client)
  const content = await backups.archive(repository, { clientId: client.id, ...wanted }).catch(refuse)
  return { content, name: archiveName(asked) }
}

/** A destination that fails is told as that. */
function refuse(error: unknown): never {
  throw error instanceof BackupFault ? refusalOf(error) : error
}

const archiveName = ({ site, path, base }: Parameters<typeof archiveOfCopy>[2]) =>
  base === null ? `${baseName(path ?? '/') || site}.tar.gz` : `${base}.sql.gz`

const folder = ({ startedAt }: Copy, name: string): FileEntry => ({
  ...{ name, kind: 'carpeta', bytes: 0, modified: startedAt, permissions: 0o755 },
})
