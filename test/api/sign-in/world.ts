import { afterAll, afterEach, beforeAll, setDefaultTimeout } from 'bun:test'
import { Panel } from '../../support/panel.ts'
import { firstAdmin, newToken, PASSWORD, type SignedIn } from '../../support/people.ts'
import { ROOMY } from '../people.ts'

setDefaultTimeout(60_000)

export let panel: Panel
export let admin: SignedIn
export let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

export const enter = (correo: string, contrasena = PASSWORD, more: object = {}) =>
  panel.access('/entrar', { correo, contrasena, ...more })
export const factor = (paso_token: string, codigo: string) =>
  panel.access('/segundo-factor', { paso_token, codigo })
export const stepOf = async (person: SignedIn): Promise<string> =>
  (await enter(person.email, person.password)).body.paso_token
