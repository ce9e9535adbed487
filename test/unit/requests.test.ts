import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { clientAddress } from '../../deploy/http/address.ts'
import { acceptedCoding, preferredLanguage } from '../../deploy/http/preferences.ts'
import { MAX_BODY_BYTES, parseJson, requireMediaType } from '../../lib/endpoint/body.ts'
import { AppError, errorCatalogue, errorText, problemOf } from '../../lib/endpoint/errors.ts'
import { aliases, count, date, nombre, pageQuery, plan, referencia, text } from '../../lib/endpoint/fields.ts'
import { pageOf, prefixEnd, wireTime } from '../../lib/endpoint/page.ts'
import { validate } from '../../lib/endpoint/validate.ts'
import { passwordProblem } from '../../lib/sign-in/passwords.ts'
import { MESSAGES } from '../../lib/text/errors.ts'
import { FIELD_MESSAGES } from '../../lib/text/field-codes.ts'
import { MAILS } from '../../lib/text/mails.ts'
import { quickest } from '../support/quickest.ts'

const bytes = (value: string) => new TextEncoder().encode(value)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

function refusal(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a body', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    [' "x" ', 'x'],
    ['null', null],
    [nested(20), JSON.parse(nested(20))],
  ])('%p is read', (input, value) => {
    expect(parseJson(bytes(input))).toEqual(value)
  })

  test.each([
    '',
    '{',
    '{} {}',
    '{}x',
    "{'a':1}",
    '{"a":1,}',
    'NaN',
    '\uFEFF{}',
    nested(21),
    '{"a":undefined}',
  ])('%p is 400', (input) => {
    expect(refusal(() => parseJson(bytes(input))).codigo).toBe('json_invalido')
  })

  test.each([
    ['{"a":1,"a":1}', 7],
    ['{"a":1,"\\u0061":2}', 7],
    ['{"b":{"a":[{"x":1 , "x" :2}]}}', 20],
    ['[{"k":"\\"","l":"}","k":0}]', 19],
    ['{"__proto__":1,"__proto__":2}', 15],
    ['{"":1,"":2}', 6],
  ])('%p gives a key twice: 400 that tells where', (input, posicion) => {
    const error = refusal(() => parseJson(bytes(input)))
    expect([error.codigo, error.extra]).toEqual(['json_invalido', { posicion }])
  })

  test.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"{\\"a\\":1","A":"\\\\"}',
    '["a","a",{"a":["a","a"]}]',
  ])('%p gives no key twice', (input) => {
    expect(parseJson(bytes(input))).toEqual(JSON.parse(input))
  })

  test.each([
    ['keys', `{${Array.from({ length: 26_000 }, (_, i) => `"${i}":0`).join()}}`],
    ['backslashes', `{"a":"${'\\\\'.repeat(65_000)}"}`],
    ['quotes', `{"a":"${'\\"'.repeat(130_000)}"}`],
    ['empty objects', `[${'{},'.repeat(87_000)}{}]`],
    ['white space', `{"a":${' '.repeat(262_000)}1}`],
    ['an open string', `{"a":"${'x'.repeat(262_000)}`],
    ['open brackets', '['.repeat(262_144)],
  ])('full of %s is read in no time', async (_, input) => {
    const ms = await quickest(() => {
      try {
        parseJson(bytes(input))
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    })
    expect(ms).toBeLessThan(250)
  })

  test('nested a hundred thousand deep is 400', () => {
    expect(refusal(() => parseJson(bytes(nested(100_000)))).codigo).toBe('json_invalido')
  })

  test('that is no UTF-8 is 400', () => {
    expect(refusal(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).codigo).toBe('json_invalido')
  })

  test('may have 256 KiB', () => {
    expect(MAX_BODY_BYTES).toBe(262_144)
  })

  test.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    [null, false],
    ['', false],
    ['text/plain', false],
    ['application/jsonp', false],
    ['application/problem+json', false],
    ['text/json', false],
  ])('of type %p is taken: %p', (type, taken) => {
    if (taken) return expect(() => requireMediaType(type, 'application/json')).not.toThrow()
    expect(refusal(() => requireMediaType(type, 'application/json')).status).toBe(415)
  })
})

