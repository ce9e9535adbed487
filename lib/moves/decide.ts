import type {
  CopyPart,
  clients,
  databases,
  moves,
  NodeCapacity,
  sites,
  usage,
  zones,
} from '../../schema/tables.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import { AppError, noSpace } from '../endpoint/errors.ts'
import { isAbsent } from '../nodes/decide.ts'
import { absentNode } from '../nodes/errors.ts'
import { inTheWay, lackOf, unconfirmed } from './errors.ts'

export const MOVE_KIND = 'cliente.mudar'

export type Move = typeof moves.$inferSelect

export type MoveNode = {
  name: string
  addresses: string[]
  nameServers: string[]
  seenAt: Date
  capacity: NodeCapacity | null
}
type Provider = { node: string; kind: string; account: string | null }
type Destination = { node: string; kind: string; url: string }

/** All that a move depends on. */
export type MoveFacts = {
  client: Client
  move: Move | null
  nodes: MoveNode[]
  destinations: Destination[]
  providers: Provider[]
  sites: Pick<typeof sites.$inferSelect, 'domain' | 'php'>[]
  databases: Pick<typeof databases.$inferSelect, 'name' | 'bytes'>[]
  zones: (Pick<typeof zones.$inferSelect, 'name'> & { mirrored: string | null })[]
  sftpAccounts: number
  schedules: number
  used: Pick<typeof usage.$inferSelect, 'diskBytes' | 'inodes'> | null
  /** Of its latest copy. */
  copied: Pick<CopyPart, 'name' | 'fault'>[]
}

type Obstacle = { what: 'php' | 'bases' | 'sftp' | 'espejo' | 'espacio' | 'copia'; objects: string[] }
type Difference = {
  what: 'direcciones' | 'servidores_dns' | 'sftp' | 'bases'
  before: string[]
  after: string[]
}
export type Preview = { target: string; obstacles: Obstacle[]; changes: Difference[]; bytes: number }

/** Whether a client is on its way off its node. One that came there and is not confirmed yet is not: it stays. */
export const isLeaving = ({ client, move }: Pick<MoveFacts, 'client' | 'move'>): boolean =>
  move !== null && move.source === client.node

/** The client that is to move, and to which node; refused where nothing could begin. */
export function decideMove(
  facts: MoveFacts | undefined,
  wanted: { target: string; here: string | null },
  now: Date,
): Preview {
  const client = requireChangeable(facts?.client, wanted.here)
  const known = facts as MoveFacts // There is a client.
  if (known.move?.phase === 'mudada') throw unconfirmed(known.move.target)
  if (known.move) throw new AppError('ya_en_curso')
  const target = known.nodes.find(({ name }) => name === wanted.target)
  const source = known.nodes.find(({ name }) => name === client.node)
  if (!target || target.name === client.node) throw new AppError('nodo_no_existe', {}, { status: 409 })
  if (isAbsent(target.seenAt, now)) throw absentNode(target.name)
  requireCommonDestination(known.destinations, client.node, target.name)
  const bytes = known.databases.reduce((sum, base) => sum + base.bytes, known.used?.diskBytes ?? 0)
  return {
    target: target.name,
    obstacles: obstaclesOf(known, target, bytes),
    changes: changesBetween(source, target, known),
    bytes,
  }
}

/** Which nodes all clients move from and to: 404 for an unknown one in the path, 409 for the other. */
export function decideEmptying(
  nodes: Pick<MoveNode, 'name' | 'seenAt'>[],
  { node, target }: { node: string; target: string },
  now: Date,
): void {
  for (const name of [node, target]) {
    const known = nodes.find((one) => one.name === name)
    if (!known) throw new AppError('nodo_no_existe', {}, name === node ? {} : { status: 409 })
    if (isAbsent(known.seenAt, now)) throw absentNode(name)
  }
  if (node === target) throw new AppError('nodo_no_existe', {}, { status: 409 })
}

/** What the target lacks ends a move before it begins: 507 where that is room alone. */
export function requireClear(preview: Preview): void {
  // What the latest copy lacked may be mended since: the copy that a move begins with tells.
  const obstacles = preview.obstacles.filter(({ what }) => what !== 'copia')
  if (obstacles.length === 0) return
  if (obstacles.every(({ what }) => what === 'espacio')) throw noSpace('disco')
  throw inTheWay(obstacles.map(({ what }) => what))
}

/** The copies, by which a client travels, have to be where both nodes look for them. */
function requireCommonDestination(destinations: Destination[], source: string, target: string): void {
  const own = destinations.find(({ node }) => node === source)
  if (!own) throw new AppError('destino_no_existe', {}, { status: 409 })
  const there = destinations.find(({ node }) => node === target)
  if (there?.kind !== own.kind || there.url !== own.url) throw new AppError('destino_no_comun')
}

