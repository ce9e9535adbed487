import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from './services/process.ts'

const NOTE = /^serving-(\d+)$/

/** Notes in the data directory that this process serves from it; answers how to take the note back. */
export function announce(dataDir: string): () => void {
  const path = join(dataDir, `serving-${process.pid}`)
  writeFileSync(path, String(readProcess(process.pid)?.startTicks ?? 0), { mode: 0o600 })
  return () => rmSync(path, { force: true })
}

/** The panels that serve from a data directory now; notes that crashed ones left are removed. */
export function servingFrom(dataDir: string): number[] {
  return readdirSync(dataDir).flatMap((name) => {
    const pid = Number(NOTE.exec(name)?.[1] ?? 0)
    if (pid === 0) return []
    const startTicks = Number(readFileSync(join(dataDir, name), 'utf8'))
    if (isAlive({ pid, startTicks })) return [pid]
    rmSync(join(dataDir, name), { force: true })
    return []
  })
}
