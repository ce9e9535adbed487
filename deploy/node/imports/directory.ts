import { closeSync, constants, createReadStream, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FoundArchive } from '../../../lib/endpoint/ports/imports.ts'
import { ensureDirectory, ROOT } from '../host/files.ts'

/** One name: no folder, nothing hidden, nothing that a program could take for an option. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+@=~-]{0,254}$/
const OTHERS_WRITE = 0o022

/** The operator's own directory of archives, made where it is missing. */
export function prepareDirectory(directory: string): void {
  ensureDirectory(directory, { mode: 0o700, owner: ROOT })
}

/** The archives that lie there, by name. */
export function archivesIn(directory: string): FoundArchive[] {
  if (!isOwn(directory)) return []
  const names = readdirSync(directory).filter((name) => NAME.test(name))
  return names.sort().flatMap((name): FoundArchive[] => {
    const found = lstatSync(join(directory, name), { throwIfNoEntry: false })
    return found?.isFile() ? [{ name, bytes: found.size, modified: found.mtime }] : []
  })
}

/** Opens an archive for reading: a regular file, not through a link, where only the operator writes. */
export function openArchive(directory: string, name: string): { bytes: number; descriptor: number } {
  if (!NAME.test(name)) throw new AppError('ruta_invalida')
  const missing = () => new AppError('archivo_no_existe', {}, { status: 409 })
  if (!isOwn(directory)) throw missing()
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const descriptor = openSync(join(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const found = fstatSync(descriptor)
    if (!found.isFile()) {
      closeSync(descriptor)
      throw new AppError('ruta_invalida')
    }
    return { bytes: found.size, descriptor }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw missing()
  }
}

/** How large an archive is, as it lies there. */
export function sizeOf(directory: string, name: string): number {
  const { bytes, descriptor } = openArchive(directory, name)
  closeSync(descriptor)
  return bytes
}

/** The bytes of an archive; its descriptor is closed with the stream. */
export const bytesOf = (opened: { descriptor: number }): AsyncIterable<Uint8Array> & { destroy(): void } =>
  createReadStream('', { fd: opened.descriptor, highWaterMark: 262_144 })

/** Others could otherwise have the panel read what they choose. */
function isOwn(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  return (
    found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & OTHERS_WRITE) === 0
  )
}
