import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { outcome, ROOMY } from '../api/people.ts'
import { count } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { quickest } from '../support/quickest.ts'
import { eventually } from '../support/wait.ts'
import { exchange, parseAnswer, raw } from './wire.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_LIMITE_ACCESO: '40' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterAll(() => panel.stop())

const clients = () => count(panel, 'select count(*) from clients')
const alive = async () => expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
const head = (...lines: string[]) =>
  `${['POST /api/clientes HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`, 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`

describe('a request whose end is ambiguous', () => {
  const smuggled = 'DELETE /api/clientes/x HTTP/1.1\r\nHost: localhost\r\n\r\n'
  test.each([
    [
      'Content-Length beside Transfer-Encoding',
      ['Content-Length: 6', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', ['Content-Length: 20', 'Content-Length: 21'], '{"cliente":"dos-long"}'],
    ['a list of lengths', ['Content-Length: 20, 21'], '{"cliente":"dos-lista"}'],
    ['a negative length', ['Content-Length: -1'], '{}'],
    ['a length in words', ['Content-Length: ten'], '{}'],
    ['an unknown transfer coding', ['Transfer-Encoding: xchunked'], '{"cliente":"x-chunk"}'],
    ['a chunk size that is none', ['Transfer-Encoding: chunked'], 'zz\r\n{"cliente":"chunk"}\r\n0\r\n\r\n'],
    ['a space before the colon', ['Content-Length : 20'], '{"cliente":"espacio1"}'],
    ['a folded header', ['X-A: b', ' folded: yes', 'Content-Length: 2'], '{}'],
  ])('%s is refused as a whole', async (_, lines, body) => {
    const before = clients()
    const received = await exchange(panel, head(...lines) + body, 700)
    expect(parseAnswer(received).status === 0 || parseAnswer(received).status >= 400).toBe(true)
    expect(received).not.toMatch(/HTTP\/1\.1 2\d\d/)
    expect(clients()).toBe(before)
    await alive()
  })
})

test('a request that is not HTTP gets only a request id: no handler sees it, and the connection closes', async () => {
  for (const lines of [
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: xchunked'],
    [`X-Long: ${'x'.repeat(40_000)}`],
  ]) {
    const { status, headers, body } = parseAnswer(await exchange(panel, `${head(...lines)}0\r\n\r\n`, 700))
    expect([400, 431]).toContain(status)
    expect([headers.connection?.toLowerCase(), headers['content-length'], body]).toEqual(['close', '0', ''])
    expect(headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  }
  await alive()
})

test.each([
  ['without a Host', 'HTTP/1.1', [], 400],
  ['with two', 'HTTP/1.1', ['Host: localhost', 'Host: evil.example'], 400],
  ['with one', 'HTTP/1.1', ['Host: localhost'], 200],
  ['of HTTP/1.0 without one', 'HTTP/1.0', [], 200],
] as const)('a request %s (%s) is answered as RFC 9112 has it', async (_, version, lines, status) => {
  const sent = [`GET /salud ${version}`, ...lines, 'Connection: close'].join('\r\n')
  expect(parseAnswer(await exchange(panel, `${sent}\r\n\r\n`)).status).toBe(status)
})

describe('a body', () => {
  const post = (body: unknown) => panel.api('POST', '/clientes', { bearer: token, body })

  test('of endless chunks ends at the limit', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    const received = await exchange(panel, `${head('Transfer-Encoding: chunked')}${chunk.repeat(40)}`, 1500)
    expect(parseAnswer(received).status).toBe(413)
    await alive()
  })

  test.each([262_144, 262_145])('of %p bytes is accepted or refused to the byte', async (size) => {
    const body = `{"cliente":"${'x'.repeat(size - 14)}"}`
    const answer = await panel.api('POST', '/clientes', {
      bearer: token,
      raw: body,
      headers: { 'content-type': 'application/json' },
    })
    expect(body.length).toBe(size)
    expect(outcome(answer)).toEqual(
      size > 262_144 ? [413, 'cuerpo_demasiado_grande'] : [422, 'datos_invalidos'],
    )
  })

  test.each([16_384, 16_385])(
    'of %p bytes without a bearer is accepted or refused to the byte',
    async (size) => {
      const raw = `{"correo":"${'x'.repeat(size - 13)}"}`
      const headers = { 'content-type': 'application/json', origin: panel.origin }
      const answer = await fetch(`${panel.origin}/acceso/olvido`, {
        method: 'POST',
        body: raw,
        headers,
        tls: { ca: panel.ca },
      })
      expect(raw.length).toBe(size)
      expect(answer.status).toBe(size > 16_384 ? 413 : 422)
    },
  )

  test('whose caller hangs up in its middle is no fault that the log tells', async () => {
    const before = panel.log.length
    const half = `${head('Content-Length: 10000')}{"cliente":"`
    await exchange(panel, half, 300)
    await alive()
    expect(panel.log.slice(before)).not.toContain('"level":"error"')
  })

  test('of several megabytes is refused and the panel stays', async () => {
    const size = 8 * 1024 * 1024
    const received = await exchange(panel, head(`Content-Length: ${size}`) + 'x'.repeat(size), 1500)
    expect([0, 413]).toContain(parseAnswer(received).status)
    await alive()
  })

  test('that is compressed is not unpacked: 400', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 0x20))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await panel.api('POST', '/clientes', { bearer: token, raw: bomb, headers })
    expect(outcome(answer)).toEqual([400, 'json_invalido'])
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'with a field %p is 422 and pollutes nothing',
    async (name) => {
      const raw = `{"cliente":"proto","${name}":{"isAdmin":true,"rol":"admin"}}`
      const answer = await panel.api('POST', '/clientes', {
        bearer: token,
        raw,
        headers: { 'content-type': 'application/json' },
      })
      expect(outcome(answer)).toEqual([422, 'datos_invalidos'])
      expect(answer.body.campos).toEqual([
        expect.objectContaining({ campo: name, codigo: 'campo_desconocido' }),
      ])
      await alive()
    },
  )

  test.each([
    ['a lone surrogate', '{"cliente":"sur","nombre":"\\ud800"}', 422],
    ['a NUL', '{"cliente":"nul","nombre":"a\\u0000b"}', 422],
    ['a duplicate key', '{"cliente":"uno","cliente":"dos"}', 400],
    ['a depth of 10,000', `{"cliente":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['a huge number', '{"cliente":1e999}', 422],
    ['an array instead of an object', '[{"cliente":"x"}]', 422],
    ['null', 'null', 422],
  ])('with %s is %p', async (_, raw, status) => {
    const before = clients()
    const answer = await panel.api('POST', '/clientes', {
      bearer: token,
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, clients()]).toEqual([status as number, before])
  })

  test('on an operation without one is refused unless it is empty', async () => {
    await post({ cliente: 'sin-cuerpo' })
    const path = '/clientes/sin-cuerpo/activar'
    const json = { 'content-type': 'application/json' }
    expect((await panel.api('POST', path, { bearer: token })).status).toBe(200)
    expect((await panel.api('POST', path, { bearer: token, raw: '', headers: json })).status).toBe(200)
    expect(
      (await panel.api('POST', path, { bearer: token, raw: '', headers: { 'content-type': 'text/plain' } }))
        .status,
    ).toBe(200)
    expect(outcome(await panel.api('POST', path, { bearer: token, body: { x: 1 } }))).toEqual([
      422,
      'datos_invalidos',
    ])
    expect(outcome(await panel.api('POST', path, { bearer: token, raw: 'x' }))).toEqual([
      415,
      'tipo_no_admitido',
    ])
  })
})

describe('headers', () => {
  test('a header too large, or too many, is refused and the panel stays', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `X-H${i}: ${'v'.repeat(100)}`)
    const answer = await raw(panel, 'GET', '/api/conexion', [`Authorization: Bearer ${token}`, ...lines])
    expect([0, 400, 413, 431]).toContain(answer.status)
    const big = await raw(panel, 'GET', '/api/conexion', [`Authorization: Bearer ${'x'.repeat(200_000)}`])
    expect([0, 400, 413, 431]).toContain(big.status)
    await alive()
  })

  test('a forged X-Forwarded-For or CF-Connecting-IP frees nobody from a limit', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 60; i++) {
      const forged = {
        'x-forwarded-for': `203.0.113.${i}`,
        'cf-connecting-ip': `203.0.113.${i}`,
        forwarded: `for=203.0.113.${i}`,
        'x-real-ip': `203.0.113.${i}`,
      }
      const { status } = await panel.access('/enlace', { enlace: 'x' }, forged)
      statuses.push(status)
    }
    expect(statuses).toContain(429)
    expect(count(panel, "select count(*) from sessions where address like '203.%'")).toBe(0)
  })

  test('a poisoned Host changes no link and no error', async () => {
    const hosts = ['Host: evil.example', 'X-Forwarded-Host: evil.example']
    const made = await raw(
      panel,
      'POST',
      '/api/clientes',
      [`Authorization: Bearer ${token}`, 'Content-Type: application/json', ...hosts.slice(1)],
      '{"cliente":"veneno"}',
    )
    expect(made.status).toBe(201)
    expect(JSON.stringify(made)).not.toContain('evil')
    const lines = [
      'POST /api/clientes/veneno/acceso HTTP/1.1',
      ...hosts,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 27',
      'Connection: close',
    ]
    const sent = await exchange(panel, `${lines.join('\r\n')}\r\n\r\n{"correo":"v@cliente.es"}  `)
    expect(parseAnswer(sent).status).toBe(201)
    const mail = await panel.mailTo('v@cliente.es')
    expect(mail.text).toContain(`https://localhost:${panel.port}/enlace#`)
    expect(mail.text + mail.html).not.toContain('evil')
    const problem = await exchange(
      panel,
      `GET /api/nada HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    )
    expect(problem).not.toContain('evil')
    expect(problem).toContain(`https://localhost:${panel.port}/docs/errores#no_encontrado`)
  })

  test('a foreign Origin is refused where no bearer is asked for; an absent one and our own are not', async () => {
    const link = { enlace: 'x' }
    await panel.setClock(120)
    expect(outcome(await panel.access('/enlace', link, { origin: 'https://evil.example' }))).toEqual([
      403,
      'origen_ajeno',
    ])
    expect(outcome(await panel.access('/enlace', link, { origin: 'null' }))).toEqual([403, 'origen_ajeno'])
    expect(outcome(await panel.access('/enlace', link, { origin: 'http://localhost' }))).toEqual([
      403,
      'origen_ajeno',
    ])
    expect(outcome(await panel.access('/enlace', link, { 'sec-fetch-site': 'cross-site' }))).toEqual([
      403,
      'origen_ajeno',
    ])
    expect(outcome(await panel.access('/enlace', link, { origin: panel.origin }))).toEqual([
      404,
      'enlace_no_existe',
    ])
    expect(outcome(await panel.access('/enlace', link))).toEqual([404, 'enlace_no_existe'])
    await panel.setClock(0)
  })
})

