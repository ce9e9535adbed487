import { randomBytes } from 'node:crypto'
import { MANIFESTS } from '../../../lib/applications/manifests/index.ts'
import { renderArguments, renderFile, type Values } from '../../../lib/applications/manifests/render.ts'
import type { ApplicationPlace } from '../../../lib/endpoint/ports/applications.ts'
import { LONG_MS } from '../customer-files/programs.ts'
import { askApplication, type Node, phpArguments, runProgram } from './programs.ts'

type Own = {
  at: ApplicationPlace
  argv: readonly string[]
  values: Values
  signal?: AbortSignal
  feed?: string
}

const PHP = '{php}'
const secret = () => randomBytes(32).toString('hex')

/** Runs a program of the application's own, as its manifest tells. */
export async function runOwn(node: Node, { at, argv, values, signal, feed }: Own): Promise<void> {
  const words = argv.flatMap((word) => (word === PHP ? phpArguments(at) : renderArguments([word], values)))
  const [program = '', ...rest] = words
  const bytes = new TextEncoder().encode(feed ?? '')
  await runProgram(
    node,
    { at, signal },
    {
      argv: [program, ...rest],
      deadlineMs: LONG_MS,
      feed: (write) => write(bytes),
    },
  )
}

type Writing = { node: Node; at: ApplicationPlace }

/** Writes the files that a manifest has templates of: all of them, or those that an update makes anew. */
export async function writeFiles(
  { node, at }: Writing,
  folder: string,
  which: 'renewed' | { values: Values },
): Promise<void> {
  const { files, folders } = MANIFESTS[at.kind]
  const values = which === 'renewed' ? {} : which.values
  const wanted = which === 'renewed' ? files.filter(({ renewed }) => renewed) : files
  if (wanted.length === 0) return
  const made = Object.fromEntries(wanted.map(({ path, text }) => [path, renderFile(text, values, secret)]))
  const asked = { verb: 'write', folder, files: made, folders: which === 'renewed' ? [] : folders }
  await askApplication(node, { at }, asked)
}

/** A password that is told to nobody. */
export const unknownPassword = secret
