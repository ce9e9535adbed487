import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fullPath } from '../../deploy/docs.ts'
import { handlers } from '../../handlers/index.ts'
import type { Handler } from '../../lib/handler.ts'

const WEB = resolve(import.meta.dir, '../../web')

test('each operation of the typed client names the handler that answers it', async () => {
  const source = await readFile(resolve(WEB, 'api/operations.ts'), 'utf8')
  const entries = [
    ...source.matchAll(/'([A-Z]+ \/[^']+)':\s+typeof import\('\.\.\/\.\.\/(handlers\/[^']+)'\)/g),
  ]
  const named = new Map<string, Handler>()
  for (const [, key = '', file] of entries) {
    named.set(key, (await import(resolve(WEB, '..', file ?? ''))).default)
  }
  const wrong = [...named].filter(([key, handler]) => key !== `${handler.method} ${fullPath(handler)}`)
  expect(wrong.map(([key]) => key)).toEqual([])
  const all = handlers.filter(({ access }) => access.kind !== 'cron')
  const missing = all.filter((handler) => !named.has(`${handler.method} ${fullPath(handler)}`))
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('the interface takes only types from the handlers', async () => {
  const names = await readdir(WEB, { recursive: true })
  const sources = names.filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('dist') && name !== 'build.ts',
  )
  const taken: string[] = []
  for (const name of sources) {
    const text = await readFile(resolve(WEB, name), 'utf8')
    for (const [line] of text.matchAll(/^import (?!type).*(?:handlers|schema|deploy)\/.*$/gm))
      taken.push(`${name}: ${line}`)
  }
  expect(sources.length).toBeGreaterThan(50)
  expect(taken).toEqual([])
})
