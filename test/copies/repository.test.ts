import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  identityOf,
  KEPT_NAME,
  keepStream,
  makeRepository,
  readSnapshot,
  runRestic,
} from '../../deploy/node/backups/restic.ts'
import type { Repository } from '../../lib/endpoint/ports/backups.ts'
import { Secret } from '../../lib/secrets/secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'repository-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const places = { directory: folder, test: true }
/** What restic takes where it is asked for the least by a machine on which half a second is enough for it. */
const LEAST = 16_384

let made = 0

/** A new repository, and how much its key has to be stirred at each opening. */
async function newRepository(): Promise<{ repository: Repository; cost: number }> {
  const name = `c${++made}`
  const destination = { kind: 'carpeta' as const, url: folder, credential: null, hostKey: null }
  const repository = { destination, name, key: new Secret(`clave-${name}`) }
  await makeRepository(places, repository, { random: true, signal: AbortSignal.timeout(100_000) })
  const keys = readdirSync(join(folder, name, 'keys'))
  expect(keys).toHaveLength(1)
  const { N, r, p } = JSON.parse(readFileSync(join(folder, name, 'keys', keys[0] ?? ''), 'utf8'))
  return { repository, cost: (N * r * p) / 8 }
}

test('a repository under a random key is whole, and opens in a twentieth of half a second', async () => {
  const signal = AbortSignal.timeout(100_000)
  const costs: number[] = []
  // Where the machine is busy, restic may not be halted in time.
  while (costs.length < 5 && !costs.some((cost) => cost <= LEAST)) {
    const { repository, cost } = await newRepository()
    costs.push(cost)
    expect(await identityOf(places, repository, signal)).toMatch(/^[0-9a-f]{64}$/)
    expect(await runRestic(places, repository, { argv: ['check'], signal })).toContain('no errors were found')
    const wrong = { ...repository, key: new Secret('otra') }
    expect(identityOf(places, wrong, signal)).rejects.toMatchObject({ kind: 'password' })
  }
  expect(Math.min(...costs)).toBeLessThanOrEqual(LEAST)
}, 120_000)

test('what was kept is read whole also where its reader comes after restic has ended', async () => {
  const signal = AbortSignal.timeout(100_000)
  const { repository } = await newRepository()
  const content = new Blob(['antes']).stream()
  const { snapshot } = await keepStream(places, repository, { name: KEPT_NAME, content, signal })
  const kept = readSnapshot(places, repository, snapshot)
  // It has another name until it is restic.
  const isRunning = () => Bun.spawnSync(['pgrep', '-P', String(process.pid)]).exitCode === 0
  expect(isRunning()).toBe(true)
  while (isRunning()) await Bun.sleep(50)
  expect(await new Response(kept).text()).toBe('antes')
}, 120_000)
