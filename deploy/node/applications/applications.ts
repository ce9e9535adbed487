import { languageIn, MANIFESTS } from '../../../lib/applications/manifests/index.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type {
  ApplicationKind,
  ApplicationPlace,
  Applications,
  Installed,
  NewApplication,
  OfferedApplication,
} from '../../../lib/endpoint/ports/applications.ts'
import { ProgramFailed } from '../customer-files/programs.ts'
import { clone } from './clone.ts'
import { runOwn, unknownPassword, writeFiles } from './own.ts'
import { choosePackage, languagesOf, packagesIn, requirePackage } from './packages.ts'
import plugin from './php/plugin.php' with { type: 'text' }
import { askApplication, wordIn } from './programs.ts'
import { publish, takeBack } from './publish.ts'
import { accountOf, clear, type Means, servedOf, stagingOf, unpack } from './unpack.ts'
import { update } from './update.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: NewApplication }

/** Applications in the sites of a node. */
export function createApplications(node: Means): Applications {
  return {
    offered: () => KINDS.flatMap((kind) => offered(node, kind)),
    newest: (kind) => offered(node, kind)[0]?.version ?? null,
    async look(at) {
      const told = await askApplication(node, { at }, { verb: 'look', folder: servedOf(at) })
      return { empty: told.empty === true, version: wordIn(told.version) }
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
      const asked = { verb: 'session', folder: servedOf(at), url, plugin, hash, ...times }
      try {
        await askApplication(node, { at }, asked)
      } catch (error) {
        if (!(error instanceof ProgramFailed)) throw error
        node.log(error.said)
        throw new AppError('aplicacion_no_responde')
      }
    },
  }
}

const KINDS = Object.values(MANIFESTS).map(({ kind }) => kind)

function offered({ directory }: Means, kind: ApplicationKind): OfferedApplication[] {
  const packages = packagesIn(directory, MANIFESTS[kind])
  const newest = choosePackage(packages, '')
  if (newest === null) return []
  return [{ kind, version: newest.version, languages: languagesOf(packages, MANIFESTS[kind]) }]
}

async function install(work: Work, step: Step): Promise<Installed> {
  const { node, at, wanted } = work
  const { id, signal } = wanted
  const look = { verb: 'look', folder: servedOf(at), id }
  const { place, version } = await askApplication(node, { at }, look)
  const told = { version: wordIn(version) ?? '', language: wanted.language, mailed: false }
  if (place === 'none') {
    signal.throwIfAborted()
    await step('application.files', () => putFiles(work))
    await step('application.install', async () => {
      told.language = await runInstaller(work)
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
  return wordIn((await askApplication(node, { at }, asked)).version) ?? ''
}

/** A mail that is not sent stops nothing: its owner asks the application for another. */
async function mail({ node, at, wanted }: Work): Promise<boolean> {
  const { url, login, email, mail: text } = wanted
  const asked = { verb: 'mail', folder: servedOf(at), url, login, email, ...text }
  try {
    return (await askApplication(node, { at }, asked)).mailed === true
  } catch (error) {
    node.log(error instanceof ProgramFailed ? error.said : String(error))
    return false
  }
}

/** The whole application as the client's, in a fresh folder that nothing serves. */
async function putFiles(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const manifest = MANIFESTS[at.kind]
  const chosen = requirePackage(node.directory, manifest, wanted.language)
  await clear(node, at, wanted.id)
  const { folder, ...asked } = installationOf(work)
  await unpack(node, { at, chosen, folder, wanted })
  if (at.kind === 'wordpress')
    await askApplication(node, { at }, { ...asked, folder, verb: 'prepare', plugin })
}

/** Answers the language in which it was installed. */
async function runInstaller(work: Work): Promise<string> {
  const { node, at, wanted } = work
  const { signal } = wanted
  const { installer } = MANIFESTS[at.kind]
  const asked = installationOf(work)
  const host = new URL(wanted.url).host
  const values = { ...asked, language: asked.own, host, sender: `${at.kind}@${host}` }
  if (installer !== null) {
    // Of an earlier run that was cut short.
    await askApplication(node, { at, signal }, { ...asked, verb: 'empty' })
    await runOwn(node, { at, argv: installer, values, signal, feed: unknownPassword() })
  }
  await writeFiles({ node, at }, asked.folder, { values })
  const made = await askApplication(node, { at, signal }, { ...asked, verb: 'install' })
  return wordIn(made.language) ?? wanted.language
}

function installationOf({ node, at, wanted }: Work) {
  const { mail: _, signal: __, kind: ___, ...asked } = wanted
  const own = languageIn(MANIFESTS[at.kind], wanted.language)
  return { ...asked, own, folder: `${stagingOf(at, wanted.id)}/wordpress`, ...accountOf(node, at) }
}
