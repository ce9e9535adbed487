import { readFile } from 'node:fs/promises'

/** Bytes that programs could have without others being swapped out: proc(5), MemAvailable. */
export async function memoryAvailable(): Promise<number | null> {
  const told = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(told)?.[1]
  return kibibytes === undefined ? null : Number(kibibytes) * 1024
}
