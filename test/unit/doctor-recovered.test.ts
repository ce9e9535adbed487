import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { NodeConfig } from '../../deploy/config.ts'
import { tellRecovered } from '../../deploy/node/backups/recovery/recovered-view.ts'
import { faultLine } from '../../deploy/node/commands/fault.ts'
import { missingDirectories } from '../../deploy/node/commands/missing-directories.ts'
import { decideRecovered, decideUsers } from '../../deploy/node/doctor/decide-recovered.ts'
import { recoveredChecks } from '../../deploy/node/doctor/recovered.ts'
import { checkLine } from '../../deploy/node/services/check-view.ts'
import { announce } from '../../deploy/node/services/presence.ts'
import { tellOnce } from '../../lib/backups/destination/tell.ts'
import { recoverClients, recoveredWithout, selectUnrestored } from '../../lib/backups/recover.ts'
import { BackupFault } from '../../lib/endpoint/ports/backups.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { faultOf, storedFault } from '../../lib/text/stored-faults.ts'
import { audit, backupDestinations, clients, copies, jobs, mails, sites } from '../../schema/tables.ts'
import { random, seedAdmin } from '../support/seed.ts'
import { addClient, addSite, NOW, testServices } from '../usage/store.ts'

const row = (client: string, state: string, suspended = false) => ({ client, state, suspended })

test.each([
  ['all is back', [], [], []],
  [
    'restores wait',
    [row('ana', 'pendiente'), row('ana', 'en_curso'), row('bea', 'pendiente')],
    [],
    ['fault  recuperación: what copies hold is not all back, not done yet for ana, bea'],
  ],
  [
    'some have failed',
    [row('ana', 'pendiente'), row('ana', 'fallida'), row('bea', 'pendiente')],
    [],
    [
      'fault  recuperación: what copies hold is not all back, failed for ana: see why under Jobs, and retry there; not done yet for bea',
    ],
  ],
  [
    'a client is suspended',
    [row('caro', 'fallida', true)],
    [],
    ['advice recuperación: restored once they are activated: caro'],
  ],
  [
    'a site had no copy',
    [],
    ['dani.es'],
    [
      'advice recuperado sin copia: no copy had 1 site, and nothing is there since: dani.es. Put their files there, or delete them',
    ],
  ],
])('doctor after a recovery where %s', (_, unrestored, empty, lines) => {
  expect(decideRecovered(unrestored, empty, false).map(checkLine)).toEqual(lines)
})

test('before the first start after a recovery doctor names the start', () => {
  const told = decideRecovered([row('ana', 'pendiente'), row('bea', 'pendiente')], [], true)
  expect(told.map(checkLine)).toEqual([
    'fault  recuperación: what copies hold is not all back, not done yet for ana, bea. The start of the panel restores it: sh deploy/start',
  ])
})

const nobody = () => null

test('a client whose Unix user is missing or taken is a fault', () => {
  const all = [
    { id: 1, name: 'ana' },
    { id: 2, name: 'bea' },
  ]
  expect(decideUsers(all, () => true, nobody)).toEqual([])
  expect(decideUsers(all, (id) => id === 1, nobody).map(({ bien, consejo }) => [bien, consejo])).toEqual([
    [false, expect.stringContaining('1 client without a Unix user of its own: bea.')],
  ])
  const intruder = (id: number) => (id === 2 ? { name: 'intruso', uid: 20002 } : null)
  expect(decideUsers(all, () => false, intruder).map(({ consejo }) => consejo)).toEqual([
    '2 clients without a Unix user of its own: ana. Have them made again: cron diferencias. bea (its name or number is taken by the user intruso, 20002). Give that user another name and number, and start the panel again',
  ])
})

let world: Awaited<ReturnType<typeof testServices>>
beforeEach(async () => {
  world = await testServices()
  const destination = {
    node: 'nodo1',
    kind: 'carpeta' as const,
    url: '/copias',
    password: '',
    checkedAt: NOW,
  }
  await world.services.db.write((tx) => tx.insert(backupDestinations).values(destination))
})
afterEach(() => world.close())

