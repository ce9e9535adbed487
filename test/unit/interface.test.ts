import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'

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

test('the interface takes no code of the handlers or of deploy, and of schema the lists of states alone', async () => {
  const names = await readdir(WEB, { recursive: true })
  const sources = names.filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('dist') && name !== 'build.ts',
  )
  const taken: string[] = []
  for (const name of sources) {
    const text = await readFile(resolve(WEB, name), 'utf8')
    for (const [line] of text.matchAll(/^import (?!type).*(?:handlers|schema(?!\/states\.ts)|deploy)\/.*$/gm))
      taken.push(`${name}: ${line}`)
  }
  expect(sources.length).toBeGreaterThan(50)
  expect(taken).toEqual([])
})

test('the screens and their parts take every text from a module of texts', async () => {
  const names = (await readdir(WEB, { recursive: true })).filter((name) =>
    /^(screens|ui)\/.*\.tsx?$/.test(name),
  )
  const own: string[] = []
  for (const name of names) {
    const text = await readFile(resolve(WEB, name), 'utf8')
    if (/import \{[^}]*\bt\b[^}]*\} from '[./]*text\/language\.ts'|\b(en|es): ['"`]/.test(text))
      own.push(name)
  }
  expect(names.filter((name) => name.endsWith('/texts.ts')).length).toBeGreaterThan(15)
  expect(own).toEqual([])
})

test('each class in the style sheets is used by the interface', async () => {
  const names = await readdir(WEB, { recursive: true })
  const textOf = async (ending: RegExp) => {
    const files = names.filter((name) => ending.test(name) && !name.startsWith('dist'))
    return (await Promise.all(files.map((name) => readFile(resolve(WEB, name), 'utf8')))).join('\n')
  }
  const [sheets, code] = await Promise.all([textOf(/\.css$/), textOf(/\.tsx?$/)])
  const rules = sheets.replace(/\/\*[\s\S]*?\*\//g, '')
  const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/g)].map(([, name = '']) => name))
  expect(classes.size).toBeGreaterThan(100)
  const words = new Set(code.match(/[\w-]+/g))
  /** As `tone-${tone}`. */
  const composed = (name: string) => code.includes(`${name.replace(/\w+$/, '')}$\{`)
  const given = (name: string) => words.has(name) || (name.includes('-') && composed(name))
  expect([...classes].filter((name) => !name.startsWith('mantine-') && !given(name))).toEqual([])
})

test('each style sheet is part of the interface, once, and in its layer', async () => {
  const index = await readFile(resolve(WEB, 'styles/index.ts'), 'utf8')
  const taken = [...index.matchAll(/^import '(\..*\.css)'$/gm)].map(([, path = '']) =>
    relative(WEB, resolve(WEB, 'styles', path)),
  )
  const names = await readdir(WEB, { recursive: true })
  const sheets = names.filter((name) => name.endsWith('.css') && !name.startsWith('dist'))
  expect(taken.toSorted()).toEqual(sheets.toSorted())
  const texts = await Promise.all(sheets.map((name) => readFile(resolve(WEB, name), 'utf8')))
  const outside = sheets.filter((_, index) => !texts[index]?.includes('@layer panel {'))
  expect(outside.toSorted()).toEqual(['styles/fonts.css', 'styles/tokens.css'])
})
