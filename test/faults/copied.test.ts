import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findProcesses } from '../../deploy/node/services/process.ts'
import { statusOf } from '../support/consistency.ts'
import { type ProbedWorld, startProbedWorld } from '../support/node-world.ts'
import { Panel } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'

setDefaultTimeout(120_000)

let world: ProbedWorld

beforeAll(async () => {
  world = await startProbedWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/**
 * The numbers of the main processes of nginx, PHP's keeper and PowerDNS that a data directory's files are given to;
 * clients' cages come and go with their visitors.
 */
function mainsOf(dataDir: string): number[] {
  const lineOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  const isService = (line: string) => line.includes(`${dataDir}/`) && !line.startsWith('/usr/bin/bwrap ')
  return findProcesses(({ pid, session }) => pid === session && isService(lineOf(pid)))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)
}

function order(env: Record<string, string>, ...args: string[]): void {
  const cwd = resolve(import.meta.dir, '../..')
  const { exitCode, stderr } = Bun.spawnSync(['bun', 'deploy/node/panel.ts', ...args], { cwd, env })
  expect([exitCode, stderr.toString()]).toEqual([0, expect.any(String)])
}

/** As an operator puts a backup beside its original: the database restored, the rest copied with `cp -a`. */
function restoredCopy({ dataDir, env }: Panel): string {
  const copy = mkdtempSync(join(tmpdir(), 'copia-'))
  chmodSync(copy, 0o711)
  const file = join(copy, 'copia.db')
  order(env, 'backup', file)
  order({ ...env, PANEL_DATA: copy }, 'restore', file)
  const parts = ['keys', 'tls', 'web', 'dns'].map((part) => join(dataDir, part))
  expect(Bun.spawnSync(['cp', '-a', ...parts, copy]).exitCode).toBe(0)
  return copy
}

/** As versions before noted them: without the directory. */
function forgetPlaces(run: string): void {
  for (const name of readdirSync(run).filter((entry) => entry.endsWith('.json'))) {
    const { place: _, ...note } = JSON.parse(readFileSync(join(run, name), 'utf8'))
    writeFileSync(join(run, name), JSON.stringify(note))
  }
}

test.each([
  ['', () => undefined],
  [', also with notes of an older version', forgetPlaces],
])(
  "a restored copy beside its original starts services of its own and leaves the original's alone%s",
  async (_, before) => {
    const { panel } = world
    const originals = mainsOf(panel.dataDir)
    expect(originals.length).toBeGreaterThanOrEqual(3)
    const dataDir = restoredCopy(panel)
    before(join(dataDir, 'web', 'run'))
    const copy = await Panel.start({ dataDir, port: await freePort() })
    expect(mainsOf(panel.dataDir)).toEqual(originals)
    const own = mainsOf(copy.dataDir)
    expect(own).toHaveLength(originals.length)
    expect(await statusOf(copy, 'vecino.es')).toBe(200)
    await copy.stop()
    expect([mainsOf(dataDir), mainsOf(panel.dataDir)]).toEqual([[], originals])
  },
)

test('the original served without a gap', async () => {
  expect(await world.prober.stop()).toEqual([])
  expect(world.prober.good()).toBeGreaterThan(50)
})
