import { describe, expect, test } from 'bun:test'
import { keyPair } from '../client.ts'
import { account, admin, done, endOf, newClient, panel, password, token, tools } from './world.ts'

describe('a session ends within a second, and nobody signs in again, once', () => {
  const refused = { code: 255, out: expect.stringContaining('Permission denied') }

  test('its password is taken away, or replaced by another', async () => {
    const login = await account('acme', 'acme_uno')
    const session = await tools.open(login)
    let next = ''
    const replaced = async () => {
      next = await password('acme', 'acme_uno')
    }
    expect(await endOf(session, replaced)).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    const second = { ...login, password: next }
    const again = await tools.open(second)
    const gone = () => done('DELETE', '/clientes/acme/cuentas-sftp/acme_uno/contrasena')
    expect(await endOf(again, gone)).toBeLessThan(1000)
    expect(await tools.sftp(second, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its key is taken away; another key that is added ends nothing', async () => {
    const [one, two] = [await keyPair('-t', 'ed25519'), await keyPair('-t', 'ecdsa', '-b', '384')]
    const set = (...keys: { line: string }[]) => {
      const body = { llaves: keys.map(({ line }) => line) }
      return done('PUT', '/clientes/acme/cuentas-sftp/acme_uno/llaves', body, admin.bearer)
    }
    await set(one)
    const session = await tools.open({ account: 'acme_uno', key: one.file })
    await set(one, two)
    expect(await tools.sftp({ account: 'acme_uno', key: two.file }, 'pwd')).toMatchObject({ code: 0 })
    expect(await endOf(session, () => set(two))).toBeLessThan(1000)
    expect(await tools.sftp({ account: 'acme_uno', key: one.file }, 'pwd')).toMatchObject(refused)
    await set()
    expect(await tools.sftp({ account: 'acme_uno', key: two.file }, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its account is deleted, or its client suspended, and an active client is let in as before', async () => {
    await newClient('bravo', 'bravo.es')
    const [all, other] = [await account('bravo', 'bravo'), await account('bravo', 'bravo_dos')]
    const [one, two] = [await tools.open(all), await tools.open(other)]
    expect(await endOf(two, () => done('DELETE', '/clientes/bravo/cuentas-sftp/bravo_dos'))).toBeLessThan(
      1000,
    )
    expect(one.alive()).toBe(true)
    expect(await endOf(one, () => done('POST', '/clientes/bravo/suspender'))).toBeLessThan(1000)
    expect(await tools.sftp(all, 'pwd')).toMatchObject(refused)
    const listed = await done('GET', '/clientes/bravo/cuentas-sftp')
    expect(listed.datos).toEqual([expect.objectContaining({ cuenta: 'bravo', estado: 'suspendida' })])
    await done('POST', '/clientes/bravo/activar')
    expect(await tools.sftp(all, 'pwd')).toMatchObject({ code: 0 })
  }, 60_000)

  test('a site that it sees is deleted, or its whole client', async () => {
    await done('POST', '/sitios', { cliente: 'bravo', domain: 'bravo-dos.es', aliases: [] })
    const login = await account('bravo', 'bravo_sitio', { sitio: 'bravo-dos.es' })
    const session = await tools.open(login)
    expect(await endOf(session, () => done('DELETE', '/sitios/bravo-dos.es'))).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    const { datos } = await done('GET', '/clientes/bravo/cuentas-sftp')
    expect(datos).toEqual([expect.objectContaining({ cuenta: 'bravo' })])
    const all = { account: 'bravo', password: await password('bravo', 'bravo') }
    const last = await tools.open(all)
    expect(await endOf(last, () => done('DELETE', '/clientes/bravo'))).toBeLessThan(1000)
    expect(await tools.sftp(all, 'pwd')).toMatchObject(refused)
  }, 60_000)

  test('its plan no longer has SFTP', async () => {
    await done('POST', '/planes', { plan: 'con', funciones: ['php', 'sftp'], cuentas_sftp: 1 })
    await done('POST', '/planes', { plan: 'sin', funciones: ['php'] })
    await newClient('delta', 'delta.es', { plan: 'con' })
    const login = await account('delta', 'delta')
    const session = await tools.open(login)
    const taken = () => done('POST', '/clientes/delta/plan', { plan: 'sin' })
    expect(await endOf(session, taken)).toBeLessThan(1000)
    expect(await tools.sftp(login, 'pwd')).toMatchObject(refused)
    expect((await done('GET', '/clientes/delta/cuentas-sftp')).datos[0].estado).toBe('bloqueada')
    const more = () =>
      panel.api('POST', '/clientes/delta/cuentas-sftp', { bearer: token, body: { cuenta: 'delta_dos' } })
    expect((await more()).body).toMatchObject({ status: 402, codigo: 'funcion_de_pago', funcion: 'sftp' })
    await done('POST', '/clientes/delta/plan', { plan: 'con' })
    expect((await more()).body).toMatchObject({
      status: 409,
      codigo: 'limite_del_plan',
      recurso: 'cuentas_sftp',
    })
    expect((await done('GET', '/clientes/delta/uso')).consumo.cuentas_sftp).toMatchObject({
      usado: 1,
      limite: 1,
    })
    expect(await tools.sftp(login, 'pwd')).toMatchObject({ code: 0 })
  }, 60_000)
})
