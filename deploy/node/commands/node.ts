import { eq } from 'drizzle-orm'
import { givenUpAt } from '../../../lib/nodes/nodes.ts'
import { renameNode } from '../../../lib/nodes/rename.ts'
import { clients, nodes } from '../../../schema/tables.ts'
import { isShared } from '../database/open.ts'
import { createRuntime, nodeConfiguration, type Runtime } from '../runtime.ts'
import { servingFrom } from '../services/presence.ts'
import { keepName, keptName, namesIn } from '../settings/node-name.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel nodo`: this node's name, and how it gets another one with all that stands under it. */
export async function node(given: Given, output: Output): Promise<void> {
  const wanted = given.get('NAME')
  if (wanted === undefined) {
    const runtime = await createRuntime(process.env)
    const { node: nodo } = runtime.services.config
    await runtime.close()
    return output.line({ nodo }, [String(nodo)])
  }
  const { name: said } = nodeConfiguration(process.env)
  const env = { ...process.env, PANEL_NODE: wanted }
  const { panel, node: config } = nodeConfiguration(env)
  const to = panel.node ?? wanted
  if (said.given && said.name !== to)
    throw new UsageError(`PANEL_NODE is ${said.name}: unset it or set it to ${to} first`)
  if (keptName(config.dataDir) !== null && servingFrom(config.dataDir).length > 0)
    throw new UsageError('stop the panel before renaming its node')
  const runtime = await createRuntime(env, { renaming: true })
  if (await givenUpAt(runtime.services.db.read, to))
    throw new UsageError(`the node ${to} was given up, and its name serves nothing any more: choose another`)
  const from = await formerNames(runtime, to)
  if (from.length > 0) {
    const { services } = runtime
    await services.db.write((tx) => renameNode(tx, services, from, to))
  }
  // A crash before this is told by the next start, and the command given again ends it.
  await keepName(config.dataDir, to)
  await runtime.close()
  output.line({ nodo: to, antes: from }, [`This node is ${to}.`])
}

/** In a database of its own every name is this node's; on a server only the one that it has kept. */
async function formerNames({ services, config }: Runtime, to: string): Promise<string[]> {
  if (!isShared(config)) return (await namesIn(services.db)).filter((name) => name !== to)
  const kept = keptName(config.dataDir)
  const { read } = services.db
  const used = [
    await read.select({ name: nodes.name }).from(nodes).where(eq(nodes.name, to)).get(),
    await read.select({ name: clients.node }).from(clients).where(eq(clients.node, to)).limit(1).get(),
  ]
  if (kept !== to && used.some((row) => row !== undefined))
    throw new UsageError(`there is a node ${to} in this database already`)
  return kept === null || kept === to ? [] : [kept]
}
