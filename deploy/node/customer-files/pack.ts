import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FilePlace } from '../../../lib/endpoint/ports/files.ts'
import { BSDTAR } from './archives.ts'
import { told } from './faults.ts'
import { isFolder, realPath } from './places.ts'
import { LONG_MS, type RunProgram, requireSuccess } from './programs.ts'
import type { SftpSession } from './protocol/sftp.ts'

/** A folder as a ZIP while it is read; one that fails half way breaks off, and so looks like no whole one. */
export async function pack(
  session: SftpSession,
  at: FilePlace,
  run: RunProgram,
): Promise<ReadableStream<Uint8Array>> {
  const folder = await realPath(session, at)
  if (!isFolder(await told(session.stat(folder)))) throw new AppError('ruta_invalida')
  const cut = folder.lastIndexOf('/')
  const named = ['-C', folder.slice(0, cut), `./${folder.slice(cut + 1)}`]
  const running = await run({ argv: [BSDTAR, '--format', 'zip', '-cf', '-', ...named], deadlineMs: LONG_MS })
  const reader = running.stdout.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        await requireSuccess(running)
        controller.close()
      },
      cancel: () => running.stop(),
    },
    { highWaterMark: 0 },
  )
}