function obstaclesOf(facts: MoveFacts, target: MoveNode, bytes: number): Obstacle[] {
  const { capacity } = target
  const versions = capacity?.offers?.php ?? []
  const lacking = facts.sites.filter(({ php }) => php !== null && !versions.includes(php))
  const hasProvider = facts.providers.some((there) => {
    const own = facts.providers.find(({ node }) => node === facts.client.node)
    return there.node === target.name && there.kind === own?.kind && there.account === own.account
  })
  const mirrored = facts.zones.filter(({ mirrored }) => mirrored !== null && mirrored !== 'retirada')
  const found: Obstacle[] = [
    { what: 'php', objects: lacking.map(({ domain, php }) => `${domain} (PHP ${php})`) },
    {
      what: 'bases',
      objects: capacity?.offers?.databases ? [] : facts.databases.map(({ name }) => name),
    },
    { what: 'sftp', objects: capacity?.sftp || facts.sftpAccounts === 0 ? [] : [facts.client.name] },
    { what: 'espejo', objects: hasProvider ? [] : mirrored.map(({ name }) => name) },
    // What is unpacked lies beside what it replaces until it is whole.
    { what: 'espacio', objects: hasRoom(capacity, facts.used, bytes) ? [] : [target.name] },
    { what: 'copia', objects: facts.copied.flatMap(lackOf) },
  ]
  return found.filter(({ objects }) => objects.length > 0)
}

function hasRoom(capacity: NodeCapacity | null, used: MoveFacts['used'], bytes: number): boolean {
  const inodes = used?.inodes ?? 0
  const isEnough = capacity?.inodesFree == null || capacity.inodesFree > inodes * 2
  return (capacity?.diskFreeBytes ?? 0) > bytes * 2 && isEnough
}

function changesBetween(source: MoveNode | undefined, target: MoveNode, facts: MoveFacts): Difference[] {
  const sftpOf = (node: MoveNode | undefined) => {
    const { sftp } = node?.capacity ?? {}
    return sftp && facts.sftpAccounts > 0 ? [`${node?.name}:${sftp.port}`, ...sftp.fingerprints] : []
  }
  const datadatabasesOf = (node: MoveNode | undefined) => {
    const { databases } = node?.capacity?.offers ?? {}
    if (!databases || facts.databases.length === 0) return []
    return [databases.socket, `127.0.0.1:${databases.port}`, `${databases.userPrefix}${facts.client.id}`]
  }
  const all: Difference[] = [
    { what: 'direcciones', before: source?.addresses ?? [], after: target.addresses },
    { what: 'servidores_dns', before: source?.nameServers ?? [], after: target.nameServers },
    { what: 'sftp', before: sftpOf(source), after: sftpOf(target) },
    { what: 'bases', before: datadatabasesOf(source), after: datadatabasesOf(target) },
  ]
  return all.filter(({ before, after }) => before.join() !== after.join())
}

/** How long the client stays closed while nobody is at work on it, before it is opened where it was. */
export const SILENT_MS = 60_000
/** After so long a move counts as confirmed. */
export const CONFIRMED_MS = 7 * 86_400_000

export type Standing = { isPresent: boolean; isWell: boolean; isAsWanted: boolean }

/** Why a move is not confirmed by itself, which ends the way back; null where its new node serves the client. */
export function decideConfirming({ isPresent, isWell, isAsWanted }: Standing): Move['waits'] {
  if (!isPresent) return 'nodo_ausente'
  if (!isWell) return 'nodo_con_fallos'
  return isAsWanted ? null : 'con_diferencias'
}

/** A move that waits to be confirmed: 404 for none, 409 while it goes on. */
export function requireSwitched(move: Move | null | undefined): Move {
  if (!move) throw new AppError('mudanza_no_existe')
  if (move.phase !== 'mudada') throw new AppError('ya_en_curso')
  return move
}

/** How a move is taken back: it is given up before the switch; after it, the client goes back to what its old node has. */
export function decideUndo(
  move: Move | null | undefined,
  nodes: Pick<MoveNode, 'name' | 'seenAt'>[],
  now: Date,
): 'give_up' | 'return' {
  if (!move) throw new AppError('mudanza_no_existe')
  if (move.phase === 'abriendo' || move.phase === 'volviendo') throw new AppError('ya_en_curso')
  if (move.phase !== 'mudada') return 'give_up'
  const source = nodes.find(({ name }) => name === move.source)
  if (!source || isAbsent(source.seenAt, now)) throw absentNode(move.source)
  return 'return'
}

/** Whether a client's parts on a node may be removed: it lives elsewhere, and no move begins or ends there. */
export const isLeft = (
  client: Pick<typeof clients.$inferSelect, 'node'> | undefined,
  move: Move | null | undefined,
  node: string,
): boolean => client?.node !== node && move?.source !== node && move?.target !== node
