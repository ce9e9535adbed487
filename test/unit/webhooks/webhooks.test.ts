import { describe, expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import type { Actor, Services } from '../../../lib/endpoint/context.ts'
import type { AppError } from '../../../lib/endpoint/errors.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import {
  BACK_OFF,
  decideChange,
  decideDelivery,
  decideNew,
  decideRepeat,
  MAX_ATTEMPTS,
  MOST_WEBHOOKS,
  requireMover,
} from '../../../lib/webhooks/decide.ts'
import { destinationOf, webhookUrl } from '../../../lib/webhooks/destination.ts'
import { newSecret, signedHeaders } from '../../../lib/webhooks/sign.ts'
import { partly } from '../../support/partly.ts'
import { random } from '../../support/seed.ts'
import { allowing, resolving } from './support.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('a signature', () => {
  test('is the one that the libraries of Standard Webhooks are tested with', () => {
    const secret = new Secret('whsec_plJ3nmyCDGBKInavdOK15jsl')
    const message = { id: 'msg_loFOjxBNrRLzqYUf', body: '{"event_type":"ping","data":{"success":true}}' }
    expect(signedHeaders(message, [secret], new Date(1731705121_500))).toEqual({
      'webhook-id': 'msg_loFOjxBNrRLzqYUf',
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    })
  })

  test('is taken by another implementation under either secret, and not under a third', () => {
    const [newer, older, other] = [newSecret(random), newSecret(random), newSecret(random)]
    expect(newer.reveal()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const message = {
      id: 'evt_1',
      body: JSON.stringify({ type: 'cliente.creado', data: { cliente: 'ñandú' } }),
    }
    const headers = signedHeaders(message, [newer, older], new Date())
    for (const secret of [newer, older]) {
      expect(new Verifier(secret.reveal()).verify(message.body, headers)).toEqual(JSON.parse(message.body))
    }
    expect(() => new Verifier(other.reveal()).verify(message.body, headers)).toThrow('No matching signature')
    expect(() => new Verifier(newer.reveal()).verify(`${message.body} `, headers)).toThrow(
      'No matching signature',
    )
  })
})

describe('the receiver of docs/operating.md', async () => {
  const document = await Bun.file(join(import.meta.dir, '../../../docs/operating.md')).text()
  const [code = ''] = document.match(/^ {4}import \{ createHmac[\s\S]*?^ {4}\}$/m) ?? []
  const file = join(await mkdtemp(join(tmpdir(), 'receiver-')), 'receiver.mjs')
  await Bun.write(file, code.replace(/^ {4}/gm, ''))
  const { messageFrom } = await import(file)
  const [newer, older, other] = [newSecret(random), newSecret(random), newSecret(random)]
  const body = '{"type":"cliente.creado","data":{"cliente":"ñandú"}}'
  const MINUTES_AGO = new Date(Date.now() - 10 * MINUTE_MS)

  test.each([
    ['the secret', newer, [newer], new Date(), body, true],
    ['the secret before', older, [newer, older], new Date(), body, true],
    ['another secret', other, [newer, older], new Date(), body, false],
    ['a changed body', newer, [newer], new Date(), body.replace('creado', 'borrado'), false],
    ['an old message', newer, [newer], MINUTES_AGO, body, false],
  ])('judges %s as another implementation does', (_, secret, signing, at, received, isTaken) => {
    const headers = signedHeaders({ id: 'evt_1', body }, signing, at)
    expect(messageFrom(headers, received, secret.reveal())).toEqual(isTaken ? JSON.parse(body) : null)
    const other = () => new Verifier(secret.reveal()).verify(received, headers)
    if (isTaken) expect(other()).toEqual(JSON.parse(body))
    else expect(other).toThrow()
  })

  test('takes nothing that is not signed', () => {
    expect(messageFrom({}, body, newer.reveal())).toBeNull()
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
    expect(messageFrom(headers, body, newer.reveal())).toBeNull()
  })
})

test('attempts are spread over three days', () => {
  const minutes = BACK_OFF.waitsMs.map((ms) => ms / MINUTE_MS)
  expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440])
  expect(BACK_OFF.waitsMs.reduce((sum, ms) => sum + ms, 0) / DAY_MS).toBeWithin(3, 3.5)
})

