import { AppError } from '../endpoint/errors.ts'
import { absentNode, presentNode } from './errors.ts'
import type { Offers } from './offers.ts'

/** What decisions about a node's clients need to know of the node. */
export type KnownNode = {
  addresses: string[]
  nameServers: string[]
  /** Null if the node has not reported it yet. */
  offers: Offers | null
  /** Whether the node sends heartbeats, so that jobs queued for it are done. */
  present: boolean
}

/** Nodes by name, and whether they are present. */
export type Presence = ReadonlyMap<string, Pick<KnownNode, 'present'>>

export type NodeFacts = {
  nodes: ReadonlyMap<string, KnownNode>
  /** Used for a node that the database does not know. */
  unknown: KnownNode
  /** Host names of the panel and its nodes, which no client may have. */
  own: string[]
}

export const nodeOf = ({ nodes, unknown }: NodeFacts, name: string): KnownNode => nodes.get(name) ?? unknown

/** Refuses new things on an absent node: 409 `nodo_ausente`. */
export function requireThere(facts: NodeFacts, name: string): void {
  if (!nodeOf(facts, name).present) throw absentNode(name)
}

/** How often a node reports that it is present. */
export const BEAT_MS = 30_000
/** Three missed heartbeats, and some time for a late one. */
const ABSENT_MS = 3.5 * BEAT_MS

/** Whether a node counts as absent. */
export const isAbsent = (seenAt: Date, now: Date): boolean => now.getTime() - seenAt.getTime() > ABSENT_MS

export type GivingUp = {
  node: { name: string; seenAt: Date } | undefined
  /** The deciding node, which never gives itself up; null on a function host. */
  own: string | null
}

/** Only an absent node may be given up: another would go on serving what is released. */
export function decideGivingUp({ node, own }: GivingUp, now: Date): void {
  if (!node) throw new AppError('nodo_no_existe')
  if (node.name === own || !isAbsent(node.seenAt, now)) throw presentNode(node.name)
}
