import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { plant, rows } from '../api/store.ts'
import { type Json, Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, type SignedIn } from '../support/people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let elsewhere: Panel
let admin: SignedIn

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  elsewhere = await Panel.start({ env: { ...ROOMY } })
})
afterAll(async () => {
  await elsewhere.stop()
  await panel.stop()
})

const keysOf = ({ dataDir }: Panel) => join(dataDir, 'keys')
const keyCheck = async () =>
  (await elsewhere.command('doctor')).lines[0].find((check: Json) => check.comprobacion === 'claves')

const sealedIn = (at: Panel) =>
  rows(at, 'select id, totp_secret, totp_pending, recovery_key from persons order by id')

test('a command or a start that finds no key ring where it was told is refused and makes none, once something stands under a key', async () => {
  const id = readFileSync(keysOf(panel), 'utf8').split(':')[0] ?? ''
  const mistyped = join(panel.dataDir, 'llaves/anillo')
  for (const command of [
    ['doctor'],
    ['cron', 'uso'],
    ['admin', 'invitar', '--correo', 'otra@panel.test'],
    ['claves', 'rotar'],
  ]) {
    const { status, lines, error } = await panel.commandWith({ PANEL_KEY_FILE: mistyped }, ...command)
    expect([command, status, lines]).toEqual([command, 2, []])
    expect(error).toMatch(/^PANEL_KEY_FILE .*llaves\/anillo: .*\n$/)
    expect(error).toContain(id)
  }
  await panel.kill()
  const start = await panel.commandWith({ PANEL_KEY_FILE: mistyped }, 'start')
  expect([start.status, start.error.includes(id), start.error.includes(mistyped)]).toEqual([2, true, true])
  expect(existsSync(join(panel.dataDir, 'llaves'))).toBe(false)
  renameSync(keysOf(panel), mistyped.replace('llaves/', ''))
  await expect(panel.up()).rejects.toThrow(`the database needs key ${id}`)
  expect(existsSync(keysOf(panel))).toBe(false)
  renameSync(mistyped.replace('llaves/', ''), keysOf(panel))
  await panel.up()
})

test('a restore without the keys that sealed it names them, and so do the start, the doctor and whoever signs in until they are there', async () => {
  const id = readFileSync(keysOf(panel), 'utf8').split(':')[0] ?? ''
  const file = join(panel.dataDir, 'copia.db')
  expect((await panel.command('backup', file)).status).toBe(0)
  await elsewhere.kill()
  const restored = await elsewhere.command('restore', file)
  expect(restored.lines[0].claves_ausentes).toEqual([id])
  await elsewhere.up()
  const warned = elsewhere.log.split('\n').filter((line) => line.includes('keys missing'))
  expect(warned).toEqual([expect.stringContaining(id)])
  const check = await keyCheck()
  expect([check.bien, check.consejo.includes(id), check.consejo.includes(keysOf(elsewhere))]).toEqual([
    false,
    true,
    true,
  ])
  const half = await elsewhere.access('/entrar', { correo: admin.email, contrasena: admin.password })
  expect([half.status, half.body.paso]).toEqual([200, 'segundo_factor'])
  for (const codigo of [await codeOf(elsewhere, admin.totp), 'abcd-efgh-jkmn-pqrs']) {
    const body = { paso_token: half.body.paso_token, codigo }
    const refused = await elsewhere.access('/segundo-factor', body, { 'accept-language': 'es' })
    expect([refused.status, refused.body.codigo]).toEqual([503, 'clave_ausente'])
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.body.detail).toContain('reponer su llavero')
  }
  expect(elsewhere.log).toContain(`the key ring has no key ${id}`)
  const [ring, secrets] = [readFileSync(keysOf(elsewhere), 'utf8'), sealedIn(elsewhere)]
  for (const more of [[], ['--olvidar']]) {
    const { status, lines, error } = await elsewhere.command('claves', 'rotar', ...more)
    expect([status, lines, error.includes(id), error.includes(keysOf(elsewhere))]).toEqual([
      2,
      [],
      true,
      true,
    ])
    expect([readFileSync(keysOf(elsewhere), 'utf8'), sealedIn(elsewhere)]).toEqual([ring, secrets])
  }
  await elsewhere.kill()
  copyFileSync(keysOf(panel), keysOf(elsewhere))
  expect(existsSync(keysOf(elsewhere))).toBe(true)
  expect((await elsewhere.command('restore', file)).lines[0].claves_ausentes).toEqual([])
  await elsewhere.up()
  expect(await keyCheck()).toBeUndefined()
  const codigo = await codeOf(elsewhere, admin.totp, 1)
  const step = await elsewhere.access('/entrar', { correo: admin.email, contrasena: admin.password })
  const inside = await elsewhere.access('/segundo-factor', { paso_token: step.body.paso_token, codigo })
  expect(inside.status).toBe(200)
})

test('a rotation that fails over a damaged secret changes neither the key ring nor any other secret', async () => {
  const before = sealedIn(panel)
  const whole =
    rows<{ recovery_key: string }>(panel, 'select recovery_key from persons')[0]?.recovery_key ?? ''
  plant(panel, 'update persons set recovery_key = ?', `${whole.slice(0, -8)}AAAAAAA=`)
  const [ring, secrets] = [readFileSync(keysOf(panel), 'utf8'), sealedIn(panel)]
  expect((await panel.command('claves', 'rotar')).status).toBe(1)
  expect([readFileSync(keysOf(panel), 'utf8'), sealedIn(panel)]).toEqual([ring, secrets])
  plant(panel, 'update persons set recovery_key = ?', whole)
  expect(sealedIn(panel)).toEqual(before)
})

test('rotations at the same time follow one another, and every secret opens under the ring that they leave', async () => {
  const told = await Promise.all([1, 2, 3].map(() => panel.command('claves', 'rotar')))
  expect(told.map(({ status }) => status)).toEqual([0, 0, 0])
  const ids = readFileSync(keysOf(panel), 'utf8')
    .split('\n')
    .map((line) => line.split(':')[0])
  expect(ids).toEqual(expect.arrayContaining(told.map(({ lines }) => lines[0].clave)))
  await panel.setClock(120)
  const step = await panel.access('/entrar', { correo: admin.email, contrasena: admin.password })
  const codigo = await codeOf(panel, admin.totp)
  const inside = await panel.access('/segundo-factor', { paso_token: step.body.paso_token, codigo })
  expect(inside.status).toBe(200)
})
