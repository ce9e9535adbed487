import { isNewer } from '../../../lib/applications/decide.ts'
import { refusalOf } from '../../../lib/applications/errors.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { ApplicationPlace, Update } from '../../../lib/endpoint/ports/applications.ts'
import { isAnswering, noteFault } from './answering.ts'
import { choosePackage, packagesIn } from './packages.ts'
import { askWordPress, runProgram } from './programs.ts'
import { accountOf, clear, type Means, servedOf, stagingOf, unpack } from './unpack.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: Update }

/**
 * Puts a newer WordPress in the place of the one that is there, or leaves it as it was. What is replaced is put aside
 * first, files and tables; it is put back where WordPress does not answer afterwards, and removed where it does.
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

const versionOf = async (work: Work) => ({ version: String((await ask(work, { verb: 'look' })).version) })

/** False for what an earlier run brought to its end. */
async function isDue(work: Work): Promise<boolean> {
  const { version } = await versionOf(work)
  const newest = choosePackage(packagesIn(work.node.directory), work.wanted.language)?.version
  return newest === undefined || isNewer(newest, version)
}

/** The files that will be exchanged; all that belongs to the site itself stays as it is. */
async function prepare(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const chosen = choosePackage(packagesIn(node.directory), wanted.language)
  if (chosen === null) throw new AppError('aplicacion_no_disponible')
  await clear(node, at, wanted.id)
  const folder = `${stagingOf(at, wanted.id)}/wordpress`
  const signal = new AbortController().signal
  await unpack(node, { at, chosen, folder, wanted: { language: wanted.language, signal } })
  const content = `${folder}/wp-content`
  await runProgram(node, { at }, { argv: ['/usr/bin/rm', '-rf', '--one-file-system', '--', content] })
  // One that did not answer before needs not answer afterwards.
  const before = await isAnswering(work)
  await ask(work, { verb: 'note', name: 'ready', content: { answered: before } })
}

async function renew(work: Work, step: Step): Promise<void> {
  await step('application.copy', () => ask(work, { verb: 'copy' }).then(() => {}))
  await step('application.place', () => ask(work, { verb: 'exchange' }).then(() => {}))
  await step('application.upgrade', () => ask(work, { verb: 'upgrade' }).then(() => {}))
  const { answered } = await ask(work, { verb: 'state' })
  if (answered === true && !(await isAnswering(work))) throw new AppError('aplicacion_no_responde')
}

function ask({ node, at, wanted }: Work, asked: { verb: string } & Record<string, unknown>) {
  const aside = stagingOf(at, wanted.id)
  const places = { folder: servedOf(at), aside, from: `${aside}/wordpress`, to: servedOf(at), whole: false }
  return askWordPress(node, { at }, { ...places, ...accountOf(node, at), url: wanted.url, ...asked })
}
