import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { MANIFESTS } from '../../../lib/applications/manifests/index.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { ApplicationPlace, NewApplication } from '../../../lib/endpoint/ports/applications.ts'
import type { DatabaseAccess } from '../../../lib/endpoint/ports/databases.ts'
import { BSDTAR } from '../customer-files/archives.ts'
import { LONG_MS, ProgramFailed } from '../customer-files/programs.ts'
import { STAGING } from '../files/layout.ts'
import { changedFile, debianParts } from './debian.ts'
import type { Package } from './packages.ts'
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

/** Puts a package's files into a folder, whole and as its checksums tell. */
export async function unpack(node: Means, unpacking: Unpacking): Promise<void> {
  const { at, chosen, folder, wanted } = unpacking
  const manifest = MANIFESTS[at.kind]
  const running = { at, signal: wanted.signal }
  if (chosen.kind === 'archive') await unpackArchive(node, unpacking, chosen)
  else await unpackDebian(node, unpacking)
  const left = manifest.left.map((path) => `${folder}/${path}`)
  await runProgram(node, running, { argv: ['/usr/bin/rm', '-rf', '--one-file-system', '--', ...left] })
}

/** Extracts what is fed to it, as the client. */
async function extract(
  node: Means,
  { at, wanted }: Pick<Unpacking, 'at' | 'wanted'>,
  { into, strip, bytes }: { into: string; strip: number; bytes: () => AsyncIterable<Uint8Array> },
): Promise<void> {
  const running = { at, signal: wanted.signal }
  await runProgram(node, running, { argv: ['/usr/bin/mkdir', '-p', '--', into] })
  const argv = [
    BSDTAR,
    '-xf',
    '-',
    '-C',
    into,
    '--strip-components',
    String(strip),
    '--no-same-owner',
  ] as const
  await runProgram(node, running, {
    argv: [...argv, '--no-same-permissions'],
    deadlineMs: LONG_MS,
    async feed(write) {
      for await (const part of bytes()) await write(part)
    },
  })
}

async function unpackArchive(
  node: Means,
  unpacking: Unpacking,
  { path, sha256 }: Extract<Package, { kind: 'archive' }>,
): Promise<void> {
  const sum = new Bun.CryptoHasher('sha256')
  async function* bytes() {
    for await (const part of createReadStream(path)) {
      sum.update(part)
      yield part
    }
  }
  await extract(node, unpacking, { into: unpacking.folder, strip: 1, bytes })
  if (sum.digest('hex') !== sha256) unfit(node, path)
}

/** What Debian's packages bring is root's, and partly where no client's program sees it: it is read here. */
async function unpackDebian(node: Means, unpacking: Unpacking): Promise<void> {
  const manifest = MANIFESTS[unpacking.at.kind]
  const changed = await changedFile(manifest)
  if (changed !== null) unfit(node, changed)
  for (const { into, from, names } of debianParts(manifest, unpacking.wanted.language)) {
    const bytes = () => packed(from, names)
    await extract(node, unpacking, { into: join(unpacking.folder, into), strip: 0, bytes })
  }
}

/** Names below a folder as a tar; what links lead to, and no links. */
async function* packed(from: string, names: string[]): AsyncIterable<Uint8Array> {
  if (names.length === 0) return
  const argv = [BSDTAR, '-cLf', '-', '-C', from, '--', ...names]
  const packing = Bun.spawn(argv, { stdout: 'pipe', stderr: 'pipe' })
  const said = new Response(packing.stderr).text()
  try {
    yield* packing.stdout
    if ((await packing.exited) !== 0) throw new ProgramFailed((await said).slice(0, 500))
  } finally {
    packing.kill()
  }
}

function unfit(node: Means, path: string): never {
  node.log(`${path} is not what its checksum tells`)
  throw new AppError('aplicacion_no_disponible')
}

/** Removes what is prepared or kept beside a site. */
export async function clear(node: Node, at: ApplicationPlace, id: string): Promise<void> {
  const argv = ['/usr/bin/rm', '-rf', '--one-file-system', '--', stagingOf(at, id)] as const
  await runProgram(node, { at }, { argv: [...argv], deadlineMs: LONG_MS })
}
