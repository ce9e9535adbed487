import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type {
  ApplicationPlace,
  Applications,
  Installed,
  NewApplication,
} from '../../../lib/endpoint/ports/applications.ts'
import { ProgramFailed } from '../customer-files/programs.ts'
import { clone } from './clone.ts'
import { choosePackage, packagesIn } from './packages.ts'
import plugin from './plugin.php' with { type: 'text' }
import { askWordPress } from './programs.ts'
import { publish, takeBack } from './publish.ts'
import { accountOf, clear, type Means, servedOf, stagingOf, unpack } from './unpack.ts'
import { update } from './update.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: NewApplication }

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
    clone: (at, wanted, step) => clone({ node, at, wanted }, step),
    publish: (at, wanted, step) => publish({ node, at, wanted }, step),
    takeBack: (at, wanted, step) => takeBack({ node, at, wanted }, step),
    update: (at, wanted, step) => update({ node, at, wanted }, step),
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
  return { ...asked, folder: `${stagingOf(at, wanted.id)}/wordpress`, ...accountOf(node, at) }
}
