import { closeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseAccess } from '../../../lib/endpoint/ports/databases.ts'
import type { ImportArchive, Imports } from '../../../lib/endpoint/ports/imports.ts'
import type { DumpFile } from '../../../lib/endpoint/ports/loads.ts'
import type { NodeConfig } from '../../config.ts'
import { BSDTAR, literally } from '../customer-files/archives.ts'
import { archivesIn, openArchive, prepareDirectory } from './directory.ts'
import { feedArchive, type Means, start } from './programs.ts'
import { readArchive } from './read.ts'
import { placeSite } from './site.ts'

/** Where the operator puts archives of other panels: what was set, or a folder of the panel's own data. */
export const importsDirectory = ({ imports, dataDir }: Pick<NodeConfig, 'imports' | 'dataDir'>): string =>
  imports ?? join(resolve(dataDir), 'importaciones')

/** Imports into a node that has sites; null where clients' programs cannot run. */
export function importsOf(
  config: Pick<NodeConfig, 'imports' | 'dataDir'>,
  node: Omit<Means, 'directory'>,
  access: DatabaseAccess | null,
): Imports | null {
  if (process.getuid?.() !== 0) return null
  const directory = importsDirectory(config)
  if (directory === importsDirectory({ ...config, imports: null })) prepareDirectory(directory)
  const means: Means = { ...node, directory }
  return {
    list: () => archivesIn(directory),
    require: (name) => closeSync(openArchive(directory, name).descriptor),
    read: (archive, reader, signal) => readArchive(means, archive, { reader, signal }),
    placeSite: (archive, wanted) => placeSite({ means, archive, wanted, access }),
    openMember: (archive, member) => openMember(means, archive, member),
  }
}

/** A file of an archive while it is unpacked; one that is cut off has an error for its end. */
async function openMember(
  means: Means,
  archive: ImportArchive,
  { path, bytes }: { path: string; bytes: number },
): Promise<DumpFile> {
  const caged = await start(means, archive.clientId, { argv: [BSDTAR, '-xOqf', '-', '--', literally(path)] })
  const fed = feedArchive(means, archive, caged).catch((error) => {
    caged.stop()
    throw error
  })
  fed.catch(() => {})
  let read = 0
  const whole = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      read += part.length
      controller.enqueue(part)
    },
    async flush() {
      const { code, reason } = await caged.ended
      if (reason !== 'exit' || code !== 0 || read !== bytes)
        throw new Error(`${path} could not be read whole`)
    },
  })
  return {
    bytes,
    content: caged.stdout.pipeThrough(whole),
    async close() {
      caged.stop()
      await fed.catch(() => {})
    },
  }
}
