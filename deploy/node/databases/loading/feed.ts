import { AppError } from '../../../../lib/endpoint/errors.ts'
import type { Caged, CagedEnd, CagedProgram, NodeDriver } from '../../../../lib/endpoint/node-port.ts'
import type { DumpFile, Packing } from '../../../../lib/endpoint/ports/loads.ts'
import type { MariadbPlaces } from '../config.ts'
import { WithoutDefiners } from './definers.ts'
import { DumpEnds } from './dump-ends.ts'
import { faultSaid } from './said.ts'

/** The client of MariaDB, which runs no program and opens no file for what it reads. */
/** Where it finds the server, whatever else lies in its cage: the directory, which outlives the socket. */
export const serverShown = (places: Pick<MariadbPlaces, 'run'>) => ({ from: places.run, at: '/run/mysqld' })
export const SERVER_SOCKET = '/run/mysqld/mysqld.sock'
export const CLIENT_PROGRAM = '/usr/bin/mariadb'
export const CLIENT_OPTIONS = [
  '--sandbox',
  '--batch',
  '--binary-mode',
  '--skip-local-infile',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=64M',
] as const
const UNPACKERS = { gzip: ['/usr/bin/gzip', '-dc'], zstd: ['/usr/bin/zstd', '-dcq'] } as const
/** Loading takes as long as it takes, within reason. */
const LONG_MS = 6 * 3_600_000
export type Feeding = {
  run: NodeDriver['runCaged']
  clientId: number
  /** What reads the SQL. */
  loader: Pick<CagedProgram, 'argv' | 'shows'>
  signal: AbortSignal
}

export type Dump = { file: DumpFile; packing: Packing; reached(bytes: number): void }

/**
 * Has a dump read, unpacked and loaded, each by a program in its client's cage; the panel passes bytes on. Throws where
 * any of them failed, and for a dump that says of itself that it is not whole; answers whether it says that it is.
 */
export async function feed(feeding: Feeding, dump: Dump): Promise<boolean> {
  const loader = await start(feeding, feeding.loader)
  const running = [loader]
  const stop = () => running.forEach((one) => void one.stop())
  feeding.signal.addEventListener('abort', stop)
  try {
    feeding.signal.throwIfAborted()
    const unpacker = dump.packing === 'none' ? null : await start(feeding, { argv: UNPACKERS[dump.packing] })
    if (unpacker) running.push(unpacker)
    return await passOn({ feeding, dump, loader, unpacker })
  } finally {
    feeding.signal.removeEventListener('abort', stop)
    stop()
    await dump.file.close()
  }
}

type Passing = { feeding: Feeding; dump: Dump; loader: Caged; unpacker: Caged | null }

async function passOn({ feeding, dump, loader, unpacker }: Passing): Promise<boolean> {
  const ends = new DumpEnds()
  const loaded = loader.ended
  void loader.stdout.pipeTo(new WritableStream()).catch(() => undefined)
  const content = counted(dump)
  const packed = unpacker && pump(content, (part) => write(unpacker, part), loaded)
  const sql = new WithoutDefiners()
  const fed = pump(
    unpacker ? unpacker.stdout : content,
    (part) => {
      ends.add(part)
      return write(loader, sql.add(part))
    },
    loaded,
  )
  const unpacked = packed?.then(() => unpacker?.stdin?.end())
  const [isWhole] = await Promise.all([fed, unpacked])
  feeding.signal.throwIfAborted()
  if (isWhole) {
    // What was cut off is not ended: its last statement might be taken for a whole one.
    if ((unpacker && !succeeded(await unpacker.ended)) || ends.isCutOff) {
      feeding.signal.throwIfAborted()
      throw new AppError('volcado_incompleto')
    }
    await write(loader, sql.end())
    loader.stdin?.end()
  }
  const end = await loaded
  feeding.signal.throwIfAborted()
  if (!succeeded(end)) throw faultSaid(end)
  return ends.isToldWhole
}

const start = ({ run, clientId }: Feeding, program: Pick<CagedProgram, 'argv' | 'shows'>): Promise<Caged> =>
  run({ ...program, client: { clientId, sites: [] }, sees: 'client', deadlineMs: LONG_MS, stdin: 'pipe' })

const write = async ({ stdin }: Caged, bytes: Uint8Array): Promise<void> => {
  if (bytes.length > 0) await stdin?.write(bytes)
}

const succeeded = ({ code }: CagedEnd) => code === 0

function counted({ file, reached }: Dump): ReadableStream<Uint8Array> {
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.length
      reached(bytes)
      controller.enqueue(part)
    },
  })
  return file.content.pipeThrough(count)
}

/** Passes all of it on, and answers true; false once what it is for has ended. */
async function pump(
  from: ReadableStream<Uint8Array>,
  to: (part: Uint8Array) => Promise<void>,
  over: Promise<unknown>,
): Promise<boolean> {
  const reader = from.getReader()
  const ended = over.then(() => null)
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), ended])
      if (next === null) return false
      if (next.done) return true
      await to(next.value)
    }
  } finally {
    // What nobody reads any more ends what makes it.
    await reader.cancel().catch(() => undefined)
  }
}
