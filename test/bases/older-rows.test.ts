import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import type { Json } from '../support/panel.ts'
import { workEnded } from '../support/work.ts'
import { addClient, startBases, type World } from './world.ts'

let world: World
let served: string
let stores: string

const DAY_MS = 86_400_000
const PASSWORD = 'una frase que nadie sabe'

beforeAll(async () => {
  stores = mkdtempSync(join(tmpdir(), 'stores-'))
  world = await startBases(ROOMY)
  mkdirSync(addressOf('first'), { mode: 0o700 })
  served = join(dirname(await addClient(world, 'ana')), 'public')
  await enter('first')
}, 240_000)
afterAll(async () => {
  await world?.stop()
  rmSync(stores, { recursive: true, force: true })
})

const addressOf = (store: string) => join(stores, store)
async function enter(store: string): Promise<void> {
  const body = { tipo: 'carpeta', url: addressOf(store), contrasena: PASSWORD }
  const { status } = await world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body })
  expect(status).toBe(200)
}

async function result(path: string, body?: Json): Promise<Json> {
  const { tarea } = await world.done('POST', path, body)
  const job = await workEnded(world.call, tarea.id, 180_000)
  expect([job.estado, job.error]).toEqual(['hecha', null])
  return job.resultado
}

/** Copies what the site is then made to hold. */
async function copiedWith(content: string): Promise<string> {
  const path = join(served, 'index.html')
  const { uid, gid } = statSync(served)
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
  return (await result('/clientes/ana/copias')).copia
}

async function restored(copy: string): Promise<string> {
  const wanted = { sitio: 'ana.es', ruta: '/public/index.html', modo: 'sustituir' }
  await result(`/clientes/ana/copias/${copy}/restaurar`, wanted)
  return readFileSync(join(served, 'index.html'), 'utf8')
}

test('copies that an older database does not know stay, and can be restored once they are known again', async () => {
  const [one, two] = [await copiedWith('one'), await copiedWith('two')]
  const known = rows<Record<string, string | number | null>>(world.panel, 'select * from copies')
  plant(world.panel, 'delete from copies')
  await copiedWith('three')
  for (const row of known) {
    const columns = Object.keys(row)
    const values = columns.map(() => '?')
    plant(world.panel, `insert into copies (${columns}) values (${values})`, ...Object.values(row))
  }
  expect([await restored(one), await restored(two)]).toEqual(['one', 'two'])
}, 240_000)

test('copies stay in a clone of their store that was entered before it was known as one', async () => {
  const before = await copiedWith('before')
  cpSync(addressOf('first'), addressOf('second'), { recursive: true })
  plant(world.panel, 'update backup_destinations set store = null')
  await enter('second')
  await copiedWith('after')
  rmSync(addressOf('first'), { recursive: true })
  // As the panel does once it knows that both are one.
  plant(world.panel, "update copies set destination = 'carpeta ' || ?", addressOf('second'))
  expect(await restored(before)).toBe('before')
}, 240_000)

test('copies that are lost from a store push none out of it that is there', async () => {
  const old = await copiedWith('old')
  plant(world.panel, 'update copies set started_at = started_at - ? where id = ?', 400 * DAY_MS, old)
  // Of every day since: by themselves they would be all that is kept.
  const part = { kind: 'sitio', name: 'ana.es', bytes: 1, snapshot: 'ab'.repeat(32), index: null }
  const parts = JSON.stringify([{ ...part, sha256: null, fault: null }])
  plant(
    world.panel,
    `insert into copies (id, client_id, state, destination, whole, parts, started_at)
     with recursive days(n) as (select 1 union all select n + 1 from days where n < 399)
     select 'cop_LOST' || n, client_id, 'completa', destination, 1, ?, started_at + n * ? from copies, days where id = ?`,
    ...[parts, DAY_MS, old],
  )
  plant(world.panel, "delete from copies where id not like 'cop_LOST%' and id <> ?", old)
  await copiedWith('new')
  expect(await restored(old)).toBe('old')
}, 240_000)
