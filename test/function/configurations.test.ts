import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFunction, bundle } from '../../deploy/function/build.ts'
import { newKeyLine } from '../../lib/secrets/keys.ts'
import { freePort } from '../support/ports.ts'
import { random } from '../support/seed.ts'
import { serveConfig } from '../support/workerd.ts'

setDefaultTimeout(60_000)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'function-host-'))
  await buildFunction(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the configuration for workerd starts the panel from the folder that the build makes', async () => {
  const port = await freePort()
  const env = {
    PANEL_HOST: 'panel.example.org',
    PANEL_DB_URL: 'libsql://127.0.0.1:1',
    PANEL_KEYS: newKeyLine(random),
  }
  const argv = ['--socket-addr', `http=127.0.0.1:${port}`]
  const workerd = await serveConfig(join(folder, 'workerd.capnp'), argv, port, env)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const document = (await (await get('/openapi.json')).json()) as { servers: { url: string }[] }
  expect(document.servers[0]?.url).toBe('https://panel.example.org')
  expect((await get('/api/conexion')).status).toBe(404)
  const styles = await get('/docs/swagger-ui.css')
  expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect((await get('/salud')).status).toBe(503)
  await workerd.stop()
})

test('the configuration for Workers names the files that the build makes, and no secret', async () => {
  const config = Bun.TOML.parse(await readFile(join(folder, 'wrangler.toml'), 'utf8')) as {
    main: string
    assets: { directory: string; binding: string }
    triggers: { crons: string[] }
    vars: Record<string, string>
  }
  expect(await Bun.file(join(folder, config.main)).exists()).toBe(true)
  expect(config.assets).toMatchObject({ directory: 'assets', binding: 'ASSETS' })
  expect(config.triggers.crons).toEqual(['* * * * *'])
  expect(Object.keys(config.vars).filter((name) => /TOKEN|KEYS|SECRET/.test(name))).toEqual([])
})

test('no bundle holds a module that a function host lacks', async () => {
  for (const entry of ['worker.js', 'usage-alone.js', 'panel.deno.js'] as const) {
    const text = await bundle(entry)
    expect(text).not.toMatch(/from\s*"(?:node:|bun:)|require\("(?:node:|fs|crypto)/)
    expect(text).not.toContain('@node-rs/argon2')
  }
})

test('one handler’s bundle is smaller than the whole', async () => {
  const [alone, whole] = [await bundle('usage-alone.js'), await bundle('worker.js')]
  expect(alone.length).toBeLessThan(whole.length * 0.9)
})
