import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { newCustomer, ROOMY } from './people.ts'
import { plant } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let job: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await newCustomer(panel, token, 'ana')
  await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'ana', domain: 'ana.es' } })
  const { body } = await panel.api('GET', '/tareas?cliente=ana&limite=1', { bearer: token })
  job = body.datos[0].id
})
afterAll(() => panel.stop())

/** Makes the job one of another node, which this one leaves alone, and sets how far it is. */
const goOn = (done: number) =>
  plant(
    panel,
    "update jobs set node = 'nodo9', state = 'en_curso', finished_at = null, progress = ? where id = ?",
    ...[JSON.stringify({ done, total: 9, unit: 'pasos' }), job],
  )

async function follow(bearer: string) {
  const answer = await panel.fetch(`/api/tareas/${job}`, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'text/event-stream' },
  })
  if (answer.status !== 200) return { status: answer.status, jobs: [], ended: Promise.resolve() }
  const jobs: Json[] = []
  const ended = (async () => {
    let text = ''
    for await (const bytes of answer.body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(bytes)
      jobs.splice(
        0,
        jobs.length,
        ...[...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data)),
      )
    }
  })()
  return { status: 200, jobs, ended }
}
const told = (jobs: Json[], done: number) =>
  eventually(async () => jobs.at(-1)?.progreso?.hecho === done, `told of ${done} steps`)

describe('a job that is followed', () => {
  test('is told at once, at each change, and until it is over', async () => {
    goOn(1)
    const { jobs, ended } = await follow(token)
    await told(jobs, 1)
    goOn(2)
    await told(jobs, 2)
    plant(panel, "update jobs set state = 'hecha' where id = ?", job)
    await ended
    expect(jobs.map(({ estado }) => estado)).toEqual(['en_curso', 'en_curso', 'hecha'])
    expect(jobs[0]).toEqual(expect.objectContaining({ id: job, cliente: 'ana' }))
  })

  test('is not told to another customer, nor to a bearer that was revoked meanwhile', async () => {
    goOn(3)
    const bea = await newCustomer(panel, token, 'bea')
    expect((await follow(bea.bearer)).status).toBe(404)
    const other = await newToken(panel, admin, 'otro')
    const { jobs, ended } = await follow(other)
    await told(jobs, 3)
    const { body } = await panel.api('GET', '/tokens', { bearer: token })
    const { id } = body.datos.find(({ nombre }: Json) => nombre === 'otro')
    await panel.api('DELETE', `/tokens/${id}`, { bearer: token })
    await ended
    goOn(4)
    expect(jobs).toHaveLength(1)
  })

  test('is followed thirty times a minute at most', async () => {
    plant(panel, "update jobs set state = 'hecha' where id = ?", job)
    const bearer = await newToken(panel, admin, 'impaciente')
    const statuses = await Promise.all(Array.from({ length: 31 }, async () => (await follow(bearer)).status))
    expect(statuses.toSorted()).toEqual([...Array(30).fill(200), 429])
  })
})
