import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { document } from './document.ts'
import { faultsOf, folderWith, remove, tool } from './tools.ts'

setDefaultTimeout(300_000)

let folder: string
beforeAll(async () => {
  folder = await folderWith(document())
})
afterAll(() => remove(folder))

/** What is not as the recommended rules have it, each with its reason. */
const EXCEPTIONS = [
  // `/salud` is asked without anything that could be wrong: it answers 200 or 503.
  { rule: 'operation-4xx-response', at: '#/paths/~1salud/get/responses' },
]

test('redocly’s recommended rules find nothing but the named exceptions', async () => {
  const { text } = await tool(
    folder,
    'node_modules/@redocly/cli/bin/cli.js',
    ...['lint', 'openapi.json', '--extends=recommended', '--format=json'],
  )
  const report = JSON.parse(text.slice(text.indexOf('{\n'), text.lastIndexOf('}') + 1))
  const found = report.problems.map((one: { ruleId: string; location: { pointer: string }[] }) => ({
    rule: one.ruleId,
    at: one.location[0]?.pointer,
  }))
  expect(found).toEqual(EXCEPTIONS)
})

test('spectral’s recommended rules for OpenAPI find nothing', async () => {
  await writeFile(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n')
  const { code, text } = await tool(
    folder,
    'node_modules/@stoplight/spectral-cli/dist/index.js',
    ...['lint', 'openapi.json', '--ruleset', 'rules.yaml', '--fail-severity', 'hint'],
  )
  expect([code, text.trim()]).toEqual([0, "No results with a severity of 'hint' or higher found!"])
})

test('openapi-typescript’s output passes a strict tsc that skips no library, with a type for each resource', async () => {
  const { code, text } = await tool(
    folder,
    'node_modules/openapi-typescript/bin/cli.js',
    ...['openapi.json', '-o', 'types.ts'],
  )
  expect([code, text.includes('types.ts')]).toEqual([0, true])
  await writeFile(
    join(folder, 'use.ts'),
    `import type { components, operations } from './types'
type Cliente = components['schemas']['Cliente']
type Page = operations['getClientes']['responses'][200]['content']['application/json']
export const namesOf = ({ datos }: Page): string[] => datos.map((one: Cliente) => one.cliente)
export const size: NonNullable<operations['getClientes']['parameters']['query']>['limite'] = 50
type Refusal = operations['postClientes']['responses'][409]['content']['application/problem+json']
export const taken = ({ codigo }: Refusal): boolean => codigo === 'ya_existe'
// @ts-expect-error: no such code is told of this operation
export const wrong = ({ codigo }: Refusal): boolean => codigo === 'zona_ya_en_proveedor'
`,
  )
  expect(await faultsOf(folder, 'types.ts', 'use.ts')).toBe('')
})
