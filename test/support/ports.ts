import { createSocket } from 'node:dgram'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Below those that the kernel gives to outgoing connections: what is stopped finds its port free again. Folders whose
 * tests run in worlds of their own each get a part (test/run.ts): users are numbered by ports, and the kernel counts
 * what they use over all worlds.
 */
const [FIRST = 0, LAST = 0] = (process.env.PANEL_TEST_PORTS ?? '10000-32000').split('-').map(Number)

const TAKEN = join(tmpdir(), 'panel-test-ports')

/** A port free for TCP and UDP, which no other test process is given while this one runs. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  mkdirSync(TAKEN, { recursive: true })
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (reserve(port) && (await isFree(port, address))) return port
  }
}

function reserve(port: number): boolean {
  const note = join(TAKEN, String(port))
  try {
    writeFileSync(note, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isAlive(Number(readNote(note)))) return false
    rmSync(note, { force: true })
    return false
  }
}

function readNote(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A note that is being written is empty, and its process alive. */
function isAlive(pid: number): boolean {
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function isFree(port: number, address: string): Promise<boolean> {
  const forTcp = await new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, address, () => server.close(() => resolve(true)))
  })
  if (!forTcp) return false
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false))
    socket.bind(port, address, () => socket.close(() => resolve(true)))
  })
}
