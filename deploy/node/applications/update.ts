import { isNewer } from '../../../lib/applications/decide.ts'
import { refusalOf } from '../../../lib/applications/errors.ts'
import { MANIFESTS } from '../../../lib/applications/manifests/index.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { ApplicationPlace, Update } from '../../../lib/endpoint/ports/applications.ts'
import { isAnswering, noteFault } from './answering.ts'
import { copyTree } from './clone.ts'
import { runOwn, writeFiles } from './own.ts'
import { choosePackage, packagesIn, requirePackage } from './packages.ts'
import { askApplication, runProgram, wordIn } from './programs.ts'
import { accountOf, clear, type Means, servedOf, stagingOf, unpack } from './unpack.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: Update }

/**
 * Puts a newer version in the place of the one that is there, or leaves it as it was. What is replaced is put aside
 * first, files and tables; it is put back where the application does not answer afterwards, and removed where it does.
 */
export async function update(work: Work, step: Step): Promise<{ version: string }> {
  const { node, at, wanted } = work
  const begun = await ask(work, { verb: 'state' })
  let fault = typeof begun.failed === 'string' ? refusalOf(begun.failed) : null
  if (begun.ready !== true && fault === null && !(await isDue(work))) return versionOf(work)
  if (fault === null && begun.done !== true) {
    try {
      if (begun.ready !== true) await step('application.files', () => prepare(work))
      await renew(work, step)
    } catch (error) {
      fault = await noteFault(work, error)
    }
  }
  if (fault !== null) await step('application.back', () => ask(work, { verb: 'back' }).then(() => {}))
  await step('application.tidy', async () => {
    await ask(work, { verb: 'tidy' })
    await clear(node, at, wanted.id)
  })
  if (fault !== null) throw fault
  return versionOf(work)
}

const versionOf = async (work: Work) => ({
  // Of none that can be read, any other is newer.
  version: wordIn((await ask(work, { verb: 'look' })).version) ?? '',
})

/** False for what an earlier run brought to its end. */
async function isDue(work: Work): Promise<boolean> {
  const { version } = await versionOf(work)
  const newest = choosePackage(
    packagesIn(work.node.directory, MANIFESTS[work.at.kind]),
    work.wanted.language,
  )?.version
  return newest === undefined || isNewer(newest, version)
}

/** The files that will be exchanged; all that belongs to the site itself stays as it is. */
async function prepare(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const manifest = MANIFESTS[at.kind]
  const chosen = requirePackage(node.directory, manifest, wanted.language)
  await clear(node, at, wanted.id)
  const folder = `${stagingOf(at, wanted.id)}/wordpress`
  const signal = new AbortController().signal
  await unpack(node, { at, chosen, folder, wanted: { language: wanted.language, signal } })
  const left = manifest.update.left.map((path) => `${folder}/${path}`)
  await runProgram(node, { at }, { argv: ['/usr/bin/rm', '-rf', '--one-file-system', '--', ...left] })
  for (const path of manifest.update.merged)
    await copyTree(node, { at }, [`${servedOf(at)}/${path}`, `${folder}/${path}`, 'keep'])
  await writeFiles(work, folder, 'renewed')
  // One that did not answer before needs not answer afterwards.
  const before = await isAnswering(work)
  await ask(work, { verb: 'note', name: 'ready', content: { answered: before } })
}

async function renew(work: Work, step: Step): Promise<void> {
  await step('application.copy', () => ask(work, { verb: 'copy' }).then(() => {}))
  await step('application.place', () => ask(work, { verb: 'exchange' }).then(() => {}))
  await step('application.upgrade', () => upgrade(work))
  const { answered } = await ask(work, { verb: 'state' })
  if (answered === true && !(await isAnswering(work))) throw new AppError('aplicacion_no_responde')
}

/** Brings its database to the new version, by its own program where it has one. */
async function upgrade(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const own = MANIFESTS[at.kind].update.upgrade
  if (own === null) await ask(work, { verb: 'upgrade' })
  else await runOwn(node, { at, argv: own, values: { folder: servedOf(at), url: wanted.url } })
}

function ask({ node, at, wanted }: Work, asked: { verb: string } & Record<string, unknown>) {
  const aside = stagingOf(at, wanted.id)
  const places = { folder: servedOf(at), aside, from: `${aside}/wordpress`, to: servedOf(at), whole: false }
  return askApplication(node, { at }, { ...places, ...accountOf(node, at), url: wanted.url, ...asked })
}
