import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Words } from '../../../lib/text/words.ts'
import type { Look, Port } from './definition.ts'
import { commandLine, findProcesses, waitUntil } from './process.ts'

const LISTENING = '0A'
type Socket = { address: string; port: number; inode: string }
export type Holder = { port: Port; pid: number | null; name: string }

/** Where the panel itself listens. */
export function panelPorts({ port, bind }: { port: number; bind: string[] }): Port[] {
  const addresses = bind.length > 0 ? bind : ['0.0.0.0', '::']
  return addresses.map((address) => ({ protocol: 'tcp', address, port }))
}

/** Who already listens where one of these ports is wanted, by the kernel's own tables; empty when nobody does. */
export function portHolders(ports: Port[]): Holder[] {
  // The kernel walks a table as large as the machine for each reading.
  const used = new Set(ports.map(({ protocol }) => protocol))
  const open = new Map([...used].map((protocol) => [protocol, sockets(protocol)]))
  return ports.flatMap((port) => {
    const taken = open
      .get(port.protocol)
      ?.find((socket) => socket.port === port.port && overlap(socket.address, port.address))
    return taken === undefined ? [] : [{ port, ...ownerOfSocket(taken.inode) }]
  })
}

const HELD_MS = 1_000

/**
 * Who has one of these ports for longer than a moment: a program that the panel is just starting has its open
 * sockets until it runs, such as the one that looked whether a port is free.
 */
export async function lastingHolder(ports: Port[]): Promise<Holder | undefined> {
  let holder: Holder | undefined
  await waitUntil(
    () => {
      holder = portHolders(ports)[0]
      return holder === undefined
    },
    { timeoutMs: HELD_MS },
  )
  return holder
}

/** A socket that was there already may have begun to listen by then. */
const LOOK_AGAIN_MS = 250

/**
 * Whether this process, and no other, listens on these TCP ports, as far as it was given them: an address that the
 * machine lacks is left out by some services. Answers a look where it does not, for the next question about it: while
 * it opens no socket, the kernel's table need not be read, which takes 10 ms on a large machine.
 */
export function listensAlone(pid: number, ports: Port[], before: Look | null): true | Look {
  const wanted = ports.filter(({ protocol }) => protocol === 'tcp')
  if (wanted.length === 0) return true
  const own = new Set(fileLinks(pid).filter((link) => link.startsWith('socket:')))
  const look = { sockets: [...own].sort().join(), at: performance.now() }
  if (before?.sockets === look.sockets && look.at - before.at < LOOK_AGAIN_MS) return before
  if (own.size === 0) return look
  const found = sockets('tcp').filter((socket) =>
    wanted.some(({ address, port }) => socket.port === port && overlap(socket.address, address)),
  )
  const alone = found.length > 0 && found.every(({ inode }) => own.has(`socket:[${inode}]`))
  return alone || look
}

/** Who holds the port, for an operator; a sentence but for its first word. */
export function describeHolder({ port, pid, name }: Holder): Words {
  const place = `${port.port}/${port.protocol}`
  return {
    es: `puerto ${place} de ${port.address} lo tiene ${pid === null ? 'otro programa' : `${name} (proceso ${pid})`}`,
    en: `port ${place} on ${port.address} is held by ${pid === null ? 'another program' : `${name} (process ${pid})`}`,
  }
}

/** A service cannot start, since another program has its port. */
export class PortTaken extends Error {
  readonly advice: Words

  constructor(holder: Holder) {
    const { es, en } = describeHolder(holder)
    super(en)
    this.advice = {
      es: `El ${es}. Termine ese programa o dé al panel otro puerto, y vuelva a arrancarlo.`,
      en: `The ${en}. End that program or give the panel another port, then start the panel again.`,
    }
  }
}

function ownerOfSocket(inode: string): { pid: number | null; name: string } {
  const link = `socket:[${inode}]`
  const [owner] = findProcesses(({ pid }) => fileLinks(pid).includes(link)).sort((a, b) => a.pid - b.pid)
  if (owner === undefined) return { pid: null, name: '' }
  return { pid: owner.pid, name: commandLine(owner.pid).slice(0, 80) || owner.name }
}

/** Other users' files cannot be seen without root. */
function fileLinks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}

function sockets(protocol: 'tcp' | 'udp'): Socket[] {
  return [protocol, `${protocol}6`].flatMap((name) => {
    let table = ''
    try {
      table = readFileSync(`/proc/net/${name}`, 'utf8')
    } catch {
      return []
    }
    return table
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const fields = line.trim().split(/\s+/)
        const [address = '', port = ''] = (fields[1] ?? '').split(':')
        if (fields[9] === undefined || (protocol === 'tcp' && fields[3] !== LISTENING)) return []
        return [{ address: decode(address), port: Number.parseInt(port, 16), inode: fields[9] }]
      })
  })
}

/** The kernel prints addresses as 32-bit words in its own byte order (little endian on what Debian runs on here). */
function decode(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse())
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => `${bytes[2 * index]}${bytes[2 * index + 1]}`)
  const text = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
  const mapped = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(text)
  if (mapped === null) return text
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function overlap(one: string, other: string): boolean {
  const normal = (address: string) =>
    new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname
  const [a, b] = [normal(one), normal(other)]
  if (a === b) return true
  if (a === '[::]' || b === '[::]') return a.includes('[') === b.includes('[') || a === '[::]'
  return (a === '0.0.0.0' && !b.includes('[')) || (b === '0.0.0.0' && !a.includes('['))
}
