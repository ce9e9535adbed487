import { createReadStream } from 'node:fs'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type {
  ApplicationPlace,
  Applications,
  Installed,
  NewApplication,
} from '../../../lib/endpoint/ports/applications.ts'
import type { DatabaseAccess } from '../../../lib/endpoint/ports/databases.ts'
import { BSDTAR } from '../customer-files/archives.ts'
import { LONG_MS, ProgramFailed } from '../customer-files/programs.ts'
import { STAGING } from '../files/layout.ts'
import { choosePackage, debianParts, type Package, packagesIn } from './packages.ts'
import plugin from './plugin.php' with { type: 'text' }
import { askWordPress, type Node, runProgram } from './programs.ts'

type Means = Node & { directory: string | null; access: DatabaseAccess; log(reason: string): void }
type Work = { node: Means; at: ApplicationPlace; wanted: NewApplication }

/** What takes up no name that a client of the site could not also make. */
const stagingOf = ({ domain }: ApplicationPlace, id: string) => `/sitios/${domain}/${STAGING}/wp-${id}`
const servedOf = ({ domain, root }: ApplicationPlace) => `/sitios/${domain}/${root}`

/** WordPress in the sites of a node. */
export function createApplications(node: Means): Applications {
  return {
    newest: () => choosePackage(packagesIn(node.directory), '')?.version ?? null,
    async look(at) {
      const told = await askWordPress(node, { at }, { verb: 'look', folder: servedOf(at) })
      return { empty: told.empty === true, version: typeof told.version === 'string' ? told.version : null }
    },
    install: (at, wanted, step) => install({ node, at, wanted }, step),
    undo: (at, id) => clear(node, at, id),
    async openSession(at, { url, hash, now, until }) {
      const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000)
      const times = { now: seconds(now), until: seconds(until) }
      await askWordPress(node, { at }, { verb: 'session', folder: servedOf(at), url, plugin, hash, ...times })
    },
  }
}

async function install(work: Work, step: Step): Promise<Installed> {
  const { node, at, wanted } = work
  const { id, signal } = wanted
  const look = { verb: 'look', folder: servedOf(at), id }
  const { place, version } = await askWordPress(node, { at }, look)
  const told = { version: String(version), language: wanted.language, mailed: false }
  if (place === 'none') {
    signal.throwIfAborted()
    await step('application.files', () => putFiles(work))
    await step('application.install', async () => {
      const made = await askWordPress(node, { at, signal }, { ...installationOf(work), verb: 'install' })
      told.language = String(made.language)
    })
    signal.throwIfAborted()
  }
  // From its first rename on it is brought to its end, whoever wants it no more.
  await step('application.place', async () => {
    if (place !== 'whole') told.version = await putInPlace(work)
  })
  await step('application.mail', async () => {
    told.mailed = await mail(work)
  })
  // The site is whole: what is left beside it is swept some day.
  await step('application.tidy', () => clear(node, at, id).catch((error) => node.log(String(error))))
  return told
}

async function putInPlace({ node, at, wanted }: Work): Promise<string> {
  const from = `${stagingOf(at, wanted.id)}/wordpress`
  const asked = { verb: 'place', from, to: servedOf(at), id: wanted.id }
  return String((await askWordPress(node, { at }, asked)).version)
}

/** A mail that is not sent stops nothing: its owner asks WordPress for another, or signs in by the panel. */
async function mail({ node, at, wanted }: Work): Promise<boolean> {
  const { url, login, mail: text } = wanted
  const asked = { verb: 'mail', folder: servedOf(at), url, login, ...text }
  try {
    return (await askWordPress(node, { at }, asked)).mailed === true
  } catch (error) {
    node.log(error instanceof ProgramFailed ? error.said : String(error))
    return false
  }
}

/** A whole WordPress of the client's, with its settings, in a fresh folder that nothing serves. */
async function putFiles(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const chosen = choosePackage(packagesIn(node.directory), wanted.language)
  if (chosen === null) throw new AppError('aplicacion_no_disponible')
  await clear(node, at, wanted.id)
  const folder = `${stagingOf(at, wanted.id)}/wordpress`
  await unpack(node, { at, chosen, folder, wanted })
  await askWordPress(node, { at }, { ...installationOf(work), verb: 'prepare', plugin })
}

function installationOf({ node, at, wanted }: Work) {
  const { mail: _, signal: __, kind: ___, ...asked } = wanted
  const { socket, userPrefix } = node.access
  const folder = `${stagingOf(at, wanted.id)}/wordpress`
  return { ...asked, folder, socket, user: `${userPrefix}${at.clientId}` }
}

type Unpacking = {
  at: ApplicationPlace
  chosen: Package
  folder: string
  wanted: Pick<NewApplication, 'signal' | 'language'>
}

async function unpack(node: Means, { at, chosen, folder, wanted }: Unpacking): Promise<void> {
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

async function clear(node: Node, at: ApplicationPlace, id: string): Promise<void> {
  const argv = ['/usr/bin/rm', '-rf', '--one-file-system', '--', stagingOf(at, id)] as const
  await runProgram(node, { at }, { argv: [...argv], deadlineMs: LONG_MS })
}
