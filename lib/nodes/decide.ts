import { AppError } from '../endpoint/errors.ts'
import { absentNode, presentNode } from './errors.ts'
import type { Offers } from './offers.ts'

/** A node, as far as changes of its clients concern it. */
export type KnownNode = {
  addresses: string[]
  nameServers: string[]
  /** Null where the node has not told. */
  offers: Offers | null
  /** The node works, so that jobs queued for it are done. */
  present: boolean
}

/** Nodes by name, and whether they are there. */
export type Presence = ReadonlyMap<string, Pick<KnownNode, 'present'>>

export type NodeFacts = {
  nodes: ReadonlyMap<string, KnownNode>
  /** Stands for a node that the database does not know. */
  unknown: KnownNode
  /** Names of the panel and its nodes, which nobody may hold. */
  own: string[]
}

export const nodeOf = ({ nodes, unknown }: NodeFacts, name: string): KnownNode => nodes.get(name) ?? unknown

/** Refuses new things on a node that is away: 409 `nodo_ausente`. */
export function requireThere(facts: NodeFacts, name: string): void {
  if (!nodeOf(facts, name).present) throw absentNode(name)
}

/** How often a node tells that it is there. */
export const BEAT_MS = 30_000
/** Three beats that did not come, and time for a late one. */
const ABSENT_MS = 3.5 * BEAT_MS

/** Whether a node counts as gone. */
export const isAbsent = (seenAt: Date, now: Date): boolean => now.getTime() - seenAt.getTime() > ABSENT_MS

export type GivingUp = {
  node: { name: string; seenAt: Date } | undefined
  /** The node that decides; it never gives itself up. */
  own: string | null
}

/** Only a node that is gone may be given up: another one would go on serving what is released. */
export function decideGivingUp({ node, own }: GivingUp, now: Date): void {
  if (!node) throw new AppError('nodo_no_existe')
  if (node.name === own || !isAbsent(node.seenAt, now)) throw presentNode(node.name)
}