describe('validation', () => {
  const schema = v.strictObject({
    nombre: v.optional(v.nullable(nombre)),
    n: v.optional(count),
    lista: v.optional(aliases),
  })
  const codes = (value: unknown) =>
    refusal(() => validate(schema, value, 'en')).extra.campos?.map(({ campo, codigo }) => [campo, codigo])

  test('tells absent, null and empty apart', () => {
    expect(validate(schema, {}, 'en')).toEqual({})
    expect(validate(schema, { nombre: null }, 'en')).toEqual({ nombre: null })
    expect(codes({ nombre: '' })).toEqual([['nombre', 'demasiado_corto']])
  })

  test.each([[[]], [null], ['x'], [1], [true]])('refuses %j where an object is due', (value) => {
    for (const due of [schema, v.strictObject({})]) {
      expect(refusal(() => validate(due, value, 'en')).extra.campos).toMatchObject([
        { campo: '', codigo: 'tipo_incorrecto' },
      ])
    }
  })

  test('refuses a list where an object is due inside of another', () => {
    const outer = v.strictObject({ dentro: v.optional(v.nullable(v.strictObject({}))) })
    expect(refusal(() => validate(outer, { dentro: [] }, 'en')).extra.campos).toMatchObject([
      { campo: 'dentro', codigo: 'tipo_incorrecto' },
    ])
  })

  test.each([
    [{ nombre: 1 }, [['nombre', 'tipo_incorrecto']]],
    [{ nombrre: 'x' }, [['nombrre', 'campo_desconocido']]],
    [{ nombre: 'a\nb' }, [['nombre', 'caracteres_no_admitidos']]],
    [{ nombre: '\ud800' }, [['nombre', 'caracteres_no_admitidos']]],
    [{ nombre: 'x'.repeat(201) }, [['nombre', 'demasiado_largo']]],
    [{ n: -1 }, [['n', 'numero_invalido']]],
    [{ n: 1.5 }, [['n', 'numero_invalido']]],
    [{ n: 2 ** 53 }, [['n', 'numero_invalido']]],
    [{ n: '1' }, [['n', 'numero_invalido']]],
    [{ lista: ['ok.es', 'a..b'] }, [['lista.1', 'dominio_invalido']]],
    [{ lista: 'ok.es' }, [['lista', 'tipo_incorrecto']]],
  ])('refuses %j by field', (value, expected) => {
    expect(codes(value)).toEqual(expected as never)
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'an unknown field called %p is not lost',
    (name) => {
      expect(codes(JSON.parse(`{"${name}":1}`))).toEqual([[name, 'campo_desconocido']])
    },
  )

  test('names the field of a value that fits no branch, once', () => {
    const either = v.strictObject({
      plantilla: v.union([v.picklist(['sitio'], 'valor_no_admitido'), v.boolean()]),
      dentro: v.optional(v.strictObject({ una: v.union([v.strictObject({ n: count }), v.null()]) })),
    })
    const refused = (value: unknown) =>
      refusal(() => validate(either, value, 'en')).extra.campos?.map(({ campo, codigo }) => [campo, codigo])
    expect(refused({ plantilla: 'otra' })).toEqual([['plantilla', 'valor_no_admitido']])
    expect(refused({ plantilla: true, dentro: { una: { n: -1 } } })).toEqual([
      ['dentro.una.n', 'numero_invalido'],
    ])
  })

  test('of a list of words tells a wrong word from a wrong type', () => {
    const word = v.strictObject({ estado: v.picklist(['activo']) })
    const refused = (estado: unknown) =>
      refusal(() => validate(word, { estado }, 'en')).extra.campos?.map(({ codigo }) => codigo)
    expect(refused('raro')).toEqual(['valor_no_admitido'])
    expect(refused(1)).toEqual(['tipo_incorrecto'])
  })

  test('never repeats the value, in either language', () => {
    for (const language of ['en', 'es'] as const) {
      const error = refusal(() => validate(schema, { nombre: 'canary\n', canary: 'canary-value' }, language))
      expect(JSON.stringify(error.extra)).not.toContain('canary-value')
      expect(JSON.stringify(error.extra.campos?.map(({ mensaje }) => mensaje))).not.toContain('canary')
    }
  })

  test('names a required field that was left out', () => {
    const error = refusal(() => validate(v.strictObject({ plan }), {}, 'es'))
    expect(error.extra.campos).toEqual([
      { campo: 'plan', codigo: 'obligatorio', mensaje: 'Este campo es obligatorio.' },
    ])
  })
})

describe('fields', () => {
  const ok = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success
  const schemas = { plan, referencia, date, nombre, 'text(3)': text(3) }
  test.each([
    ['plan', 'Básico 2', true],
    ['plan', 'x'.repeat(64), true],
    ['plan', 'x'.repeat(65), false],
    ['plan', '', false],
    ['plan', 'a<b', false],
    ['plan', "a'b", false],
    ['plan', 'a"b', false],
    ['plan', 'a&b', false],
    ['plan', 'a\tb', false],
    // No address of a plan could end in these: a URL loses them (RFC 3986 section 5.2.4).
    ['plan', '.', false],
    ['plan', '..', false],
    ['plan', '...', true],
    ['referencia', 'whmcs-1a2b3c4d:41', true],
    ['referencia', 'x'.repeat(128), true],
    ['referencia', 'x'.repeat(129), false],
    ['referencia', '-x', false],
    ['referencia', 'a b', false],
    ['referencia', 'a/b', false],
    ['date', '2026-11-21', true],
    ['date', '2026-13-01', false],
    ['date', '2026-1-1', false],
    ['date', '2027-02-31', false],
    ['date', '2027-02-29', false],
    ['date', '2028-02-29', true],
    ['date', '2026-11-21T00:00', false],
    ['text(3)', 'ñññ', true],
    ['text(3)', 'a\u2028', false],
    ['text(3)', 'a\u202e', false],
    ['text(3)', 'a\u2067', false],
    ['text(3)', 'א\u200f', true],
    ['nombre', 'x'.repeat(200), true],
  ] as const)('%s %j is good: %p', (name, value, good) => {
    expect(ok(schemas[name], value)).toBe(good)
  })

  const limite = v.strictObject(pageQuery)
  test.each([
    [undefined, 50],
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['1000000', 200],
    ['99999999999999999999', 200],
    ['007', 7],
  ])('limite %p is a page of %p', (given, size) => {
    expect(v.parse(limite, given === undefined ? {} : { limite: given }).limite).toBe(size)
  })
  test.each(['0', '00', '-1', '', ' 5', '5.5', '1e2', 'x', '+5', '٣'])('limite %p is refused', (given) => {
    expect(ok(limite, { limite: given })).toBe(false)
  })
})

describe('pages', () => {
  const page = (rows: string[], limite: number) =>
    pageOf(
      rows,
      limite,
      (row) => row,
      (row) => row.toUpperCase(),
    )
  test('a row beyond the page only says that there is more', () => {
    expect(page(['a', 'b', 'c'], 2)).toEqual({ datos: ['A', 'B'], siguiente: 'b' })
    expect(page(['a', 'b'], 2)).toEqual({ datos: ['A', 'B'], siguiente: null })
    expect(page([], 2)).toEqual({ datos: [], siguiente: null })
  })
  test('the range of a prefix holds every key that begins with it', () => {
    // The database compares UTF-8 bytes.
    const below = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
    for (const key of ['ab', 'ab\uffff', 'abzzz', 'ab😀']) expect(below(key, prefixEnd('ab'))).toBe(true)
    expect(below('ac', prefixEnd('ab'))).toBe(false)
  })
  test('times are UTC with Z', () => {
    expect(wireTime(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(wireTime(null)).toBeNull()
  })
})

describe('a problem', () => {
  const about = { origin: 'https://panel.es:2087', language: 'en' as const, requestId: '01J' }
  test('has the documented shape', () => {
    const error = new AppError('cliente_en_otro_nodo', { nodo: 'nodo2' })
    expect(problemOf(error, about)).toEqual({
      type: 'https://panel.es:2087/docs/errores#cliente_en_otro_nodo',
      title: 'Conflict',
      status: 409,
      detail: 'The account lives on node nodo2.',
      codigo: 'cliente_en_otro_nodo',
      nodo: 'nodo2',
      peticion: '01J',
    })
  })

  test('never shows its cause, and how long to wait only in the header', () => {
    const error = new AppError('espera', { retryAfterSeconds: 77 }, { cause: new Error('canary') })
    expect(JSON.stringify(problemOf(error, about))).not.toMatch(/canary|retryAfter|77/)
  })

  test('reads well where an amount is not known', () => {
    for (const language of ['en', 'es'] as const) {
      const detail = errorText('sin_espacio', language, { recurso: 'disco', usado: null, limite: null })
      expect(detail).toContain('disco')
      expect(detail).not.toMatch(/ {2}| \.$/)
    }
  })

  test('a missing prerequisite is 409, a missing resource 404', () => {
    expect(new AppError('plan_no_existe', { plan: 'x' }, { status: 409 }).status).toBe(409)
    expect(new AppError('plan_no_existe', { plan: 'x' }).status).toBe(404)
  })

  test('every code has a title and a text in both languages', () => {
    for (const { codigo, status } of errorCatalogue()) {
      const problem = problemOf(new AppError(codigo), about)
      expect(problem.title).not.toBe('Error')
      expect(status).toBeGreaterThanOrEqual(400)
      const [en, es] = [errorText(codigo, 'en'), errorText(codigo, 'es')]
      expect([en.length > 5, es.length > 5, en === es]).toEqual([true, true, false])
    }
  })

  test('the texts that programs may show are kept word for word', () => {
    expect(MESSAGES.no_con_token).toEqual({
      en: 'This operation cannot be done with an API token, sign in to the panel.',
      es: 'Esta operación no se puede hacer con un token de API, entre en el panel.',
    })
  })

  test('every field code and every mail is in both languages, with the same placeholders', () => {
    for (const { en, es } of Object.values(FIELD_MESSAGES))
      expect(en !== es && en !== '' && es !== '').toBe(true)
    const blanks = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
    for (const { en, es } of Object.values(MAILS)) {
      expect(blanks(en.subject)).toEqual(blanks(es.subject))
      expect(blanks(en.paragraphs.join())).toEqual(blanks(es.paragraphs.join()))
      expect((en.after ?? []).map(blanks)).toEqual((es.after ?? []).map(blanks))
      expect(en.subject).not.toBe(es.subject)
      expect(Boolean(en.button)).toBe(Boolean(es.button))
    }
  })
})

describe('Accept-Language', () => {
  test.each([
    [null, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['es-MX', 'es'],
    ['fr', 'en'],
    ['fr, es;q=0.5', 'es'],
    ['en, es', 'en'],
    ['es, en', 'es'],
    ['en;q=0.5, es;q=0.8', 'es'],
    ['es;q=0.2, en;q=0.8', 'en'],
    ['es;q=0', 'en'],
    ['es;q=x', 'en'],
    ['*', 'en'],
    ['ES', 'es'],
  ] as const)('%p prefers %p', (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  })
  test('of great length is read up to a bound', () => {
    expect(preferredLanguage(`${'a,'.repeat(100_000)}es`)).toBe('en')
  })
})

describe('Accept-Encoding', () => {
  test.each([
    [null, null],
    ['', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, gzip', 'gzip'],
    ['gzip;q=0, zstd;q=0', null],
    ['gzip;q=0, *', 'zstd'],
    ['*;q=0', null],
    ['identity', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['x-gzip, gzipped, br', null],
    ['gzip;q=x', null],
  ] as const)('%p gets %p', (header, coding) => {
    expect(acceptedCoding(header, ['zstd', 'gzip'])).toBe(coding)
  })
})

describe('the address of a client', () => {
  test.each([
    // peer, X-Forwarded-For, trusted proxies, counted address
    ['192.0.2.1', '198.51.100.9', [], '192.0.2.1'],
    ['192.0.2.1', null, ['192.0.2.1'], '192.0.2.1'],
    ['192.0.2.1', '198.51.100.9', ['192.0.2.1'], '198.51.100.9'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.9', ['192.0.2.1'], '198.51.100.9'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.9', ['192.0.2.1', '198.51.100.9'], '203.0.113.1'],
    ['192.0.2.1', '203.0.113.1, garbage', ['192.0.2.1'], '192.0.2.1'],
    ['192.0.2.1', '2001:db8::1', ['192.0.2.1'], '2001:db8::1'],
    ['192.0.2.7', '198.51.100.9', ['192.0.2.1'], '192.0.2.7'],
  ] as [string, string | null, string[], string][])(
    'from %p with %p behind %p is %p',
    (peer, header, proxies, address) => {
      expect(clientAddress(peer, header, proxies)).toBe(address)
    },
  )
})

describe('a new password', () => {
  test.each([
    ['una frase larga y rara 7', null],
    ['x7#kQ!9pLz2w', null],
    ['ñandú-ñandú-árbol', null],
    ['corta', 'contrasena_corta'],
    ['12345678901', 'contrasena_corta'],
    ['á'.repeat(11), 'contrasena_corta'],
    ['una frase larga y rara '.repeat(6), 'contrasena_larga'],
    ['password1234', 'contrasena_comun'],
    ['PASSWORD1234', 'contrasena_comun'],
    ['aaaaaaaaaaaaaa', 'contrasena_comun'],
    ['abcabcabcabcabc', 'contrasena_comun'],
    ['qwertyuiop12', 'contrasena_comun'],
  ])('%p: %p', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem)
  })
  test('may have 128 characters', () => {
    const long = Array.from({ length: 128 }, (_, i) => String.fromCharCode(97 + ((i * 7) % 26))).join('')
    expect(passwordProblem(long)).toBeNull()
    expect(passwordProblem(`${long}x`)).toBe('contrasena_larga')
  })
})
