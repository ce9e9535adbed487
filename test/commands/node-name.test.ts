import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { count, plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

setDefaultTimeout(60_000)

let folder: string
let panel: Panel
let token: string
/** A PATH on which the panel is started on a host of another name. */
let renamedHost: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nodo-'))
  const bun = join(folder, 'bun')
  writeFileSync(
    bun,
    `#!/bin/sh\nexec unshare --uts sh -c 'hostname otra-maquina; exec "$@"' sh ${process.execPath} "$@"\n`,
  )
  chmodSync(bun, 0o755)
  renamedHost = `${folder}:${process.env.PATH}`
  panel = await Panel.start({ env: { ...ROOMY, PANEL_NODE: '' } })
  token = await newToken(panel, await firstAdmin(panel))
})
afterAll(async () => {
  await panel.stop()
  rmSync(folder, { recursive: true })
})

const nodeNow = async (): Promise<string> =>
  (await panel.api('GET', '/conexion', { bearer: token })).body.nodo
const provision = (domain: string) =>
  panel.api('PUT', `/altas/${domain}`, {
    bearer: token,
    body: { correo: `a@${domain}`, domain, enviar: false },
  })

/** Runs `panel.command` in an environment that differs in this. */
async function under<T>(env: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const before = { ...panel.env }
  Object.assign(panel.env, env)
  try {
    return await run()
  } finally {
    Object.assign(panel.env, before)
  }
}

describe('a node', () => {
  let name: string

  test('keeps the name that it once took when its host is called otherwise', async () => {
    name = await nodeNow()
    expect((await provision('uno.es')).body.sitio.estado).toBe('activo')
    await panel.kill()
    await panel.up({ PATH: renamedHost })
    expect(await nodeNow()).toBe(name)
    expect((await provision('uno.es')).status).toBe(200)
    const told = await under({ PATH: renamedHost }, () => panel.command('nodo'))
    expect([told.status, told.lines]).toEqual([0, [{ nodo: name }]])
    expect((await under({ PATH: renamedHost }, () => panel.command('doctor'))).status).toBe(0)
  })

  test('of an earlier version, which kept no name, goes on under the name in its rows', async () => {
    await panel.kill()
    rmSync(join(panel.dataDir, 'nodo'))
    await panel.up({ PATH: renamedHost })
    expect(await nodeNow()).toBe(name)
    expect(readFileSync(join(panel.dataDir, 'nodo'), 'utf8')).toBe(`${name}\n`)
  })

  test('does not start, nor run a command, as another one, and says how to keep the name and how to change it', async () => {
    await panel.kill()
    for (const kept of [true, false]) {
      if (!kept) rmSync(join(panel.dataDir, 'nodo'))
      for (const args of [['start'], ['doctor'], ['cron', 'uso'], ['papelera']]) {
        const refused = await under({ PANEL_NODE: 'otro' }, () => panel.command(...args))
        const line = refused.error.trimEnd()
        expect([args, refused.status, line.split('\n').length]).toEqual([args, 2, 1])
        expect(line).toContain(`PANEL_NODE is otro`)
        expect(line).toContain(`set it to ${name}`)
        expect(line).toContain('nodo renombrar otro')
      }
    }
    await panel.up()
    expect(await nodeNow()).toBe(name)
  })

  test('is renamed with all that stands under its name, once the panel is stopped', async () => {
    expect((await panel.command('nodo', 'renombrar', 'nuevo')).error).toContain('stop the panel')
    await panel.kill()
    const renamed = await under({ PANEL_NODE: 'nuevo' }, () => panel.command('nodo', 'renombrar', 'nuevo'))
    expect([renamed.status, renamed.lines]).toEqual([0, [{ nodo: 'nuevo', antes: [name] }]])
    for (const table of ['clients', 'zones', 'jobs'])
      expect(count(panel, `select count(*) from ${table} where node = '${name}'`)).toBe(0)
    await panel.up({ PANEL_NODE: 'nuevo' })
    expect(await nodeNow()).toBe('nuevo')
    expect((await provision('uno.es')).status).toBe(200)
    expect((await provision('dos.es')).body.sitio).toMatchObject({ estado: 'activo', nodo: 'nuevo' })
    const { body } = await panel.api('GET', '/nodos', { bearer: token })
    expect(body.datos.map(({ nodo }: { nodo: string }) => nodo)).toEqual(['nuevo'])
    expect((await panel.command('nodo', 'renombrar', 'no vale')).status).toBe(2)
  })

  test('whose rename was cut short says so at its start, and repeating the command completes it', async () => {
    await panel.kill()
    writeFileSync(join(panel.dataDir, 'nodo'), `${name}\n`)
    const refused = await panel.command('start')
    expect([refused.status, refused.error]).toEqual([2, expect.stringContaining('nodo renombrar nuevo')])
    expect((await panel.command('nodo', 'renombrar', 'nuevo')).status).toBe(0)
    await panel.up()
    expect((await provision('tres.es')).body.sitio).toMatchObject({ estado: 'activo', nodo: 'nuevo' })
    const guarded = () => plant(panel, "update clients set node = 'otro'")
    expect(guarded).toThrow('the client has data on its node')
  })
})

describe('a restore', () => {
  let fresh: Panel
  let copy: string
  beforeAll(async () => {
    copy = join(folder, 'copia.db')
    expect((await panel.command('backup', copy)).status).toBe(0)
    fresh = await Panel.start({
      env: { ...ROOMY, PANEL_NODE: '', PANEL_KEY_FILE: join(panel.dataDir, 'keys') },
    })
    await fresh.kill()
  })
  afterAll(() => fresh.stop())

  test('under a PANEL_NODE that the backup does not know is refused, and nothing is replaced', async () => {
    fresh.env.PANEL_NODE = 'otro'
    const refused = await fresh.command('restore', copy)
    expect([refused.status, refused.error.trimEnd().split('\n').length]).toEqual([2, 1])
    expect(refused.error).toContain('set it to nuevo')
    expect(count(fresh, 'select count(*) from clients')).toBe(0)
    fresh.env.PANEL_NODE = ''
  })

  test('on another machine goes on as the node of the backup', async () => {
    const { status, lines } = await fresh.command('restore', copy, '--misma-identidad')
    expect([status, lines[0].nodo]).toEqual([0, 'nuevo'])
    await fresh.up()
    const { body } = await fresh.api('GET', '/conexion', { bearer: token })
    expect(body.nodo).toBe('nuevo')
  })

  test('of another node’s backup where a node has clients of its own is refused with what to do', async () => {
    await fresh.kill()
    expect((await fresh.command('nodo', 'renombrar', 'ajeno')).status).toBe(0)
    const refused = await fresh.command('restore', copy)
    expect([refused.status, refused.error]).toEqual([2, expect.stringContaining('nodo renombrar nuevo')])
    await fresh.up()
  })
})
