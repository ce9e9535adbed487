import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { keptOut } from '../../confinement/kept-out.ts'
import type { AccessLists } from '../../files/acl.ts'
import { userOf } from '../../services/process.ts'
import { runProgram } from '../../services/program.ts'
import { clientOf, ownerOf, type UserRange, userName } from '../../users/users.ts'
import type { Administration } from '../connection.ts'
import { lockOut } from './lock-out.ts'

const SS = '/usr/bin/ss'
/** So many connections that have not said whose they are do not come about by chance: each takes milliseconds. */
const CROWD = 40
/** What a client may hold beside its sessions, of those that are being greeted. */
const SPARE = 20
const STRANGERS =
  "SELECT id FROM information_schema.processlist WHERE user = 'unauthenticated user' OR command = 'Connect'"

type Options = {
  administration: Administration
  /** The server's socket, and the directory that leads clients' programs to it. */
  places: { socket: string; run: string }
  port: number
  sessions: number
  users: UserRange
  accessLists: AccessLists
  endProcesses(clientId: number): Promise<void>
  report(message: string): void
}

/**
 * Keeps out clients whose programs hold connections without ever saying whose they are. The server counts these against
 * nobody, and takes no others once it has as many as it may: not from other clients, and not from the panel. The kernel
 * tells whose they are. Such a client's programs are ended, find no way to the socket for a minute, then for longer, and its
 * accounts with a password are locked meanwhile.
 */
export function watchCrowds(options: Options) {
  const { administration, accessLists, places, report } = options
  const kept = keptOut()
  const shut = shutting(options, kept.clients)
  const keepOut = async (clientId: number, why: string) => {
    const waitMs = kept.keep(clientId)
    await shut()
    report(`client ${clientId} ${why}: kept out for ${waitMs / 1000} s`)
    await options.endProcesses(clientId).catch(() => undefined)
  }

  return {
    keepOut,

    /** Lets in all who were kept out by a panel before this one. */
    begin: () => void accessLists.closedTo(places.run, []),

    async look(): Promise<void> {
      await shut()
      // Without an answer there may be no room for the panel itself.
      const strangers = await administration.run(STRANGERS, 1_000).catch(() => null)
      if (strangers !== null && strangers.length < CROWD) return
      for (const [clientId, held] of await heldByClient(options)) {
        if (held > options.sessions + SPARE) await keepOut(clientId, `held ${held} connections`)
      }
    },
  }
}

/** Shuts the ways to the server to those who are kept out now, and opens them to all others. */
function shutting({ administration, accessLists, places, users }: Options, clients: () => number[]) {
  /** Null until the server has answered: accounts may be locked still that a panel before this one kept out. */
  let shown: string | null = null
  return async (): Promise<void> => {
    const out = clients()
    if (out.length === 0 && shown === '') return
    if (out.join() !== shown) {
      accessLists.closedTo(
        places.run,
        out.map((client) => ownerOf(users, client).uid),
      )
    }
    // Again at each look meanwhile: a change of the client's accounts unlocks them.
    const names = out.map((client) => userName(users, client))
    const isDone = await lockOut(administration, names).then(
      () => true,
      () => false,
    )
    if (isDone) shown = out.join()
  }
}

async function heldByClient({ places, port, users }: Options): Promise<Map<number, number>> {
  const held = new Map<number, number>()
  const add = (uid: number | null) => {
    const client = uid === null ? null : clientOf(users, { name: '', number: uid })
    if (client !== null) held.set(client, (held.get(client) ?? 0) + 1)
  }
  const peers = await peersAt(places.socket)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const uid = userOf(Number(pid))
    if (uid === null || clientOf(users, { name: '', number: uid }) === null) continue
    for (const inode of socketsOf(pid)) if (peers.delete(inode)) add(uid)
  }
  for (const uid of usersOfPort(port)) add(uid)
  return held
}

/** The sockets at the other end of those that are open at a path. */
async function peersAt(path: string): Promise<Set<string>> {
  const { output } = await runProgram([SS, '-H', '-x', '-n', 'src', path])
  return new Set(output.split('\n').flatMap((line) => /\* (\d+)\s*$/.exec(line)?.[1] ?? []))
}

function socketsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const link = linkAt(`/proc/${pid}/fd/${fd}`)
      return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []
    })
  } catch {
    // The process has ended.
    return []
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** The users at the other ends of a port's connections on loopback. */
function usersOfPort(port: number): number[] {
  const end = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, , remote = '', , , , , uid] = line.trim().split(/\s+/)
        return remote.endsWith(end) && uid !== undefined ? [Number(uid)] : []
      }),
  )
}