test.each([
  [204, null, 1, 'entregada', null],
  [500, 'rechazada', 1, 'en_cola', null],
  [302, 'rechazada', 9, 'en_cola', null],
  [null, 'sin_respuesta', MAX_ATTEMPTS - 1, 'en_cola', null],
  [null, 'sin_respuesta', MAX_ATTEMPTS, 'abandonada', 'sin_entregas'],
  [410, 'rechazada', 1, 'abandonada', 'ya_no_existe'],
  // The key ring was away meanwhile: attempts were counted that never were.
  [200, null, MAX_ATTEMPTS + 5, 'entregada', null],
] as const)('after %p (%p) at attempt %p a delivery is %p', (status, fault, attempts, state, stop) => {
  expect(decideDelivery({ status, fault }, attempts)).toEqual({ state, stop })
})

describe('of a request about webhooks', () => {
  const TOKEN: Actor = { kind: 'token', id: 't', name: 'n', expiresOn: '2027-01-01' }
  const on = { url: 'https://a.es/', types: ['*' as const], active: true, stopped: null }
  const off = { ...on, active: false, stopped: 'demasiadas' as const }
  const nothing = { url: undefined, types: undefined, active: undefined }
  const refusal = (decide: () => unknown) => {
    try {
      decide()
      return null
    } catch (error) {
      return (error as AppError).codigo
    }
  }

  test('one more than there can be is refused', () => {
    expect(refusal(() => decideNew(MOST_WEBHOOKS - 1))).toBeNull()
    expect(refusal(() => decideNew(MOST_WEBHOOKS))).toBe('demasiados_avisos')
  })

  test('a token moves none', () => {
    expect(refusal(() => requireMover(TOKEN, on.url))).toBe('no_con_token')
    expect(refusal(() => requireMover(TOKEN, undefined))).toBeNull()
    expect(refusal(() => requireMover({ kind: 'cron' }, on.url))).toBeNull()
  })

  test('a delivery that is not there, or goes nowhere, is not sent again', () => {
    expect(refusal(() => decideRepeat(on, undefined))).toBe('entrega_no_existe')
    expect(refusal(() => decideRepeat(off, {}))).toBe('aviso_apagado')
    expect(refusal(() => decideRepeat(on, {}))).toBeNull()
  })

  test.each([
    ['nothing', off, nothing, off],
    ['the address', on, { ...nothing, url: 'https://b.es/' }, { ...on, url: 'https://b.es/' }],
    [
      'types, each once',
      on,
      { ...nothing, types: ['sitio.error', 'sitio.error'] },
      { ...on, types: ['sitio.error'] },
    ],
    ['off', on, { ...nothing, active: false }, { ...on, active: false, stopped: 'a_mano' }],
    ['off where it is off', off, { ...nothing, active: false }, off],
    ['on', off, { ...nothing, active: true }, on],
  ] as const)('a change of %s is taken', (_, before, wanted, after) => {
    const mutable = { ...wanted, types: wanted.types && [...wanted.types] }
    expect(decideChange({ ...before, types: [...before.types] }, mutable)).toEqual({
      ...after,
      types: [...after.types],
    })
  })
})

test.each([
  ['https://facturas.ejemplo.es/avisos?clave=1', 'https://facturas.ejemplo.es/avisos?clave=1'],
  ['https://FACTURAS.ejemplo.es', 'https://facturas.ejemplo.es/'],
  ['https://9.9.9.9:8443/x', 'https://9.9.9.9:8443/x'],
  ['https://10.0.0.7/x', 'https://10.0.0.7/x'],
  ['https://[fd00::7]/x', 'https://[fd00::7]/x'],
  ['http://facturas.ejemplo.es/', null],
  ['http://10.0.0.7/', null],
  ['https://ana:clave@ejemplo.es/', null],
  ['https://ejemplo.es/#x', null],
  ['https://127.0.0.1/', null],
  ['https://2130706433/', null],
  ['https://[::ffff:10.0.0.8]/', null],
  ['https://10.0.0.8/', null],
  ['javascript:alert(1)', null],
  ['/avisos', null],
])('the address %s is taken as %p', (url, taken) => {
  expect(webhookUrl(url, allowing('10.0.0.7', 'fd00::7'))).toBe(taken)
})

test.each([
  [[['192.0.3.1']], { addresses: ['192.0.3.1'] }],
  [[['10.0.0.7', '192.0.3.1']], { addresses: ['10.0.0.7', '192.0.3.1'] }],
  [[['192.0.3.1', '127.0.0.1']], 'direccion_no_admitida'],
  [[['169.254.169.254']], 'direccion_no_admitida'],
  [[[]], 'sin_direccion'],
])('a name with the addresses %j leads to %j', async (answers, destination) => {
  const services = partly<Services>({ config: allowing('10.0.0.7'), resolvers: [resolving(...answers)] })
  expect(await destinationOf(services, new URL('https://avisos.interno/'))).toEqual(destination as never)
})
