import { createReadStream } from 'node:fs'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { ApplicationPlace, NewApplication } from '../../../lib/endpoint/ports/applications.ts'
import type { DatabaseAccess } from '../../../lib/endpoint/ports/databases.ts'
import { BSDTAR } from '../customer-files/archives.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import { STAGING } from '../files/layout.ts'
import { debianParts, type Package } from './packages.ts'
import { type Node, runProgram } from './programs.ts'

export type Means = Node & { directory: string | null; access: DatabaseAccess; log(reason: string): void }

/** What takes up no name that a client of the site could not also make. */
export const stagingOf = ({ domain }: Pick<ApplicationPlace, 'domain'>, id: string) =>
  `/sitios/${domain}/${STAGING}/wp-${id}`
export const servedOf = ({ domain, root }: Pick<ApplicationPlace, 'domain' | 'root'>) =>
  `/sitios/${domain}/${root}`

/** Who a client's programs are for its databases. */
export const accountOf = ({ access }: Means, { clientId }: ApplicationPlace) => ({
  socket: access.socket,
  user: `${access.userPrefix}${clientId}`,
})

type Unpacking = {
  at: ApplicationPlace
  chosen: Package
  folder: string
  wanted: Pick<NewApplication, 'signal' | 'language'>
}

/** Puts a package's files into a folder, whole and as its checksum tells. */
export async function unpack(node: Means, { at, chosen, folder, wanted }: Unpacking): Promise<void> {
  const running = { at, signal: wanted.signal }
  const makeFolder = (path: string) =>
    runProgram(node, running, { argv: ['/usr/bin/mkdir', '-p', '--', path] })
  if (chosen.kind === 'archive') {
    await makeFolder(folder)
    const sum = new Bun.CryptoHasher('sha256')
    const argv = [BSDTAR, '-xf', '-', '-C', folder, '--strip-components', '1', '--no-same-owner'] as const
    await runProgram(node, running, {
      argv: [...argv, '--no-same-permissions'],
      deadlineMs: LONG_MS,
      async feed(write) {
        for await (const part of createReadStream(chosen.path)) {
          sum.update(part)
          await write(part)
        }
      },
    })
    if (sum.digest('hex') === chosen.sha256) return
    node.log(`${chosen.path} is not what its checksum tells`)
    throw new AppError('aplicacion_no_disponible')
  }
  // Debian's package has links to others; what is copied has none.
  for (const { into, paths } of debianParts(chosen.path, wanted.language)) {
    await makeFolder(`${folder}/${into}`)
    if (paths.length === 0) continue
    const argv = ['/usr/bin/cp', '-RL', '--', ...paths, `${folder}/${into}`] as const
    await runProgram(node, running, { argv: [...argv], deadlineMs: LONG_MS })
  }
}

/** Removes what is prepared or kept beside a site. */
export async function clear(node: Node, at: ApplicationPlace, id: string): Promise<void> {
  const argv = ['/usr/bin/rm', '-rf', '--one-file-system', '--', stagingOf(at, id)] as const
  await runProgram(node, { at }, { argv: [...argv], deadlineMs: LONG_MS })
}
