import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import * as v from 'valibot'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import { tipo, ttl } from '../../lib/dns/shapes.ts'
import { cliente, correo, domain, nombre, pageQuery, plan, referencia } from '../../lib/endpoint/fields.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { Schemas } from '../../lib/endpoint/openapi/schemas.ts'
import { checkerOf } from '../support/openapi.ts'
import { document, type Json, operationsOf, resolved } from './document.ts'

const whole = document()
const operations = operationsOf(whole)
const ajv = addFormats(new Ajv({ strict: false, allErrors: true }))
const check = checkerOf(whole)
const pathOf = (handler: Handler) => fullPath(handler).replace(/:(\w+)/g, '{$1}')

/** Each schema of the document with where it stands: components, bodies, answers and parameters. */
function* schemas(): Generator<[string, Json]> {
  for (const [name, schema] of Object.entries<Json>(whole.components.schemas)) yield* within(name, schema)
  for (const { id, operation } of operations) {
    for (const { name, schema } of operation.parameters ?? []) yield [`${id} ${name}`, schema]
    for (const [type, { schema }] of Object.entries<Json>(operation.requestBody?.content ?? {}))
      yield* within(`${id} ${type}`, schema)
  }
}

function* within(at: string, schema: Json): Generator<[string, Json]> {
  yield [at, schema]
  for (const [name, one] of Object.entries<Json>(schema.properties ?? {})) yield* within(`${at}.${name}`, one)
  if (schema.items) yield* within(`${at}[]`, schema.items)
  for (const one of schema.anyOf ?? schema.allOf ?? []) yield* within(`${at}|`, one)
}

