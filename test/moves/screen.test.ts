import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Visitor } from '../browser/admin-support.ts'
import { startBrowser } from '../browser/browser.ts'
import { eventually } from '../support/wait.ts'
import { newClient, putDestination, startNodes, visitAt, type World } from './world.ts'

setDefaultTimeout(240_000)

let world: World
let browser: Browser
let desk: Visitor

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startNodes(), startBrowser()])
  for (const node of ['nodo1', 'nodo2'] as const) await putDestination(world, node, world.store)
  await newClient(world, 'acme')
  desk = await Visitor.open(browser, world.nodes.nodo1, { locale: 'en-GB' })
  await desk.signIn(world.admin)
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

/** What fails meanwhile tells what the nodes' work says of itself. */
const tellingWork = (wait: Promise<unknown>): Promise<unknown> =>
  wait.catch(async (error) => {
    const { body } = await world.call('nodo1', 'GET', '/tareas')
    throw new Error(`${error}; the work: ${JSON.stringify(body.datos)}`)
  })

test('an admin sees what a move would do, moves the client, and confirms that on its new node', async () => {
  const { nodo1, nodo2 } = world.nodes
  await desk.page.goto(`${nodo1.origin}/panel/clientes/acme/ajustes`)
  const start = desk.page.getByRole('button', { name: 'Move', exact: true })
  await start.waitFor()
  expect(await start.isDisabled()).toBe(true)
  await desk.page.getByRole('button', { name: 'What would happen' }).click()
  await desk.page.getByText('127.0.0.1 → 127.0.0.2').waitFor()
  await start.click()
  await tellingWork(desk.page.getByText('Moved; not confirmed yet').waitFor({ timeout: 120_000 }))
  await desk.page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await desk.page.getByText('The account lives on node nodo2.').waitFor()
  expect((await visitAt(nodo2, 'acme.es')).status).toBe(200)
  expect(desk.faults).toEqual([])
})

test('an admin empties a node from its screen', async () => {
  const { nodo1, nodo2 } = world.nodes
  await newClient(world, 'bruno')
  await desk.page.goto(`${nodo1.origin}/panel/nodos`)
  const node = desk.page.getByRole('region', { name: 'nodo1' })
  await node.getByRole('button', { name: 'Empty this node…' }).click()
  await desk.page.getByRole('button', { name: 'Move all clients' }).click()
  const isThere = async () => (await visitAt(nodo2, 'bruno.es')).status === 200
  await tellingWork(eventually(isThere, 'the client on the other node', 180_000))
  expect(desk.faults).toEqual([])
})