test('a recovery stands in the audit trail, with what no copy had, and what is not restored yet is known', async () => {
  const { services } = world
  const { db } = services
  const client = await addClient(services, { name: 'ana' })
  for (const domain of ['ana.es', 'nueva.es']) await addSite(services, client, domain)
  const part = { kind: 'sitio' as const, name: 'ana.es', bytes: 1, snapshot: 'ab', index: 'cd' }
  const made = { id: 'cop_1', clientId: client, destination: 'carpeta /copias', state: 'completa' as const }
  const parts = [{ ...part, sha256: '', fault: null }]
  await db.write((tx) => tx.insert(copies).values({ ...made, whole: true, parts, startedAt: NOW }))
  await recoverClients(db, services, true)
  expect([await recoveredWithout(db.read), await selectUnrestored(db.read)]).toEqual([[], []])
  await recoverClients(db, services, false)
  expect(await recoveredWithout(db.read)).toEqual(['nueva.es'])
  expect(await selectUnrestored(db.read)).toMatchObject([{ client: 'ana', state: 'pendiente' }])
  expect(await db.read.select().from(audit)).toMatchObject([
    { operation: 'recuperar', actorKind: 'sistema', target: 'nodo1', outcome: 'hecho' },
  ])
})

test('until a recovery has made them doctor names neither directories nor users, before the start and after it', async () => {
  const { services, directory } = world
  const { db } = services
  const old = new Date(NOW.getTime() - 3_600_000)
  const client = await addClient(services, { name: 'ana' })
  await db.write((tx) => tx.update(clients).set({ createdAt: old }))
  await addSite(services, client, 'ana.es')
  await db.write((tx) => tx.update(sites).set({ state: 'activo' }))
  const part = { kind: 'sitio' as const, name: 'ana.es', bytes: 1, snapshot: 'ab', index: 'cd' }
  const made = { id: 'cop_1', clientId: client, destination: 'carpeta /copias', state: 'completa' as const }
  const parts = [{ ...part, sha256: '', fault: null }]
  await db.write((tx) => tx.insert(copies).values({ ...made, whole: true, parts, startedAt: NOW }))
  const node = { dataDir: directory, httpPort: 80 } as NodeConfig // All that these look at.
  const named = async () => [
    await missingDirectories(services, node),
    ...(await recoveredChecks(services, node)).map(({ comprobacion }) => comprobacion),
  ]
  expect(await named()).toEqual([expect.stringContaining('ana.es'), 'usuarios de clientes'])
  await recoverClients(db, services, false)
  expect(await named()).toEqual([null, 'recuperación'])
  const leave = announce(directory)
  expect(await named()).toEqual([null, 'recuperación'])
  await db.write((tx) => tx.update(jobs).set({ state: 'fallida' }))
  expect(await named()).toEqual([expect.stringContaining('ana.es'), 'usuarios de clientes', 'recuperación'])
  leave()
})

const HOST_TOLD =
  'The lost panel was reached as op1.example: its certificate, links and passkeys are for that name. Set PANEL_HOST=op1.example before the start, and point the name at this machine.'

test.each([
  ['another name', 'op1.example', [HOST_TOLD]],
  ['the same name', null, []],
])('a recovery on a machine of %s says what to set', (_, host, lines) => {
  const found = { node: 'nodo1', clients: 0, parts: 0, wanted: [], without: [], suspended: [] }
  const said: string[] = []
  const about = { found, when: '', unreadable: [], missing: [], simulated: false, host }
  tellRecovered({ line: (_json, text) => said.push(...text) }, about)
  expect(said.filter((line) => line.includes('PANEL_HOST'))).toEqual(lines)
})

const AWAY = new BackupFault('unreachable', 'there is no such directory')

test.each([
  ['the destination, and why', storedFault(faultOf(AWAY)), 'No se pudo usar'],
  ['copies alone', storedFault({ codigo: 'sin_espacio' }), undefined],
  ['copies alone', undefined, undefined],
])('operators are written of %s', async (_, reason, why) => {
  const { services } = world
  await seedAdmin(services.db, parseKeyRing(newKeyLine(random)), '')
  await services.db.write((tx) => tellOnce(tx, services, { client: { name: 'ana', node: 'nodo1' }, reason }))
  const [mail, ...more] = await services.db.read.select().from(mails)
  expect([mail?.kind, more]).toEqual(['copia_fallida', []])
  expect(mail?.payload.motivo).toEqual(why === undefined ? why : expect.stringContaining(why))
})

test('a command that fails for want of a destination says why', () => {
  expect(faultLine('cron', new Error('failed', { cause: AWAY }))).toContain('there is no such directory')
})
