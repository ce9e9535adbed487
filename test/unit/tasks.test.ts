import { expect, test } from 'bun:test'
import { JOB_KINDS } from '../../deploy/node/job-kinds.ts'
import { handlers } from '../../handlers/index.ts'
import { errorCatalogue, errorText } from '../../lib/endpoint/errors.ts'
import { operationOf } from '../../lib/endpoint/invoke.ts'
import {
  CLIENT_STATES,
  COPY_STATES,
  DATABASE_STATES,
  DELIVERY_STATES,
  EVENT_TYPES,
  HTTPS_STATES,
  JOB_STATES,
  MIRROR_STATES,
  SFTP_STATES,
  SITE_STATES,
  VERDICTS,
} from '../../schema/states.ts'
import { mirrors } from '../../schema/tables.ts'

// The interface's modules ask the browser for its languages when they are loaded.
Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true })
const { EVENT_GROUPS } = await import('../../web/screens/webhooks/event-words.ts')
const { refusalWords } = await import('../../web/text/outcomes.ts')
const { language } = await import('../../web/text/language.ts')
const { stateWords } = await import('../../web/text/states.ts')
const { JOBS, OPERATIONS, operationWords } = await import('../../web/text/tasks.ts')

test('every kind of job has words in both languages', () => {
  const kinds = JOB_KINDS.map(({ kind }) => kind)
  expect(Object.keys(JOBS).toSorted()).toEqual(kinds.toSorted())
})

test.each(
  Object.entries({
    ...{ CLIENT_STATES, SITE_STATES, DATABASE_STATES, HTTPS_STATES, SFTP_STATES, JOB_STATES },
    ...{ MIRROR_STATES, COPY_STATES, DELIVERY_STATES, VERDICTS },
  }),
)('each of %s has words in both languages', (_, states) => {
  const wordless = (tongue: 'en' | 'es') => {
    language.set(tongue)
    return states.filter((state) => stateWords(state).label === state)
  }
  expect([wordless('en'), wordless('es')]).toEqual([[], []])
  language.set('en')
})

test('a refused operation does not read as done', () => {
  expect(operationWords('POST /zonas', 'hecho')).toBe('Zone created')
  expect(operationWords('POST /zonas', 'pedido')).toBe('Zone created')
  expect(operationWords('POST /zonas/<zona>/importar', 'datos_invalidos')).toBe('Refused: Zone file imported')
  expect(operationWords('later.operation', 'dominio_ocupado')).toBe('later.operation')
})

test('every refusal that the audit trail tells of has words in both languages, and a later one has none', () => {
  const wordsIn = (tongue: 'en' | 'es') => {
    language.set(tongue)
    return errorCatalogue().map(({ codigo }) => refusalWords(codigo))
  }
  const [en, es] = [wordsIn('en'), wordsIn('es')]
  language.set('en')
  const told = en.map((words, at) => [words, es[at]])
  expect(told.filter(([one, other]) => !one || !other || one === other)).toEqual([])
  expect([refusalWords('later_code'), refusalWords('constructor')]).toEqual([null, null])
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
  const known = Object.keys(OPERATIONS)
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

test('each type of event can be chosen for a webhook, once', () => {
  expect(EVENT_GROUPS.flatMap(([, types]) => types).sort()).toEqual([...EVENT_TYPES].sort())
})
