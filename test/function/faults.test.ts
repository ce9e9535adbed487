import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loopbackCertificate } from '../support/certificate.ts'
import { startFunctionPanel } from '../support/function-panel.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { quickest } from '../support/quickest.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

/** Nobody waits longer for an answer, whatever the database does. */
const LONGEST_MS = 10_000

type Place = {
  database: LibsqlServer
  token: string
  fetch(path: string, init: RequestInit): Promise<Response>
  stop(): Promise<void>
}

const PLACES: Record<string, () => Promise<Place>> = {
  async 'a function host'() {
    const panel = await startFunctionPanel()
    const { database, host, admin } = panel
    return {
      database,
      token: admin.token,
      fetch: (path, init) => host.fetch(path, init),
      stop: () => panel.stop(),
    }
  },
  async 'a node'() {
    const folder = await mkdtemp(join(tmpdir(), 'faults-'))
    const { caPath, cert, key } = await loopbackCertificate()
    const database = await startLibsqlServer({ path: join(folder, 'shared.db'), tls: { cert, key } })
    const env = { PANEL_DB_URL: database.url, PANEL_DB_TOKEN: database.token, NODE_EXTRA_CA_CERTS: caPath }
    const panel = await Panel.start({ env })
    const token = await newToken(panel, await firstAdmin(panel))
    return {
      database,
      token,
      fetch: (path, init) => panel.fetch(path, init),
      async stop() {
        await panel.stop()
        await database.stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}

for (const [name, start] of Object.entries(PLACES)) {
  describe(`${name} whose database`, () => {
    let place: Place
    beforeAll(async () => {
      place = await start()
    })
    afterAll(() => place.stop())

    /** One request, its answer and how long it took. */
    async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const began = performance.now()
      const response = await place.fetch(`/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${place.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Json
      return {
        status: response.status,
        headers: response.headers,
        body: answer,
        ms: performance.now() - began,
      }
    }
    const create = (cliente: string, headers: Record<string, string> = {}) =>
      ask('POST', '/clientes', { cliente, referencia: `r:${cliente}` }, headers)
    const works = () => eventually(async () => (await ask('GET', '/clientes')).status === 200, 'the database')
    const namesNow = async () =>
      (await ask('GET', '/clientes?limite=200')).body.datos.map(({ cliente }: Json) => cliente)

    function expectAway(answer: Awaited<ReturnType<typeof ask>>): void {
      expect([answer.status, answer.body.codigo]).toEqual([503, 'no_disponible'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.body.peticion).toBe(answer.headers.get('x-request-id'))
      expect(answer.ms).toBeLessThan(LONGEST_MS)
      expect(JSON.stringify(answer.body)).not.toMatch(/select|insert|127\.0\.0\.1|fetch|libsql/i)
    }

    test('is cut off answers 503 at once, and works on when it is back', async () => {
      expect((await create('antes')).status).toBe(201)
      place.database.cut()
      for (const answer of [await ask('GET', '/clientes'), await create('durante')]) {
        expectAway(answer)
        expect(answer.ms).toBeLessThan(3000)
      }
      place.database.restore()
      await works()
      expect(await namesNow()).toEqual(['antes'])
      expect((await create('durante')).status).toBe(201)
    })

    test('takes requests and never answers is given up within ten seconds', async () => {
      place.database.faults.hang = true
      const answers = await Promise.all([
        ask('GET', '/clientes'),
        create('colgado'),
        ask('POST', '/clientes/antes/suspender'),
      ])
      place.database.faults.hang = false
      for (const answer of answers) expectAway(answer)
      await works()
    })

    test('is slow is waited for: 200 ms a round trip, four of them at most', async () => {
      const body = { correo: 'a@lento.es', domain: 'lento.es', enviar: false }
      place.database.faults.delayMs = 200
      const made = await ask('PUT', '/altas/lento:1', body)
      const reading = await quickest(async () =>
        expect((await ask('GET', '/clientes/antes')).status).toBe(200),
      )
      place.database.faults.delayMs = 0
      expect([made.status, made.body.codigo]).toEqual([201, undefined])
      expect(reading).toBeLessThan(2000)
    })

    test('is slower than any answer may be is given up within ten seconds, and what was begun is whole', async () => {
      await works()
      place.database.faults.delayMs = 2800
      const body = { correo: 'a@tardo.es', domain: 'tardo.es', plan: null }
      // Under a key a change takes one round trip more, in its transaction.
      const key = { 'idempotency-key': 'tardo' }
      const late = ask('PUT', '/altas/tardo:1', body, key)
      const answers = await Promise.all([late, ask('GET', '/clientes/nadie')])
      place.database.faults.delayMs = 0
      expectAway(answers[0])
      expect([404, 503]).toContain(answers[1].status)
      await works()
      const again = await ask('PUT', '/altas/tardo:1', body)
      const all = ['cliente_creado', 'sitio_creado', 'acceso_creado']
      expect([again.status, again.body.hecho]).toEqual(again.status === 201 ? [201, all] : [200, []])
    })

    test('forgets its streams, or ends idle connections, costs at most one 503 a request', async () => {
      for (let i = 0; i < 5; i++) {
        const [answer] = await Promise.all([create(`olvido${i}`), Bun.sleep(i).then(() => forget(i))])
        if (answer.status !== 201) expectAway(answer)
        await works()
        expect([200, 201]).toContain((await create(`olvido${i}`)).status)
      }
    })

    /** Streams forgotten, or every connection closed under the client. */
    function forget(i: number): void {
      if (i % 2 === 0) place.database.forgetStreams()
      else {
        place.database.cut()
        place.database.restore()
      }
    }

    test('loses the answer of a commit: repeating with the same key has one effect and the first answer', async () => {
      const key = { 'idempotency-key': 'perdida' }
      await works()
      // A node has other things to commit besides; one of these is ours.
      place.database.faults.lose = '"COMMIT"'
      const answers = [await create('perdido', key)]
      answers.push(await create('perdido', key), await create('perdido', key))
      for (const answer of answers) if (answer.status !== 201) expectAway(answer)
      expect(answers[2]?.status).toBe(201)
      expect(answers[2]?.headers.get('idempotency-replayed')).toBe('true')
      expect((await namesNow()).filter((name: string) => name === 'perdido')).toHaveLength(1)
    })

    test('dies with a write under way keeps others waiting until it gives the lock up, and no longer', async () => {
      // The begin was done and its answer lost: the server holds the lock for nobody.
      place.database.faults.lose = '"clients'
      const lost = await create('huerfano')
      place.database.faults.lose = null
      expectAway(lost)
      const next = await create('paciente')
      expect(next.status).toBe(201)
      expect(next.ms).toBeLessThan(LONGEST_MS)
    })

    test('comes and goes under load: what was acknowledged is there, what is there was asked for', async () => {
      const asked = Array.from({ length: 40 }, (_, i) => `carga${i}`)
      const flapping = (async () => {
        for (let i = 0; i < 4; i++) {
          // Long enough for a slow machine to end some of them in between.
          await Bun.sleep(500)
          place.database.cut()
          await Bun.sleep(50)
          place.database.restore()
        }
      })()
      const answers = await Promise.all(
        asked.map(async (name, i) => {
          await Bun.sleep(i * 50)
          return { name, answer: await create(name) }
        }),
      )
      await flapping
      await works()
      const there: string[] = (await namesNow()).filter((name: string) => name.startsWith('carga'))
      for (const { name, answer } of answers) {
        if (answer.status === 201) expect(there).toContain(name)
        else expectAway(answer)
      }
      expect(answers.some(({ answer }) => answer.status === 201)).toBe(true)
      for (const name of asked) expect([200, 201]).toContain((await create(name)).status)
      expect((await namesNow()).filter((name: string) => name.startsWith('carga'))).toHaveLength(40)
    })
  })
}
