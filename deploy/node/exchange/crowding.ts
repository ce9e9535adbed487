import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import { addressKey } from '../../../lib/store/counters.ts'

/** Of the open files, the part that the connections to one port may take: the rest is for the panel's own work. */
const PART_OF_FILES = 0.25
const LOOK_MS = 250
/** <sys/socket.h> */
const [AF_INET, BOTH_WAYS] = [2, 2]

/** A connection as the kernel tells it: the lower its rank, the sooner it is ended. */
export type Held = { fd: number; from: string; rank: Rank }
/** Without a handshake since the look before, without one since then, and with one. */
type Rank = 0 | 1 | 2

const kernel =
  process.platform === 'linux'
    ? dlopen('libc.so.6', {
        getsockname: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
        getpeername: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
        shutdown: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
      }).symbols
    : null

function openFilesLimit(): number {
  const [, soft = '1024'] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return Number(soft)
}

/**
 * Bounds how many connections to a port are open at once. One that says nothing takes an open file too, and node:https
 * tells of a connection only after its handshake; so the kernel is asked, and ends those that are too many.
 */
export function crowdLimit(port: number, most = Math.floor(openFilesLimit() * PART_OF_FILES)) {
  const known = new Set<string>()
  let silent = new Set<string>()
  const look = () => {
    const files = openFiles()
    if (kernel === null || files.length <= most) return
    const peers = peersOf(files, port)
    const rankOf = (end: string): Rank => (known.has(end) ? 2 : silent.has(end) ? 0 : 1)
    const held = peers.map(({ fd, from, end }) => ({ fd, from, rank: rankOf(end) }))
    for (const { fd } of surplus(held, most)) kernel.shutdown(fd, BOTH_WAYS)
    silent = new Set(peers.map(({ end }) => end).filter((end) => !known.has(end)))
  }
  let timer: Timer | null = null
  return {
    /** Tells connections that have come to the end of their handshake from those that have not. */
    watch(server: Server): void {
      timer ??= setInterval(look, LOOK_MS).unref()
      server.on('secureConnection', (socket: Socket) => {
        const end = endOf(addressKey(socket.remoteAddress ?? ''), socket.remotePort ?? 0)
        known.add(end)
        socket.once('close', () => known.delete(end))
      })
    },
    stop: () => clearInterval(timer ?? undefined),
  }
}

/**
 * Which ones to end, so that the most are left: of each address those above a share that is the same for all, those
 * of the lowest rank first. Whoever has fewer than the share loses none.
 */
export function surplus(held: Held[], most: number): Held[] {
  const groups = [...Map.groupBy(held, ({ from }) => from).values()].sort((a, b) => a.length - b.length)
  let left = most
  return groups.flatMap((group, index) => {
    const share = Math.min(group.length, Math.floor(left / (groups.length - index)))
    left -= share
    return group.toSorted((a, b) => b.rank - a.rank).slice(share)
  })
}

const endOf = (address: string, port: number) => `${address} ${port}`

function openFiles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    // None is left for the directory itself: all that there may be are asked about.
    return Array.from({ length: openFilesLimit() }, (_, fd) => fd)
  }
}

function peersOf(files: number[], port: number): { fd: number; from: string; end: string }[] {
  return files.flatMap((fd) => {
    const peer = endAt('getsockname', fd)?.port === port ? endAt('getpeername', fd) : null
    return peer === null ? [] : [{ fd, from: peer.address, end: endOf(peer.address, peer.port) }]
  })
}

const name = new Uint8Array(28)
const length = new Uint32Array(1)
const view = new DataView(name.buffer)

/** One end of a socket (struct sockaddr_in, sockaddr_in6); null for what is none of TCP. */
function endAt(call: 'getsockname' | 'getpeername', fd: number): { address: string; port: number } | null {
  length[0] = name.length
  if (kernel?.[call](fd, name, length) !== 0 || (length[0] ?? 0) < 16) return null
  const groups = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => view.getUint16(from + 2 * at).toString(16))
  const isFour = view.getUint16(0, true) === AF_INET
  const isMapped = groups(8, 6).join() === '0,0,0,0,0,ffff'
  const quad = (from: number) => name.slice(from, from + 4).join('.')
  const six = () => addressKey(groups(8, 8).join(':'))
  return { address: isFour ? quad(4) : isMapped ? quad(20) : six(), port: view.getUint16(2) }
}
