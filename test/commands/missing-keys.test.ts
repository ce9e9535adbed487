import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../api/people.ts'
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

test('a restore without the keys that sealed it names them, and so do the start and the doctor until they are there', async () => {
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
