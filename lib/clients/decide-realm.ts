import type { HeldAccount, HeldRealm } from '../endpoint/ports/databases.ts'
import type { Difference } from '../endpoint/ports/reality.ts'

type Base = { name: string; clientId: number }
export type WantedRealm = {
  /** Of all clients, wherever they are: what one of them has is nobody's nowhere. */
  databases: Base[]
  accounts: { name: string }[]
  clientIds: number[]
  /** Clients of whom something is on this node, known or not. */
  onDisk: number[]
  compared: Compared[]
}
/** A client that is compared, with the databases and the accounts with a password that are to be there. */
type Compared = { id: number; suspended: boolean; databases: string[]; accounts: string[] }
export type RealmLook = {
  differences: Map<number, Difference[]>
  /** Bases and accounts that nobody has. */
  databases: string[]
  accounts: HeldAccount[]
  /** Bases of clients that are not known and have their directory here still, as after an older backup was restored. */
  aside: string[]
  /** The accounts of such clients that can still be used. */
  open: HeldAccount[]
}

/** What a server of databases holds otherwise than it should, by client, and what of it is nobody's. */
export function decideRealm(held: HeldRealm, wanted: WantedRealm): RealmLook {
  const known = new Set(wanted.databases.map(({ name }) => name))
  const names = new Set(wanted.accounts.map(({ name }) => name))
  const ids = new Set(wanted.clientIds)
  const there: There = {
    databases: new Set(held.databases),
    sockets: new Map(
      held.accounts.flatMap(({ clientId, locked }) => (clientId === null ? [] : [[clientId, locked]])),
    ),
    passwords: new Map(
      held.accounts.flatMap(({ clientId, name, locked }) => (clientId === null ? [[name, locked]] : [])),
    ),
    rights: new Set(held.rights.map(({ clientId, database }) => `${clientId} ${database}`)),
  }
  const found = wanted.compared.map((one) => [one.id, differencesOf(there, one)] as const)
  const lost = new Set(wanted.onDisk.filter((id) => !ids.has(id)))
  const isLost = (id: number | null) => id !== null && lost.has(id)
  const theirs = new Set(held.rights.flatMap((one) => (isLost(one.clientId) ? [one.database] : [])))
  const isNobodys = ({ name, clientId }: HeldAccount) =>
    clientId === null ? !names.has(name) : !ids.has(clientId) && !isLost(clientId)
  const unknown = held.databases.filter((name) => !known.has(name))
  return {
    differences: new Map(found.filter(([, differences]) => differences.length > 0)),
    databases: unknown.filter((name) => !theirs.has(name)),
    accounts: held.accounts.filter(isNobodys),
    aside: unknown.filter((name) => theirs.has(name)),
    open: held.accounts.filter(({ clientId, locked }) => isLost(clientId) && !locked),
  }
}

type There = {
  databases: Set<string>
  /** Whether they are locked. */
  sockets: Map<number, boolean>
  passwords: Map<string, boolean>
  rights: Set<string>
}

/** Without bases a client needs no account. */
function differencesOf(there: There, { id, suspended, databases, accounts }: Compared): Difference[] {
  if (databases.length === 0) return []
  const away = databases.filter((name) => !there.databases.has(name))
  const isClosed =
    there.sockets.get(id) !== suspended || databases.some((name) => !there.rights.has(`${id} ${name}`))
  const wrong = accounts.filter((name) => there.passwords.get(name) !== suspended)
  const named = [...(isClosed ? [`${id}`] : []), ...wrong]
  return [
    ...away.map((where) => ({ part: 'base' as const, where })),
    ...named.map((where) => ({ part: 'account' as const, where })),
  ]
}
