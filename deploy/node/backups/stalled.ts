import { readdirSync, readFileSync } from 'node:fs'

const LOOK_MS = 2_000
/** Bytes that a program which does nothing reads and writes all the same. */
const NOISE = 4_096
/** What a hundredth of a second of a processor counts for. */
const TICK_BYTES = 1_000

type Watched = { pid: number | undefined; mostMs: number; stop: () => void }

/** What is waited for of a program that must not hang: it is ended if it does nothing for so long meanwhile. */
export function watchStalling({ pid, mostMs, stop }: Watched) {
  let awaited = 0
  let stalled = false
  let last = movedBy(pid)
  let since = performance.now()
  const timer = setInterval(() => {
    const moved = movedBy(pid)
    const isMoving = awaited === 0 || moved - last > NOISE || isBusy(pid)
    if (isMoving) [last, since] = [moved, performance.now()]
    else if (performance.now() - since > mostMs) give()
  }, LOOK_MS)
  const give = () => {
    stalled = true
    stop()
  }
  return {
    /** Ends it, as something that goes wrong again and again. */
    give,
    isStalled: () => stalled,
    /** Only what it owes counts: not how slowly it is fed, or its output taken. */
    async awaiting<T>(work: Promise<T>): Promise<T> {
      if (awaited++ === 0) [last, since] = [movedBy(pid), performance.now()]
      try {
        return await work
      } finally {
        awaited--
      }
    },
    end: () => clearInterval(timer),
  }
}

/** Whether it waits for a processor or a disk: a busy machine is no reason. */
function isBusy(pid: number | undefined): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const states = threads.map((id) =>
      readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').replace(/^.*\) /s, ''),
    )
    return states.some((state) => /^[RD]/.test(state))
  } catch {
    return false
  }
}

/** How much a program has read, written and computed; the same number again once it has ended. */
function movedBy(pid: number | undefined): number {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8')
    const [read = '0', written = '0'] = [...io.matchAll(/^[rw]char: (\d+)$/gm)].map(([, count]) => count)
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // proc(5): fields 14 and 15, of which the first two are cut off here.
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number(read) + Number(written) + ticks * TICK_BYTES
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
