import { rows, rowsOf } from '../api/store.ts'
import { checkAnswer, type OpenApi } from '../support/openapi.ts'
import type { Panel } from '../support/panel.ts'
import { jsonOf, objectOf, pick, randomFrom, type Schema } from './values.ts'

type Actor = { name: string; bearer: string | null }
/** A panel to be thrown away, who may ask it for something, and what nobody may be shown. */
export type World = { panel: Panel; actors: Actor[]; secrets: string[] }
/** What was wrong, and which statuses were met at all. */
export type Found = { faults: string[]; statuses: number[] }
type Request = { method: string; path: string; headers: Record<string, string>; body: string | null }

/** What an answer must never show, besides the secrets of this run. */
const INSIDE =
  /node_modules|\.ts:\d|SQLITE_|SQLite error|drizzle|\bat \w+ \(|insert into|select .* from |TypeError|undefined is not/i

const CHANGED = ', yet it changed something'

/** Sends so many generated requests as these actors; answers what was not as the document says. */
export async function fuzz(world: World, seed: number, rounds: number): Promise<Found> {
  const { panel, actors } = world
  const document: OpenApi & Schema = await (await panel.fetch('/openapi.json')).json()
  const random = randomFrom(seed)
  const faults: string[] = []
  const statuses = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const actor = pick(random, actors)
    const request = requestOf(document, random)
    const ask = () => faultOf(world, document, actor, request, statuses)
    const first = await ask()
    // The panel's own work goes on beside: what a request changed by being refused, it changes again.
    const fault = first?.endsWith(CHANGED) ? await ask() : first
    if (fault) faults.push(`seed ${seed}, round ${round}, as ${actor.name}: ${told(request)}\n  ${fault}`)
  }
  return { faults, statuses: [...statuses].sort() }
}

const told = ({ method, path, body }: Request) => `${method} ${path} ${body?.slice(0, 300) ?? ''}`

async function faultOf(
  { panel, secrets }: World,
  document: OpenApi,
  actor: Actor,
  request: Request,
  statuses: Set<number>,
): Promise<string | null> {
  const { method, path, headers, body } = request
  const before = stateOf(panel)
  const authorization: Record<string, string> =
    actor.bearer === null ? {} : { authorization: `Bearer ${actor.bearer}` }
  const response = await panel.fetch(path, {
    method,
    headers: { ...headers, ...authorization },
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  statuses.add(response.status)
  if (path.startsWith('/api') && actor.bearer === null)
    return response.status === 404 && text === ''
      ? null
      : `the gate answered ${response.status} ${text.slice(0, 200)}`
  if (response.status >= 500) return `${response.status} ${text.slice(0, 300)}`
  if (!response.headers.get('x-request-id')) return `${response.status} without a request id`
  if (INSIDE.test(text)) return `shows its inside: ${text.slice(0, 300)}`
  if (secrets.some((secret) => text.includes(secret))) return `shows a secret: ${text.slice(0, 300)}`
  if (response.status >= 400 && before !== null && before !== stateOf(panel))
    return `${response.status}${CHANGED}`
  try {
    const json = response.headers.get('content-type')?.includes('json')
    checkAnswer(
      document,
      method,
      new URL(path, panel.origin).pathname,
      response,
      json ? JSON.parse(text) : text,
    )
    return null
  } catch (error) {
    return String(error).slice(0, 500)
  }
}

/** What requests alone write; null while background work goes on, which writes too. */
function stateOf(panel: Panel): string | null {
  const working = rows(panel, "select 1 from jobs where state in ('pendiente', 'en_curso') limit 1")
  if (working.length > 0) return null
  const tables = rows<{ name: string }>(panel, "select name from sqlite_master where type = 'table'")
  const kept = tables.map(({ name }) => name).filter((name) => !BESIDE.has(name))
  return Bun.hash(JSON.stringify(rowsOf(panel, kept), withoutUse)).toString()
}

/** What a refusal may write, too: that it was asked, and what guesses at an account are counted. */
const BESIDE = new Set([
  'audit',
  'sqlite_sequence',
  'counters',
  'idempotency',
  'nodes',
  'leases',
  'mails',
  'settings',
])
/** Beside what uses count: what the minute's look at delegations writes without a request. */
const USE = /last_used|^failures$|locked_until|^delegation$|next_look_at/
const withoutUse = (name: string, value: unknown) => (USE.test(name) ? undefined : value)

function requestOf(document: Schema, random: () => number): Request {
  // What the clock starts is rarely asked for: it works for a while.
  const scheduled = random() < 0.03
  const template = pick(
    random,
    Object.keys(document.paths).filter((one) => one.startsWith('/cron') === scheduled),
  )
  const method = pick(random, Object.keys(document.paths[template]))
  const operation = document.paths[template][method]
  const of = (where: string) => (operation.parameters ?? []).filter((one: Schema) => one.in === where)
  const segments: Record<string, string> = Object.fromEntries(
    of('path').map(({ name, schema }: Schema) => [name, segment(jsonOf(schema, random, document))]),
  )
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '')
  const query = of('query')
    .filter(() => random() < 0.4)
    .flatMap(({ name, schema }: Schema) => {
      const pair = `${name}=${segment(jsonOf(schema, random, document))}`
      return random() < 0.05 ? [pair, pair] : [pair]
    })
  if (random() < 0.03) query.push('sobra=1')
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    ...bodyOf(operation, random, document),
  }
}

function bodyOf(
  operation: Schema,
  random: () => number,
  document: Schema,
): Pick<Request, 'headers' | 'body'> {
  const [type, content] = Object.entries<Schema>(operation.requestBody?.content ?? {})[0] ?? []
  if (!type) return { headers: {}, body: null }
  const sent = random() < 0.04 ? pick(random, ['text/plain', 'application/xml', '']) : type
  const { schema } = content
  const body =
    schema.properties && random() < 0.95
      ? objectOf(schema, random, document)
      : jsonOf(schema, random, document)
  return { headers: { 'content-type': sent }, body: type === 'text/dns' ? content.example : body }
}

/** A value in a path or a query; what no URL can hold is left out. */
function segment(json: string): string {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json
  const whole = text.toWellFormed().slice(0, 2000)
  return whole === '.' || whole === '..' ? 'x' : encodeURIComponent(whole)
}
