import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { handlers } from '../../handlers/index.ts'
import { errorText } from '../../lib/errors.ts'
import { operationOf } from '../../lib/invoke.ts'
import { JOB_KINDS } from '../../lib/worker/index.ts'
import { mirrors } from '../../schema/tables.ts'

const source = readFileSync('web/i18n/tasks.ts', 'utf8')
/** The keys of a table of the interface, each with both languages. */
function keysOf(table: string): string[] {
  const body = source.split(`export const ${table}`)[1]?.split('\n}')[0] ?? ''
  return [...body.matchAll(/^ {2}'?([^'\n]+?)'?: \{\s*en: .+?,\s*es: .+?\}/gms)].map(([, key = '']) => key)
}

test('every kind of job has words in both languages', () => {
  const kinds = JOB_KINDS.map(({ kind }) => kind)
  expect(keysOf('JOBS').toSorted()).toEqual(kinds.toSorted())
})

test('every operation that the audit trail tells of has words in both languages', async () => {
  const own: string[] = []
  for (const folder of ['lib', 'deploy', 'handlers']) {
    for await (const path of new Bun.Glob('**/*.ts').scan(folder)) {
      const text = await Bun.file(`${folder}/${path}`).text()
      if (!text.includes('recordAudit(')) continue
      own.push(...[...text.matchAll(/\boperation: '([^']+)'/g)].map(([, name = '']) => name))
    }
  }
  const settled = mirrors.state.enumValues.filter(
    (state) => !['en_cola', 'sincronizando', 'comprobando', 'retirando'].includes(state),
  )
  const expected = [
    ...handlers
      .filter(({ method, access }) => method !== 'GET' && access.kind !== 'cron')
      .map((handler) => operationOf(handler)),
    ...own,
    ...settled.map((state) => `espejo.${state}`),
    'espejo.no_resuelve_aqui',
  ]
  const known = keysOf('OPERATIONS')
  expect([...new Set(expected)].filter((name) => !known.includes(name))).toEqual([])
})

test.each([
  ['sitios', "The plan's limit for sites is 1.", 'El límite del plan para sitios es 1.'],
  ['aliases', "The plan's limit for aliases is 1.", 'El límite del plan para alias es 1.'],
  ['zonas', "The plan's limit for DNS zones is 1.", 'El límite del plan para zonas DNS es 1.'],
])('a limit names %s in the language of its reader', (recurso, en, es) => {
  const extra = { recurso, limite: 1 }
  expect([errorText('limite_del_plan', 'en', extra), errorText('limite_del_plan', 'es', extra)]).toEqual([
    en,
    es,
  ])
})