describe('the document', () => {
  test('describes every parameter, field and component; lib/endpoint/fields.ts `told` is how', () => {
    const bare = [...schemas()].filter(([at, schema]) => {
      const isField = /\.\w+$/.test(at)
      return isField && !schema.$ref && !schema.description
    })
    const parameters = operations.flatMap(({ id, operation }) =>
      (operation.parameters ?? [])
        .filter(({ description }: Json) => !description)
        .map(({ name }: Json) => `${id} ${name}`),
    )
    const components = Object.entries<Json>(whole.components.schemas).filter(([, one]) => !one.description)
    expect([...bare.map(([at]) => at), ...parameters, ...components.map(([name]) => name)]).toEqual([])
  })

  test('answers with components alone, each shape under one name; lib/endpoint/fields.ts `named` is how', () => {
    const unnamed = operations
      .filter(({ path }) => path !== '/salud')
      .flatMap(({ id, operation }) =>
        Object.entries<Json>(operation.responses)
          .filter(([status, { content }]) => status < '300' && content?.['application/json'])
          .filter(([, { content }]) => !content['application/json'].schema.$ref)
          .map(([status]) => `${id} ${status}`),
      )
    expect(unnamed).toEqual([])
    const names = Object.keys(whole.components.schemas)
    for (const name of [
      'Cliente',
      'Sitio',
      'Plan',
      'Uso',
      'Token',
      'Acceso',
      'Zona',
      'RRset',
      'Nodo',
      'Tarea',
    ])
      expect(names).toContain(name)
    const bodies = names.map((name) => JSON.stringify(whole.components.schemas[name]))
    expect(names.filter((_, at) => bodies.indexOf(bodies[at] ?? '') !== at)).toEqual([])
  })

  test('names two shapes of one name as a fault', () => {
    const shown = new Schemas()
    const shape = (entries: v.ObjectEntries) => v.pipe(v.strictObject(entries), v.title('Cosa'))
    shown.of(shape({ a: v.string() }), 'output')
    expect(() => shown.of(shape({ b: v.string() }), 'output')).toThrow('two shapes are named Cosa')
  })

  test('gives an example of every body and answer, which its schema takes', () => {
    const wrong: string[] = []
    let seen = 0
    for (const { id, operation } of operations) {
      const answers = Object.entries<Json>(operation.responses).map(([status, one]) => [
        status,
        resolved(whole, one),
      ])
      for (const [at, part] of [['body', operation.requestBody], ...answers] as [string, Json][]) {
        for (const { schema, example } of Object.values<Json>(part?.content ?? {})) {
          seen++
          const validate = check(schema)
          if (example === undefined || !validate(example))
            wrong.push(`${id} ${at}: ${ajv.errorsText(validate.errors)}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(seen).toBeGreaterThan(300)
  })

  test('gives examples of fields which their schemas take', () => {
    const wrong = [...schemas()].flatMap(([at, schema]) =>
      (schema.examples ?? [])
        .filter((example: unknown) => !check(schema)(example))
        .map((example: unknown) => `${at}: ${JSON.stringify(example)}`),
    )
    expect(wrong).toEqual([])
  })

  test('tells for every operation by code what it may refuse', () => {
    for (const handler of handlers) {
      const found = operations.find(
        ({ path, method }) => method === handler.method && path === pathOf(handler),
      )
      const told = JSON.stringify(
        Object.values<Json>(found?.operation.responses ?? {}).map((one) => resolved(whole, one).description),
      )
      for (const declared of handler.errors ?? []) expect(told).toContain(`\`${declared.split(':')[0]}\``)
    }
  })
})

describe('what the document tells of a field is what the server takes:', () => {
  const samples: [string, v.GenericSchema, unknown[]][] = [
    [
      'cliente',
      cliente,
      ['acme', 'ACME', 'a', 'a.b-c_d', 'a..b', '-a', 'a-', '', 'á', 'a b', 'x'.repeat(63), 'x'.repeat(64), 1],
    ],
    [
      'domain',
      domain,
      [
        'ejemplo.es',
        'EJEMPLO.es.',
        'a.b.c.es',
        'ñandú.es',
        'localhost',
        'a..es',
        '-a.es',
        'a-.es',
        'a_b.es',
        '1.2.3.4',
        'x.1',
        '.es',
        'a b.es',
        `${'x'.repeat(64)}.es`,
        'http://a.es',
        '*.a.es',
        '',
      ],
    ],
    [
      'correo',
      correo,
      [
        'a@b.es',
        'a.b+c@d-e.es',
        'a@b',
        '@b.es',
        'a@@b.es',
        'a b@c.es',
        '.a@b.es',
        'a..b@c.es',
        'a@b.1',
        `${'x'.repeat(65)}@b.es`,
        '"a"@b.es',
        'a@b.es,c@d.es',
        '',
      ],
    ],
    ['referencia', referencia, ['whmcs:1', 'a', '-a', 'a/b', 'a b', 'x'.repeat(128), 'x'.repeat(129), '']],
    [
      'nombre',
      nombre,
      ['Acme SL', '', 'a\nb', 'a\u0000b', '\u2028', '\u202e', 'x'.repeat(200), 'x'.repeat(201), 'ñ'],
    ],
    [
      'plan',
      plan,
      [
        'basico',
        'Plan 1',
        '.',
        '..',
        '...',
        'a<b',
        'a&b',
        'a"b',
        "a'b",
        'a`b',
        'a\tb',
        'x'.repeat(64),
        'x'.repeat(65),
      ],
    ],
    ['tipo', tipo, ['A', 'aaaa', 'TYPE65', 'A A', '', 'x'.repeat(21)]],
    ['ttl', ttl, [30, 3600, 2 ** 31 - 1, -1, 1.5, 2 ** 31, '3600', null, 1e308]],
  ]
  test.each(samples)('%s', (_, schema, values) => {
    const shown = new Schemas().of(schema, 'input')
    // The bounds of a TTL are `rrset.ts`'s; all of the others are the schema's own.
    const taken = (value: unknown) => v.safeParse(schema, value).success && value !== 2 ** 31
    const differing = values.filter((value) => ajv.validate(shown, value) !== taken(value))
    expect(differing).toEqual([])
  })

  test('limite is an integer of 1 to 200, 50 where it is left out', () => {
    const { limite } = new Schemas().of(v.strictObject(pageQuery), 'input').properties as Json
    expect(limite).toMatchObject({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
    for (const [text, taken] of [
      ['1', true],
      ['200', true],
      ['0', false],
      ['-1', false],
      ['1.5', false],
      ['x', false],
    ] as const)
      expect(v.safeParse(pageQuery.limite, text).success).toBe(taken)
  })

  test('caduca is a date', () => {
    const { operation } = operations.find(({ id }) => id === 'postTokens') ?? {}
    const { properties } = operation.requestBody.content['application/json'].schema
    expect(properties.caduca).toMatchObject({ type: 'string', format: 'date' })
  })
})
