import { describe, expect, test } from 'bun:test'
import type { ResolverAnswer } from '../../lib/endpoint/context.ts'
import { judgeName, STEP_MS } from '../../lib/proof/connection.ts'
import { delegationOf } from '../../lib/proof/delegation.ts'
import { decideSetup, type SetupFacts } from '../../lib/summary/decide-setup.ts'

const node = { services: [], quota: true, copied: true }
const done: SetupFacts = {
  nodes: [node],
  ...{ test: 'enviado', refused: false, sent: true, selfSigned: false, plans: true, clients: true },
  tokens: 'used',
}
const missing = (name: string) => ({
  name,
  running: false,
  version: null,
  advice: { es: 'ponga', en: 'set' },
})
const open = (facts: Partial<SetupFacts>) =>
  decideSetup({ ...done, ...facts }).flatMap(({ point, reason }) =>
    reason === null ? [] : [`${point} ${reason}`],
  )

describe('what is set up', () => {
  test.each<[string, Partial<SetupFacts>, string[]]>([
    ['all', {}, []],
    ['mail is not set', { nodes: [{ ...node, services: [missing('correo')] }] }, ['correo sin_configurar']],
    ['mail was never tried', { test: null, sent: false }, ['correo sin_probar']],
    ['other mail went out', { test: null, sent: true }, []],
    ['the test waits', { test: 'en_cola' }, ['correo sin_probar']],
    ['the test was refused once', { test: 'en_cola', refused: true }, ['correo fallo']],
    ['the test was given up, though older mail went out', { test: 'fallido' }, ['correo fallo']],
    [
      'one node of two has no address',
      { nodes: [node, { ...node, services: [missing('direcciones')] }] },
      ['direcciones sin_configurar'],
    ],
    ['the disk does not count', { nodes: [{ ...node, quota: false }] }, ['cuotas sin_configurar']],
    ['the node has no sites', { nodes: [{ ...node, quota: null }] }, []],
    [
      'one node of two is not copied',
      { nodes: [node, { ...node, copied: false }] },
      ['copias sin_configurar'],
    ],
    ['the certificate is its own', { selfSigned: true }, ['certificado sin_configurar']],
    ['the token was never used', { tokens: 'unused' }, ['token sin_usar']],
    ['there is no token', { tokens: 'none' }, ['token sin_configurar']],
    ['nothing is there', { plans: false, clients: false }, ['plan sin_configurar', 'cliente sin_configurar']],
  ])('%s', (_, facts, expected) => expect(open(facts)).toEqual(expected))
})

test('what a node says of a full disk is no advice about its quota', () => {
  const full = { name: 'disco', running: true, version: null, advice: { es: 'lleno', en: 'full' } }
  const told = decideSetup({ ...done, nodes: [{ ...node, quota: false, services: [full] }] })
  const quota = told.find(({ point }) => point === 'cuotas')
  expect(quota?.advice).toMatchObject({ en: expect.stringContaining('usrquota') })
})

describe('where a name leads', () => {
  const answer = (...values: string[]): ResolverAnswer => ({ kind: 'answer', values, ttlSeconds: 60 })
  const none: ResolverAnswer = { kind: 'nodata', ttlSeconds: 60 }
  const silence: ResolverAnswer = { kind: 'failure', reason: 'timeout' }
  const ours = ['192.0.2.1', '2001:DB8:0::1']
  test.each<[string, ResolverAnswer[][], string]>([
    [
      'to this server, over IPv6 in another spelling too',
      [[answer('192.0.2.1'), answer('2001:db8::1')]],
      'aqui',
    ],
    ['elsewhere', [[answer('198.51.100.7'), none]], 'fuera'],
    ['here and elsewhere', [[answer('192.0.2.1'), answer('2001:db8::9')]], 'parcial'],
    ['nowhere', [[none, none]], 'sin_registros'],
    ['nobody knows', [[silence, silence]], 'sin_respuesta'],
    ['half of the answer is missing', [[none, silence]], 'sin_respuesta'],
    [
      'one resolver still keeps the old address',
      [
        [answer('192.0.2.1'), none],
        [answer('198.51.100.7'), none],
      ],
      'cambiando',
    ],
    [
      'one resolver is silent',
      [
        [answer('192.0.2.1'), none],
        [silence, silence],
      ],
      'aqui',
    ],
  ])('%s', (_, told, place) => expect(judgeName(told, ours).place).toBe(place as never))
})

test('where a zone is delegated is known within five seconds of resolvers that tell nothing in time', async () => {
  const waits: number[] = []
  const query = async (_name: string, type: string, timeoutMs: number): Promise<ResolverAnswer> => {
    if (type === 'NS') {
      waits[0] = timeoutMs
      return { kind: 'answer', values: ['ns.elsewhere.net'], ttlSeconds: 60 }
    }
    waits[1] = timeoutMs
    return { kind: 'failure', reason: 'timeout' }
  }
  const about = { zone: 'ejemplo.es', expected: [], ours: ['192.0.2.1'], timeoutMs: STEP_MS }
  expect(await delegationOf([{ label: 'slow', query }], about)).toEqual({
    state: 'fuera',
    servers: ['ns.elsewhere.net'],
  })
  expect(waits).toEqual([STEP_MS, STEP_MS])
  expect(2 * STEP_MS).toBeLessThan(5_000)
})
