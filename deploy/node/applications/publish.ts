import { refusalOf } from '../../../lib/applications/errors.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { ApplicationPlace, Publication } from '../../../lib/endpoint/ports/applications.ts'
import { isAnswering, noteFault } from './answering.ts'
import { copyTree } from './clone.ts'
import { askApplication, runProgram } from './programs.ts'
import { accountOf, clear, type Means, servedOf, stagingOf } from './unpack.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: Publication }

/** What people uploaded meanwhile stays beside what the clone brings. */
const UPLOADS = 'wp-content/uploads'
/** What is kept is not swept as left over: it goes with the next publication, or once it was taken back. */
const KEPT_UNTIL = '2100-01-01'

/**
 * Puts a clone's files and tables in the place of those of the site that it was copied from. What they replace is
 * kept, so that it can be put back; that is done at once where WordPress does not answer afterwards.
 */
export async function publish(work: Work, step: Step): Promise<void> {
  const { node, at, wanted } = work
  const begun = await ask(work, { verb: 'state' })
  let fault = typeof begun.failed === 'string' ? refusalOf(begun.failed) : null
  if (fault === null && begun.done !== true) {
    try {
      if (begun.ready !== true) await prepare(work, step)
      await step('application.place', () => ask(work, { verb: 'publish' }).then(() => {}))
      await requireAnswer(work)
    } catch (error) {
      fault = await noteFault(work, error)
    }
  }
  if (fault !== null) {
    await step('application.back', () => ask(work, { verb: 'back' }).then(() => {}))
    await step('application.tidy', () => clear(node, at, wanted.id))
    throw fault
  }
  await step('application.tidy', () => keep(work))
}

async function prepare(work: Work, step: Step): Promise<void> {
  const { node, at, wanted } = work
  if (wanted.former !== null) await forget(node, at, wanted.former)
  await clear(node, at, wanted.id)
  const aside = stagingOf(at, wanted.id)
  await runProgram(node, { at }, { argv: ['/usr/bin/mkdir', '-p', '--', `${aside}/wordpress`] })
  const answered = await isAnswering(work)
  await step('application.files', async () => {
    if (wanted.files) await copyFiles(work)
  })
  await step('application.tables', async () => {
    // Visitors write nothing from here on that would be lost.
    await ask(work, { verb: 'close' })
    if (wanted.tables.length > 0) await ask(work, { verb: 'publish-tables' })
  })
  await ask(work, { verb: 'note', name: 'ready', content: { answered } })
}

async function copyFiles(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const into = `${stagingOf(at, wanted.id)}/wordpress`
  const running = { at, beside: wanted.source }
  await copyTree(node, running, [servedOf(wanted.source), into])
  await ask(work, { verb: 'publish-files' })
  await ask(work, { verb: 'close' })
  const uploads = `${servedOf(at)}/${UPLOADS}`
  // There are none before the first.
  await runProgram(node, running, { argv: ['/usr/bin/mkdir', '-p', '--', uploads] })
  await copyTree(node, running, [uploads, `${into}/${UPLOADS}`, 'keep'])
}

async function requireAnswer(work: Work): Promise<void> {
  const { answered } = await ask(work, { verb: 'state' })
  if (answered === true && !(await isAnswering(work))) throw new AppError('aplicacion_no_responde')
}

/** Opens the site again; what was replaced stays beside it. */
async function keep(work: Work): Promise<void> {
  const { node, at, wanted } = work
  const aside = stagingOf(at, wanted.id)
  await ask(work, { verb: 'kept' })
  await runProgram(node, { at }, { argv: ['/usr/bin/rm', '-rf', '--', `${aside}/wordpress`] })
  await runProgram(node, { at }, { argv: ['/usr/bin/touch', '-d', KEPT_UNTIL, '--', aside] })
}

type Kept = { node: Means; at: ApplicationPlace; wanted: { id: string; url: string } }

/** Puts back what a publication replaced. */
export async function takeBack({ node, at, wanted }: Kept, step: Step): Promise<void> {
  const aside = stagingOf(at, wanted.id)
  const places = { aside, from: `${aside}/wordpress`, to: servedOf(at), folder: servedOf(at) }
  const asked = (verb: string) =>
    askApplication(node, { at }, { ...places, ...accountOf(node, at), url: wanted.url, verb }).then(() => {})
  await step('application.back', () => asked('back'))
  await step('application.tidy', () => clear(node, at, wanted.id))
}

/** Removes what an earlier publication replaced. */
async function forget(node: Means, at: ApplicationPlace, id: string): Promise<void> {
  const aside = stagingOf(at, id)
  const places = { aside, to: servedOf(at), ...accountOf(node, at) }
  await askApplication(node, { at }, { verb: 'tidy', ...places, url: '' })
  await clear(node, at, id)
}

function ask({ node, at, wanted }: Work, asked: { verb: string } & Record<string, unknown>) {
  const aside = stagingOf(at, wanted.id)
  const places = { folder: servedOf(at), aside, from: `${aside}/wordpress`, to: servedOf(at), whole: true }
  const { source, hosts, url, files, tables } = wanted
  const about = { hosts, url, files, tables, source: servedOf(source), ...accountOf(node, at) }
  return askApplication(node, { at, beside: source }, { ...places, ...about, ...asked })
}
