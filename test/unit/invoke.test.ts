import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { Actor, RequestInfo, Services, WriteCtx } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { allow, type Handler, handler, ok } from '../../lib/endpoint/handler.ts'
import { invoke } from '../../lib/endpoint/invoke.ts'
import type { Tx } from '../../lib/store/database.ts'
import { partly } from '../support/partly.ts'

const actor: Actor = { kind: 'token', id: 'tok_1', name: 't', expiresOn: '2030-01-01' }
const info: RequestInfo = { id: 'r', address: '192.0.2.1', agent: '', language: 'en', headers: new Headers() }

/** The caller's token, which nobody has revoked. */
const standing = { from: () => ({ where: () => ({ get: async () => ({ revokedAt: null }) }) }) }

/** Services that note the order in which they are used, and write nothing. */
function noting(events: string[]): Services {
  const tx = { later() {}, insert: () => ({ values: () => ({}) }), select: () => standing } as unknown as Tx // Only the audit row is written.
  return partly<Services>({
    db: {
      async write<T>(run: (tx: Tx) => Promise<T>) {
        events.push('begin')
        const result = await run(tx)
        events.push('commit')
        return result
      },
    },
    now: () => new Date(0),
    config: { node: null, test: true },
    work: { wake: () => events.push('wake'), settle: async () => null, runDue: async () => 0 },
  })
}

const call = (services: Services, one: Handler) =>
  invoke(one, services, actor, {
    info,
    route: '/x',
    params: {},
    query: {},
    body: async () => new Uint8Array(),
    stream: () => new Blob([]).stream(),
  })

const changing = (run: (ctx: WriteCtx) => Promise<{ n: number }>) =>
  handler({
    method: 'POST',
    path: '/x',
    access: allow('token', 'admin'),
    summary: 'For this test',
    output: v.strictObject({ n: v.number() }),
    async run(ctx) {
      ctx.work.wake()
      return ok(await run(ctx))
    },
  })

test('a worker is woken after the commit, not before, when it would find nothing', async () => {
  const events: string[] = []
  await call(
    noting(events),
    changing(async () => ({ n: 1 })),
  )
  expect(events).toEqual(['begin', 'commit', 'wake'])
})

test('a worker is not woken by a change that was refused', async () => {
  const events: string[] = []
  const refused = changing(async () => {
    throw new AppError('ya_existe')
  })
  await expect(call(noting(events), refused)).rejects.toThrow('ya_existe')
  expect(events).not.toContain('wake')
})

/** A change that commits 1, and whose work then changes that. */
const settling = (settled: () => Promise<{ n: number }>): Handler => ({
  ...changing(async ({ queued }) => {
    queued.add('subject')
    return { n: 1 }
  }),
  settled: async () => ok(await settled()),
})

/** The worker of this process ends the work and lets the answer look; or another process ends it. */
const WAYS: [string, Services['work']['settle']][] = [
  ['ended here', async (_subjects, _ms, look) => ({ found: await look({ later() {} } as unknown as Tx) })], // Never asked.
  ['ended elsewhere', async () => null],
]

const onNode = (settle: Services['work']['settle'] = async () => null): Services => {
  const services = noting([])
  const config = { ...services.config, node: 'nodo1' }
  return { ...services, config, log() {}, work: { ...services.work, settle } }
}

describe.each(WAYS)('work that %s', (_, settle) => {
  test('is in the answer, and so is its refusal', async () => {
    const done = settling(async () => ({ n: 2 }))
    expect((await call(onNode(settle), done)).body).toEqual({ n: 2 })
    const undone = settling(async () => {
      throw new AppError('sin_espacio')
    })
    await expect(call(onNode(settle), undone)).rejects.toThrow('sin_espacio')
  })

  test('is answered by what was committed where its outcome cannot be read', async () => {
    const faulty = settling(async () => {
      throw new Error('database unavailable')
    })
    expect((await call(onNode(settle), faulty)).body).toEqual({ n: 1 })
  })
})

test('a change that queued no work is answered at once', async () => {
  const never: Services['work']['settle'] = () => new Promise(() => {})
  const nothing: Handler = { ...changing(async () => ({ n: 1 })), settled: async () => ok({ n: 2 }) }
  expect((await call(onNode(never), nothing)).body).toEqual({ n: 1 })
})

test('a change whose outcome takes too long to read is answered as it was committed', async () => {
  const slow = settling(() => new Promise(() => {}))
  const began = performance.now()
  expect((await call(onNode(), slow)).body).toEqual({ n: 1 })
  expect(performance.now() - began).toBeLessThan(7000)
}, 60_000)

test('an answer outside its schema throws, and nothing of it goes out', async () => {
  const leaking = changing(async () => ({ n: 1, hash: 'canary' }) as { n: number })
  await expect(call(noting([]), leaking)).rejects.toThrow('answered outside its schema')
})

test('an operation that the actor may not call is refused before its body is read', async () => {
  const persons = handler({
    method: 'POST',
    path: '/x',
    access: allow('admin'),
    summary: 'x',
    output: v.unknown(),
    run: async () => ok(1),
  })
  let read = false
  const body = async () => {
    read = true
    return new Uint8Array()
  }
  await expect(
    invoke(persons, noting([]), actor, {
      info,
      route: '/x',
      params: {},
      query: {},
      body,
      stream: () => new Blob([]).stream(),
    }),
  ).rejects.toThrow('no_con_token')
  expect(read).toBe(false)
})

// The type checker is what fails here.
test('a run is given nothing that reaches the world', () => {
  type World = 'db' | 'fetch' | 'mailer' | 'resolvers'
  type Doing = 'syncSite' | 'removeSite' | 'syncClient' | 'publishZone' | 'measure'
  type Reached = Extract<keyof WriteCtx, World> | Extract<keyof NonNullable<WriteCtx['driver']>, Doing>
  const none: [Reached] extends [never] ? true : false = true
  expect(none).toBe(true)
})
