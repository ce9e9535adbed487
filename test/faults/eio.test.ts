import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome, ROOMY } from '../api/people.ts'
import { rows } from '../api/store.ts'
import { inconsistencies, settled, statusOf } from '../support/consistency.ts'
import { type Answer, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { FailingDisk } from './failing-disk.ts'

setDefaultTimeout(60_000)

let disk: FailingDisk
let panel: Panel
let token: string

/** A panel whose database, and nothing else, is on a disk that can fail. */
async function startOn(journal: boolean): Promise<void> {
  disk = new FailingDisk({ journal })
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-'))
  await chmod(dataDir, 0o711)
  await symlink(join(disk.mount, 'panel.db'), join(dataDir, 'panel.db'))
  panel = await Panel.start({ dataDir, env: ROOMY })
  panel.keepData = true
  token = await newToken(panel, await firstAdmin(panel))
  expect((await provision('antes.es')).status).toBe(201)
}

afterEach(async () => {
  await panel.stop()
  disk.remove()
  await rm(panel.dataDir, { recursive: true, force: true })
})

const provision = (domain: string): Promise<Answer> =>
  panel.api('PUT', `/altas/${domain}`, {
    bearer: token,
    body: { correo: `quien@${domain}`, domain, enviar: false },
  })
const known = async (domain: string) =>
  (await panel.api('GET', `/sitios/${domain}`, { bearer: token })).status
const intact = () => expect(rows(panel, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])

/** Provisions again and again while something goes wrong; answers what was made and how the others were refused. */
async function provisionDuring(prefix: string, fault: () => void, until: (refused: number) => boolean) {
  const made: string[] = []
  const refused: string[] = []
  const outcomes = new Set<string>()
  for (let i = 0; i < 400 && !until(refused.length); i++) {
    if (i === 3) fault()
    const domain = `${prefix}-${i}.es`
    const answer = await provision(domain).catch(() => null)
    const done = answer !== null && answer.status < 300
    if (done) made.push(domain)
    else refused.push(domain)
    outcomes.add(answer === null ? 'none' : outcome(answer).join(' '))
    if (!done) expect(JSON.stringify(answer?.body ?? '')).not.toMatch(/sqlite|disk|panel\.db/i)
  }
  return { made, refused, outcomes: [...outcomes].filter((one) => !one.startsWith('201')) }
}

test('writes that do not reach the disk are 503 and not there, reads go on, and the panel goes on when they do again', async () => {
  await startOn(false)
  const { made, refused, outcomes } = await provisionDuring(
    'a',
    () => disk.exhaust(),
    (count) => count >= 20,
  )
  expect(outcomes).toEqual(['503 no_disponible'])
  expect(made.length).toBeGreaterThanOrEqual(3)
  expect([await known('antes.es'), await statusOf(panel, 'antes.es')]).toEqual([200, 200])
  expect((await panel.fetch('/salud')).status).toBe(200)
  const said = panel.log.split('\n').filter((line) => line.includes('disk I/O error'))
  expect(said.length).toBeGreaterThan(0)
  expect(said.join()).not.toContain('@')
  disk.relieve()
  for (const domain of refused) expect([domain, await known(domain)]).toEqual([domain, 404])
  expect((await provision(refused[0] ?? '')).status).toBe(201)
  await settled(panel)
  await panel.kill()
  disk.forget()
  await panel.up()
  for (const domain of ['antes.es', ...made]) expect([domain, await known(domain)]).toEqual([domain, 200])
  await settled(panel)
  expect(await inconsistencies(panel)).toEqual([])
  intact()
})

test('a panel whose disk is gone answers 503, ends, and has all that it answered for when it is started on the disk again', async () => {
  await startOn(true)
  const { made, outcomes } = await provisionDuring(
    'b',
    () => disk.cut(),
    (count) => count >= 20,
  )
  expect(outcomes).toEqual(['503 no_disponible'])
  const health = await panel.fetch('/salud')
  expect([health.status, await health.json()]).toEqual([
    503,
    { estado: 'con_fallos', caidos: ['base_de_datos'] },
  ])
  await panel.died()
  expect(panel.log).toContain('"event":"database lost"')
  expect(panel.log).not.toContain('quien@')
  expect(await statusOf(panel, 'antes.es')).toBe(200)
  await expect(panel.up()).rejects.toThrow('panel.db')
  disk.detach()
  disk.attach()
  await panel.up()
  for (const domain of ['antes.es', ...made]) expect([domain, await known(domain)]).toEqual([domain, 200])
  await settled(panel)
  expect(await inconsistencies(panel)).toEqual([])
  intact()
})
