import { expect, test } from 'bun:test'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import { openApi } from '../../lib/endpoint/openapi/document.ts'

// The interface's modules ask the browser for its languages when they are loaded.
Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { fieldWords } = await import('../../web/text/field-names.ts')
const { language } = await import('../../web/text/language.ts')

test('a field is told by its label and its place, from one on, in both languages', () => {
  language.set('en')
  const told = ['cache.segundos', 'aliases.2', 'valores.0', 'disco_bytes', 'domain'].map(fieldWords)
  expect(told).toEqual(['Seconds', 'Aliases, number 3', 'Values, number 1', 'Disk', 'Domain'])
  language.set('es')
  expect(fieldWords('aliases.2')).toBe('Alias, número 3')
  language.set('en')
})

test('every field that an operation takes has a label, but for the scheduled ones', () => {
  const document = JSON.parse(
    JSON.stringify(openApi(handlers, { origin: 'https://panel.es', version: '0', fullPath })),
  )
  const names = new Set<string>()
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    // Browsers make these, with the names of Web Authentication; no person enters a part of one.
    if ('$ref' in part && /\/Credencial(?:Nueva|DeEntrada)$/.test(String(part.$ref))) return
    if ('$ref' in part) collect(document.components.schemas[String(part.$ref).split('/').at(-1) ?? ''])
    if ('in' in part && 'name' in part && (part.in === 'path' || part.in === 'query'))
      names.add(String(part.name))
    if ('properties' in part) for (const name of Object.keys(part.properties ?? {})) names.add(name)
    Object.values(part).forEach(collect)
  }
  const operations = Object.entries<Record<string, { requestBody?: unknown; parameters?: unknown }>>(
    document.paths,
  ).filter(([path]) => !path.includes('/cron/'))
  for (const { requestBody, parameters } of operations.flatMap(([, methods]) => Object.values(methods)))
    collect([requestBody, parameters])
  expect(names.size).toBeGreaterThan(50)
  expect([...names].filter((name) => fieldWords(name) === name && !/^(id|php|plan|ttl)$/.test(name))).toEqual(
    [],
  )
})