describe('slow and many', () => {
  test('five hundred half-sent headers and bodies leave the others fast', async () => {
    const open = await Promise.all(
      Array.from({ length: 500 }, (_, i) => {
        const socket = connect({ host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca })
        socket.on('error', () => {})
        return new Promise<typeof socket>((resolve) => {
          socket.once('secureConnect', () => {
            socket.write(
              i % 2 ? 'GET /api/conexion HTTP/1.1\r\nHost: l' : `${head('Content-Length: 1000')}{"cli`,
            )
            resolve(socket)
          })
        })
      }),
    )
    const twenty = async () => {
      for (let i = 0; i < 20; i++) await alive()
    }
    expect(await quickest(twenty)).toBeLessThan(2000)
    // They were held open all the while: closed at once, they would have slowed nobody.
    expect(open.filter((socket) => !socket.destroyed && socket.readyState === 'open')).toHaveLength(500)
    for (const socket of open) socket.destroy()
  }, 60_000)

  test('a request abandoned half-way leaves nothing half done', async () => {
    const before = clients()
    const body = '{"cliente":"medio"}'
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca })
    await new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()))
    socket.write(head(`Content-Length: ${body.length}`) + body.slice(0, 10))
    socket.destroy()
    await alive()
    expect(clients()).toBe(before)
  })
})

