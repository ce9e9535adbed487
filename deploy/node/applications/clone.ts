import type { Step } from '../../../lib/endpoint/node-port.ts'
import type { ApplicationPlace, NewClone } from '../../../lib/endpoint/ports/applications.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import clonePlugin from './php/clone-plugin.php' with { type: 'text' }
import { askApplication, runProgram, wordIn } from './programs.ts'
import { accountOf, clear, type Means, servedOf, stagingOf } from './unpack.ts'

type Work = { node: Means; at: ApplicationPlace; wanted: NewClone }

/** A whole copy of another site's WordPress; begun again after it was cut short, it ends what it began. */
export async function clone(work: Work, step: Step): Promise<{ version: string }> {
  const { node, at, wanted } = work
  const { place } = await ask(work, { verb: 'look', folder: servedOf(at) })
  if (place === 'none') {
    await step('application.files', () => copyFiles(work))
    await step('application.tables', () => ask(work, { verb: 'clone-tables' }).then(() => {}))
    wanted.signal.throwIfAborted()
  }
  // From its first rename on it is brought to its end, whoever wants it no more.
  await step('application.place', async () => {
    const from = `${stagingOf(at, wanted.id)}/wordpress`
    const asked = { verb: 'place', from, to: servedOf(at), id: wanted.id }
    if (place !== 'whole') await askApplication(node, { at }, asked)
  })
  await step('application.tidy', () => clear(node, at, wanted.id).catch((error) => node.log(String(error))))
  return { version: wordIn((await ask(work, { verb: 'look', folder: servedOf(at) })).version) ?? '' }
}

async function copyFiles(work: Work): Promise<void> {
  const { node, at, wanted } = work
  await clear(node, at, wanted.id)
  const into = `${stagingOf(at, wanted.id)}/wordpress`
  await copyTree(node, { at, beside: wanted.source, signal: wanted.signal }, [servedOf(wanted.source), into])
  await ask(work, { verb: 'clone', clonePlugin })
}

type Running = { at: ApplicationPlace; beside?: ApplicationPlace; signal?: AbortSignal }

/** Links stay links; a file that is in both places is kept as it is there where `keep` says so. */
export async function copyTree(
  node: Means,
  running: Running,
  [from, into, keep]: [from: string, into: string, keep?: 'keep'],
): Promise<void> {
  await runProgram(node, running, { argv: ['/usr/bin/mkdir', '-p', '--', into] })
  const how = ['-RP', '--reflink=auto', '--preserve=timestamps', ...(keep ? ['-n'] : [])]
  await runProgram(node, running, {
    argv: ['/usr/bin/cp', ...how, '--', `${from}/.`, into],
    deadlineMs: LONG_MS,
  })
}

function ask({ node, at, wanted }: Work, asked: { verb: string } & Record<string, unknown>) {
  const { id, source, hosts, url, database, signal } = wanted
  const about = { id, hosts, url, database, source: servedOf(source), ...accountOf(node, at) }
  const folder = `${stagingOf(at, id)}/wordpress`
  return askApplication(node, { at, beside: source, signal }, { folder, ...about, ...asked })
}
