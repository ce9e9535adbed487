import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq, gt } from 'drizzle-orm'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { reading } from '../../lib/store/reading.ts'
import { clients, events, settings, tokens } from '../../schema/tables.ts'
import { startLibsqlProcess } from '../support/libsql-process.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { quickest } from '../support/quickest.ts'

// The tests' own server stands for the real one elsewhere, so both have to pass.
describe.each(['sqld', 'embedded'] as const)('on %s', (engine) => {
  let folder: string
  let server: LibsqlServer
  let db: Database

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'libsql-'))
    server = await startLibsqlServer({ path: join(folder, 'server.db'), engine })
    const client = open()
    await migrate(client, new Date(), async () => {})
    db = createDatabase(client)
  })

  afterEach(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const open = (more: { roundTripMs?: number; transactionMs?: number } = {}) =>
    remoteClient({ url: server.url, token: server.token, ...more })

  async function tripsOf(work: () => Promise<unknown>): Promise<number> {
    const before = server.roundTrips()
    await work()
    return server.roundTrips() - before
  }

  const put = (name: string, value: string, on = db) =>
    on.write(async (tx) => tx.later(tx.insert(settings).values({ name, value })))
  const settingOf = async (name: string) =>
    (await db.read.select().from(settings).where(eq(settings.name, name)).get())?.value

  test('a read is one round trip, a batch of reads too', async () => {
    expect(await tripsOf(() => settingOf('a'))).toBe(1)
    const both = () => db.read.batch([db.read.select().from(settings), db.read.select().from(tokens)])
    expect(await tripsOf(both)).toBe(1)
  })

  test('a transaction without reads is one round trip, begin and commit included', async () => {
    expect(await tripsOf(() => put('a', '1'))).toBe(1)
    expect(await settingOf('a')).toBe('1')
    expect(server.openStreams()).toBe(0)
  })

  test('a read in a transaction sends the writes before it, and the commit sends the last reads', async () => {
    let seen: string | undefined
    let last = ''
    const trips = await tripsOf(async () => {
      const late = await db.write(async (tx) => {
        tx.later(tx.insert(settings).values({ name: 'a', value: '1' }))
        seen = (await tx.select().from(settings).where(eq(settings.name, 'a')).get())?.value
        tx.later(tx.update(settings).set({ value: '2' }))
        return { value: tx.last(reading(tx.select().from(settings), ([row]) => row?.value ?? '')) }
      })
      last = late.value.take()
    })
    expect(trips).toBe(2)
    expect(seen).toBe('1')
    expect(last).toBe('2')
    expect(server.openStreams()).toBe(0)
  })

  test('reads asked for side by side in a transaction share a round trip', async () => {
    const trips = await tripsOf(() =>
      db.write((tx) =>
        Promise.all([tx.select().from(settings), tx.select().from(tokens), tx.select().from(settings)]),
      ),
    )
    expect(trips).toBe(2)
  })

  test('an awaited write runs at once, and tells how many rows it changed', async () => {
    let changed: number[] = []
    const trips = await tripsOf(() =>
      db.write(async (tx) => {
        const added = await tx.insert(settings).values({ name: 'a', value: '1' })
        const none = await tx.update(settings).set({ value: '2' }).where(eq(settings.name, 'none'))
        changed = [added.rowsAffected, none.rowsAffected]
      }),
    )
    expect([changed, trips]).toEqual([[1, 0], 3])
  })

  test('a read sees all that was put off before it, and a repeated one what was put off since', async () => {
    const seen = await db.write(async (tx) => {
      const names = async () => (await tx.select().from(settings)).map(({ name }) => name)
      const put = (name: string) => tx.later(tx.insert(settings).values({ name, value: '1' }))
      put('a')
      const together = await Promise.all([names(), names(), tx.batch([tx.select().from(settings)])])
      put('b')
      return [...together.map(({ length }) => length), await names()]
    })
    expect(seen).toEqual([1, 1, 1, ['a', 'b']])
  })

  test('a dry run reads what it would lead to and undoes it in one round trip', async () => {
    let would: { name: string; value: string }[] = []
    const trips = await tripsOf(async () => {
      const run = db.write(async (tx) => {
        tx.later(tx.insert(settings).values({ name: 'a', value: '1' }))
        would = await tx.discard(reading(tx.select().from(settings), (rows) => rows))
        throw new Error('only a dry run')
      })
      await expect(run).rejects.toThrow('only a dry run')
    })
    expect(would).toEqual([{ name: 'a', value: '1' }])
    expect(trips).toBe(1)
    expect(await settingOf('a')).toBeUndefined()
    expect(server.openStreams()).toBe(0)
  })

  test('a refused transaction is undone and its refusal recorded in one round trip', async () => {
    const refused = () =>
      db.write(
        async (tx) => {
          await tx.insert(settings).values({ name: 'a', value: 'lost' }).returning()
          throw new Error('no')
        },
        (tx) => tx.later(tx.insert(settings).values({ name: 'refused', value: 'kept' })),
      )
    expect(await tripsOf(async () => expect(refused()).rejects.toThrow('no'))).toBe(2)
    expect(await settingOf('a')).toBeUndefined()
    expect(await settingOf('refused')).toBe('kept')
    expect(server.openStreams()).toBe(0)
  })

  test('a statement that fails in the last round trip commits nothing', async () => {
    await put('a', '1')
    const clash = () =>
      db.write(async (tx) =>
        tx.later(
          tx.insert(settings).values({ name: 'b', value: '2' }),
          tx.insert(settings).values({ name: 'a', value: '2' }),
          tx.insert(settings).values({ name: 'c', value: '2' }),
        ),
      )
    await expect(clash()).rejects.toThrow('UNIQUE constraint failed')
    expect(await settingOf('b')).toBeUndefined()
    expect(await settingOf('c')).toBeUndefined()
    await put('d', '4')
  })

  test('binary values come back as they went', async () => {
    const hash = Uint8Array.from([0, 255, 128, 10])
    const row = {
      id: 'tok_1',
      publicId: 'p',
      hash,
      name: 'n',
      expiresOn: '2030-01-01',
      creatorId: 'x',
      creatorEmail: 'x',
      createdAt: new Date(1_795_235_068_359),
    }
    await db.write(async (tx) => tx.later(tx.insert(tokens).values(row)))
    const read = await db.read.select().from(tokens).get()
    expect(read?.hash).toEqual(hash)
    expect(read?.createdAt).toEqual(row.createdAt)
    const inside = await db.write((tx) => tx.select().from(tokens))
    expect(inside[0]?.hash).toEqual(hash)
  })

  test('fifty increments from five hosts at once are fifty', async () => {
    await put('n', '0')
    const hosts = Array.from({ length: 5 }, () => createDatabase(open(), { queueMs: null }))
    const add = (host: Database) =>
      host.write(async (tx) => {
        const row = await tx.select().from(settings).where(eq(settings.name, 'n')).get()
        tx.later(tx.update(settings).set({ value: String(Number(row?.value) + 1) }))
      })
    await Promise.all(hosts.flatMap((host) => Array.from({ length: 10 }, () => add(host))))
    expect(await settingOf('n')).toBe('50')
  })

  test('a server that is cut off is known at once, and used again when it is back', async () => {
    server.cut()
    const away = async () => {
      await expect(put('a', '1')).rejects.toThrow('database unavailable')
      await expect(settingOf('a')).rejects.toMatchObject({
        cause: { message: expect.stringContaining('database unavailable') },
      })
    }
    expect(await quickest(away)).toBeLessThan(1000)
    server.restore()
    await retried(() => put('a', '2'))
    expect(await settingOf('a')).toBe('2')
  })

  test('a server that never answers is given up within the deadline', async () => {
    db = createDatabase(open({ roundTripMs: 300 }))
    server.faults.hang = true
    const late = () => expect(put('a', '1')).rejects.toThrow('database unavailable')
    expect(await quickest(late)).toBeLessThan(1000)
  })

  test('an answer that arrived while this process hashed a password does not count as late', async () => {
    const elsewhere = await startLibsqlProcess({ path: join(folder, 'elsewhere.db'), engine })
    const client = remoteClient({ url: elsewhere.url, token: elsewhere.token, roundTripMs: 150 })
    await client.execute('select 1')
    const asked = client.execute('select 1')
    await new Promise((resolve) => setImmediate(resolve))
    const until = performance.now() + 400
    while (performance.now() < until);
    expect((await asked).rows).toHaveLength(1)
    await elsewhere.stop()
  })

  test('a slow transaction is given up as a whole, and its lock with it', async () => {
    const slow = createDatabase(open({ transactionMs: 500 }))
    server.faults.delayMs = 200
    const work = slow.write(async (tx) => {
      for (let i = 0; i < 10; i++)
        await tx
          .insert(settings)
          .values({ name: String(i), value: '' })
          .returning()
    })
    await expect(work).rejects.toMatchObject({ cause: { message: expect.stringContaining('took too long') } })
    server.faults.delayMs = 0
    await put('a', '1')
    expect(await db.read.select().from(settings)).toHaveLength(1)
  })

  test.each(['TRANSACTION_TIMEOUT', 'TRANSACTION_BUSY', 'BLOCKED', 'PROXY_ERROR'])(
    'what the server itself refuses as %s counts as a database that is away, in reads and in transactions',
    async (code) => {
      let refusing = false
      // As sqld words it: nothing in the text tells of the fault.
      const error = { message: 'the server will not', code }
      const fetch = async (request: Request, init: { signal: AbortSignal }) => {
        if (!refusing) return globalThis.fetch(request, init)
        const { requests } = (await request.json()) as { requests: unknown[] }
        const results = requests.map(() => ({ type: 'error', error }))
        return Response.json({ baton: null, base_url: null, results })
      }
      const refused = createDatabase(remoteClient({ url: server.url, token: server.token, fetch }))
      const work = refused.write(async (tx) => {
        await tx.select().from(settings)
        refusing = true
        tx.later(tx.insert(settings).values({ name: 'a', value: '1' }))
      })
      await expect(work).rejects.toThrow(`database unavailable: ${code}`)
      const read = async () => refused.read.select().from(settings)
      await expect(read()).rejects.toMatchObject({
        cause: { message: `database unavailable: ${code}` },
      })
      await expect(refused.read.batch([refused.read.select().from(settings)])).rejects.toThrow(
        `database unavailable: ${code}`,
      )
      expect(await db.read.select().from(settings)).toEqual([])
    },
  )

  test('a stream that the server has forgotten fails the transaction and commits nothing', async () => {
    const work = db.write(async (tx) => {
      await tx.insert(settings).values({ name: 'a', value: '1' }).returning()
      server.forgetStreams()
      await tx.insert(settings).values({ name: 'b', value: '1' }).returning()
    })
    await expect(work).rejects.toMatchObject({
      cause: { message: expect.stringContaining('STREAM_EXPIRED') },
    })
    expect(await db.read.select().from(settings)).toHaveLength(0)
  })

  test('a commit whose answer was lost is told as a failure, though it was done', async () => {
    server.faults.lose = 'COMMIT'
    await expect(put('a', '1')).rejects.toThrow('database unavailable')
    expect(await retried(() => settingOf('a'))).toBe('1')
  })

  /** After a failed round trip the next ones fail at once for a moment. */
  async function retried<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + 3000
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
    }
  }

  test('a put-off write that fails ends the transaction, even where the read that sent it is ignored', async () => {
    await put('a', '1')
    const work = db.write(async (tx) => {
      tx.later(tx.insert(settings).values({ name: 'b', value: '2' }))
      tx.later(tx.insert(settings).values({ name: 'a', value: '2' }))
      await tx.batch([tx.select().from(tokens)]).catch(() => {})
      tx.later(tx.insert(settings).values({ name: 'c', value: '3' }))
    })
    await expect(work).rejects.toThrow('UNIQUE constraint failed')
    expect(await db.read.select().from(settings)).toHaveLength(1)
  })

  test('who follows the events while several hosts write misses none and sees them in one order', async () => {
    const hosts = [db, createDatabase(open()), createDatabase(open())]
    const add = (host: Database, name: string) =>
      host.write(async (tx) => {
        const now = new Date()
        const row = { language: 'es', state: 'activo', node: 'nodo1', createdBy: 'token' } as const
        tx.later(tx.insert(clients).values({ ...row, name, createdAt: now, updatedAt: now }))
      })
    const names = hosts.flatMap((_, host) => Array.from({ length: 15 }, (_, at) => `c${host}-${at}`))
    let writing = true
    const written = Promise.all(
      hosts.map(async (host, at) => {
        for (const name of names.filter((one) => one.startsWith(`c${at}-`))) await add(host, name)
      }),
    ).finally(() => {
      writing = false
    })
    const { id, client } = events
    const behind = (cursor: number) =>
      db.read.select({ id, client }).from(events).where(gt(id, cursor)).orderBy(asc(id)).limit(200)
    const seen: { id: number; client: string | null }[] = []
    const follow = async () => void seen.push(...(await behind(seen.at(-1)?.id ?? 0)))
    while (writing) await follow()
    await written
    const meanwhile = seen.length
    await follow()
    expect(meanwhile).toBeGreaterThan(0)
    expect(seen).toEqual(await behind(0))
    expect(seen.map(({ client }) => client).sort()).toEqual([...names].sort())
  })
})
