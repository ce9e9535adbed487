import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { faultsOf, folderWith, remove, tool } from './tools.ts'

setDefaultTimeout(120_000)

let panel: Panel
let token: string
let folder: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  folder = await folderWith(await (await panel.fetch('/openapi.json')).json())
})
afterAll(async () => {
  await panel.stop()
  await remove(folder)
})

/** One whole life in a program of its own, which knows the panel by its address, certificate and token alone. */
async function live(program: string, name: string): Promise<unknown> {
  const child = Bun.spawn(['bun', program], {
    cwd: folder,
    env: {
      ...process.env,
      ORIGIN: panel.origin,
      TOKEN: token,
      NODE_EXTRA_CA_CERTS: panel.certPath,
      NAME: name,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return (await child.exited) === 0 ? JSON.parse(out) : error
}

const LIFE = `
const name = process.env.NAME ?? ''
const domain = \`\${name}.example.com\`
const seen: unknown[] = []
const see = async (what: Promise<{ status: number; shown: unknown }>) => seen.push(Object.values(await what))
`
const whole = (name: string) => [
  [200, 'controlpanel'],
  [201, name],
  [201, name],
  [201, `${name}.example.com`],
  [200, `plan-${name}`],
  [200, 'suspendido'],
  [200, 'activo'],
  [200, name],
  [201, `${name}.net`],
  [200, ['192.0.2.9']],
  [200, true],
  [409, 'ya_existe'],
  [200, true],
  [404, 'cliente_no_existe'],
]

test('hey-api’s client compiles under strict rules and lives a whole life', async () => {
  await writeFile(
    join(folder, 'hey.ts'),
    `import { createClient } from '@hey-api/openapi-ts'
await createClient({ input: 'openapi.json', output: 'hey', logs: { level: 'silent' } })
`,
  )
  expect((await tool(folder, join(folder, 'hey.ts'))).code).toBe(0)
  await writeFile(
    join(folder, 'with-hey.ts'),
    `declare const process: { env: Record<string, string | undefined> }
import * as api from './hey/index'
import { client } from './hey/client.gen'
client.setConfig({ baseUrl: process.env.ORIGIN ?? '', auth: () => process.env.TOKEN })
${LIFE}
const told = async <T, E>(call: Promise<{ data?: T; error?: E; response?: Response }>, of: (body: T) => unknown, or: (error: E) => unknown = String) => {
  const { data, error, response } = await call
  return { status: response?.status ?? 0, shown: data !== undefined ? of(data) : error === undefined ? null : or(error) }
}
const cliente = name
const path = { cliente }
await see(told(api.getConexion(), (one) => one.panel))
await see(told(api.postPlanes({ body: { plan: \`plan-\${name}\`, sitios: 3 } }), (one) => one.plan.slice(5)))
await see(told(api.postClientes({ body: { cliente } }), (one) => one.cliente))
await see(told(api.postSitios({ body: { cliente, domain } }), (one) => one.domain))
await see(told(api.postClientesClientePlan({ path, body: { plan: \`plan-\${name}\` } }), (one) => one.plan))
await see(told(api.postClientesClienteSuspender({ path, body: { motivo: 'Unpaid' } }), (one) => one.estado))
await see(told(api.postClientesClienteActivar({ path }), (one) => one.estado))
await see(told(api.getClientesClienteUso({ path }), (one) => one.cliente))
await see(told(api.postZonas({ body: { cliente, zona: \`\${name}.net\` } }), (one) => one.zona))
await see(told(api.putZonasZonaRegistrosNombreTipo({ path: { zona: \`\${name}.net\`, nombre: 'w', tipo: 'A' }, body: { ttl: 300, valores: ['192.0.2.9'] } }), (one) => one.valores))
await see(told(api.getClientes({ query: { limite: 10 } }), ({ datos }) => datos.some((one) => one.cliente === name)))
await see(told(api.postPlanes({ body: { plan: \`plan-\${name}\` } }), () => null, (error) => error && 'codigo' in error ? error.codigo : null))
await see(told(api.deleteClientesCliente({ path }), (one) => 'eliminado' in one && one.eliminado))
await see(told(api.getClientesCliente({ path }), () => null, (error) => error && 'codigo' in error ? error.codigo : null))
console.log(JSON.stringify(seen))
`,
  )
  expect(await faultsOf(folder, 'with-hey.ts')).toBe('')
  expect(await live('with-hey.ts', 'hey')).toEqual(whole('hey'))
})

test('orval’s client compiles under strict rules and lives a whole life', async () => {
  await writeFile(
    join(folder, 'orval.config.mjs'),
    `export default { panel: { input: './openapi.json', output: { target: './orval.ts', client: 'fetch', baseUrl: ${JSON.stringify(panel.origin)} } } }
`,
  )
  const { code, text } = await tool(
    folder,
    'node_modules/orval/dist/bin/orval.mjs',
    '--config',
    'orval.config.mjs',
  )
  expect([code, code === 0 ? '' : text]).toEqual([0, ''])
  await writeFile(
    join(folder, 'with-orval.ts'),
    `declare const process: { env: Record<string, string | undefined> }
import * as api from './orval'
${LIFE}
const signed: RequestInit = { headers: { authorization: \`Bearer \${process.env.TOKEN}\` } }
const told = async <R extends { status: number; data: unknown }, S extends R['status']>(call: Promise<R>, status: S, of: (body: Extract<R, { status: S }>['data']) => unknown) => {
  const answer = await call
  return { status: answer.status, shown: answer.status === status ? of(answer.data as Extract<R, { status: S }>['data']) : answer.data }
}
const cliente = name
await see(told(api.getConexion(signed), 200, (one) => one.panel))
await see(told(api.postPlanes({ plan: \`plan-\${name}\`, sitios: 3 }, signed), 201, (one) => one.plan.slice(5)))
await see(told(api.postClientes({ cliente }, signed), 201, (one) => one.cliente))
await see(told(api.postSitios({ cliente, domain }, signed), 201, (one) => one.domain))
await see(told(api.postClientesClientePlan(cliente, { plan: \`plan-\${name}\` }, signed), 200, (one) => one.plan))
await see(told(api.postClientesClienteSuspender(cliente, { motivo: 'Unpaid' }, signed), 200, (one) => one.estado))
await see(told(api.postClientesClienteActivar(cliente, signed), 200, (one) => one.estado))
await see(told(api.getClientesClienteUso(cliente, signed), 200, (one) => one.cliente))
await see(told(api.postZonas({ cliente, zona: \`\${name}.net\` }, signed), 201, (one) => one.zona))
await see(told(api.putZonasZonaRegistrosNombreTipo(\`\${name}.net\`, 'w', 'A', { ttl: 300, valores: ['192.0.2.9'] }, signed), 200, (one) => one.valores))
await see(told(api.getClientes({ limite: 10 }, signed), 200, ({ datos }) => datos.some((one) => one.cliente === name)))
await see(told(api.postPlanes({ plan: \`plan-\${name}\` }, signed), 409, (one) => one.codigo))
await see(told(api.deleteClientesCliente(cliente, signed), 200, (one) => 'eliminado' in one && one.eliminado))
await see(told(api.getClientesCliente(cliente, signed), 404, (one) => one.codigo))
console.log(JSON.stringify(seen))
`,
  )
  expect(await faultsOf(folder, 'with-orval.ts')).toBe('')
  expect(await live('with-orval.ts', 'orv')).toEqual(whole('orv'))
})