describe('TLS', () => {
  const protocolOf = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string | null>((resolve) => {
      const options = { host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca }
      const socket = connect({ ...options, minVersion: version, maxVersion: version }, () => {
        resolve(socket.getProtocol())
        socket.destroy()
      })
      socket.on('error', () => resolve(null))
    })
  test.each([
    ['TLSv1', null],
    ['TLSv1.1', null],
    ['TLSv1.2', 'TLSv1.2'],
    ['TLSv1.3', 'TLSv1.3'],
  ] as const)('%s is answered with %p', async (version, protocol) => {
    expect(await protocolOf(version)).toBe(protocol)
  })

  const suiteOf = (ciphers: string) =>
    new Promise<string | null>((resolve) => {
      const options = { host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca }
      const socket = connect({ ...options, maxVersion: 'TLSv1.2', ciphers }, () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      })
      socket.on('error', () => resolve(null))
    })
  test.each([
    ['ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA', null],
    ['AES128-SHA:AES128-GCM-SHA256', null],
    ['ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256', expect.stringContaining('GCM')],
    ['ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305', expect.stringContaining('POLY1305')],
  ])('who has only %s is answered with %p', async (ciphers, suite) => {
    expect(await suiteOf(ciphers)).toEqual(suite)
  })
})

describe('what the panel says about itself', () => {
  test.each(['/docs', '/docs/errores', '/openapi.json', '/salud'])(
    '%s loads nothing from another origin',
    async (path) => {
      const response = await panel.fetch(path)
      const text = await response.text()
      expect(response.status).toBe(200)
      const foreign = [...text.matchAll(/(?:src|href)="(https?:)?\/\/[^"]+"/g)]
      expect(foreign).toEqual([])
      if (path.startsWith('/docs')) {
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'")
        expect(policy).not.toMatch(/https?:|\*/)
      }
    },
  )

  test('every error code of an answer is an anchor of the error page', async () => {
    const page = await (await panel.fetch('/docs/errores')).text()
    const { body } = await panel.api('GET', '/nada', { bearer: token })
    expect(page).toContain(`id="${body.type.split('#')[1]}"`)
  })

  test('hostile text in names comes back as data, and in mails as text', async () => {
    const nombre = '<img src=x onerror=alert(1)> javascript:alert(1)'
    const made = await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'hostil', nombre } })
    expect(made.body.nombre).toBe(nombre)
    expect(made.headers.get('x-content-type-options')).toBe('nosniff')
    expect(made.headers.get('content-type')).toBe('application/json')
    const named = await panel.api('POST', '/tokens', {
      bearer: admin.bearer,
      body: { nombre, caduca: new Date(Date.now() + 9 * 864e5).toISOString().slice(0, 10) },
    })
    const gone = await panel.api('PUT', '/yo/contrasena', {
      bearer: admin.bearer,
      body: { actual: admin.password, nueva: 'otra frase larga y rara 8' },
    })
    expect([named.status, gone.status]).toEqual([201, 200])
    const mail = await eventually(
      async () =>
        (await panel.mails()).find(({ to, html }) => to === admin.email && html.includes('onerror')) ?? null,
      'the mail',
    )
    expect(mail.html).not.toContain('<img')
    expect(mail.text).toContain('<img src=x onerror=alert(1)>')
  })
})
