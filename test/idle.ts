import { readFileSync } from 'node:fs'

/** Which share of all processors' time was idle while so long went by; zero where the kernel does not tell. */
export async function idleShare(ms: number): Promise<number> {
  const before = processorTimes()
  await Bun.sleep(ms)
  const after = processorTimes()
  const all = after.all - before.all
  return all > 0 ? (after.idle - before.idle) / all : 0
}

/** The first line of /proc/stat: ticks for user, nice, system, idle, waiting for a disk, and others (proc(5)). */
function processorTimes(): { all: number; idle: number } {
  try {
    const ticks = (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '').split(' ').map(Number)
    // The last two are in the first two already.
    const all = ticks.slice(0, 8).reduce((sum, one) => sum + one, 0)
    return { all, idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) }
  } catch {
    return { all: 0, idle: 0 }
  }
}
