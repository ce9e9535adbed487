/** A client as the scripted panel keeps it. */
type ScriptedClient = {
  cliente: string
  referencia: string | null
  correo: string
  estado: 'activo' | 'suspendido' | 'eliminando'
  motivo: string | null
  plan: string | null
  domain: string
  /** Whether it has no login yet, as after a migration without mail. */
  noLogin?: boolean
}

type ScriptedRequest = {
  method: string
  path: string
  body: string
  authorization: string | null
  contentType: string | null
}

export type ScriptedPanel = {
  port: number
  requests: ScriptedRequest[]
  clients: Map<string, ScriptedClient>
  plans: string[]
  /** Activation and reset mails sent. */
  mails: string[]
  /** Clients that `GET /uso` tells of with these numbers. */
  usage: Map<string, { disk: number; diskLimit: number | null; traffic: number; trafficLimit: number | null }>
  reset(): void
  stop(): Promise<void>
}

export const TOKEN = 'cpt_Ab3dE9x2FakeSecretOnlyForTests0000000000000000000000000000'

type State = Omit<ScriptedPanel, 'port' | 'reset' | 'stop'>
type Route = (state: State, match: string[], url: URL, body: Record<string, unknown>) => Response

/**
 * An HTTPS server that answers the operations the module calls exactly as the panel does, from
 * a few maps. What the real panel does is tested against the real panel, in `panel.test.ts`.
 */
export function startScriptedPanel(tls: { cert: string; key: string }): ScriptedPanel {
  const state: State = {
    requests: [],
    clients: new Map(),
    plans: ['basico', 'avanzado'],
    mails: [],
    usage: new Map(),
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls,
    fetch: (request) => serve(state, request),
  })
  return {
    ...state,
    port: server.port ?? 0,
    reset: () => {
      state.requests.length = 0
      state.mails.length = 0
      state.clients.clear()
      state.usage.clear()
      state.plans.splice(0, state.plans.length, 'basico', 'avanzado')
    },
    stop: () => server.stop(true),
  }
}

const ROUTES: readonly [method: string, path: RegExp, route: Route][] = [
  ['GET', /^\/conexion$/, connection],
  ['GET', /^\/planes$/, (state, _, url) => page(state.plans, url, (plan) => ({ plan, funciones: [] }))],
  ['GET', /^\/clientes$/, listClients],
  [
    'GET',
    /^\/uso$/,
    (state, _, url) => page([...state.clients.keys()].sort(), url, (name) => usage(state, name)),
  ],
  ['GET', /^\/sitios$/, listSites],
  ['GET', /^\/sitios\/([^/]+)$/, showSite],
  ['PUT', /^\/altas\/([^/]+)$/, provision],
  ['GET', /^\/clientes\/([^/]+)$/, (state, [name = '']) => Response.json(show(state, name))],
  ['GET', /^\/clientes\/([^/]+)\/acceso$/, showLogin],
  ['POST', /^\/clientes\/([^/]+)\/acceso$/, makeLogin],
  ['DELETE', /^\/clientes\/([^/]+)$/, remove],
  ['GET', /^\/clientes\/([^/]+)\/uso$/, (state, [name = '']) => Response.json(usage(state, name))],
  ['POST', /^\/clientes\/([^/]+)\/plan$/, assignPlan],
  ['POST', /^\/clientes\/([^/]+)\/suspender$/, suspend],
  ['POST', /^\/clientes\/([^/]+)\/activar$/, activate],
  ['POST', /^\/clientes\/([^/]+)\/acceso\/restablecer$/, reset],
]

async function serve(state: State, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const text = await request.text()
  const authorization = request.headers.get('authorization')
  const path = `${url.pathname}${url.search}`
  const contentType = request.headers.get('content-type')
  state.requests.push({ method: request.method, path, body: text, authorization, contentType })
  if (!authorization?.startsWith('Bearer ')) return new Response(null, { status: 404 })
  if (authorization !== `Bearer ${TOKEN}`) return problem(401, 'credencial_invalida')
  if (text !== '' && contentType !== 'application/json') return problem(415, 'tipo_no_admitido')
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) // the module sends objects only
  for (const [method, pattern, route] of ROUTES) {
    const match = pattern.exec(url.pathname.replace(/^\/api/, ''))
    if (match === null || method !== request.method) continue
    const names = match.slice(1).map(decodeURIComponent)
    const needsClient = pattern.source.startsWith('^\\/clientes\\/')
    if (needsClient && !state.clients.has(names[0] ?? '')) return problem(404, 'cliente_no_existe')
    return route(state, names, url, body)
  }
  return problem(404, 'no_encontrado')
}

function problem(status: number, codigo: string): Response {
  const body = {
    type: `https://panel/docs/errores#${codigo}`,
    title: codigo,
    status,
    detail: `Because ${codigo}.`,
    codigo,
  }
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } })
}

function connection(): Response {
  return Response.json({
    panel: 'controlpanel',
    version: '0.1.0',
    nodo: 'nodo1',
    hora: '2026-11-21T04:00:00Z',
    credencial: { tipo: 'token', nombre: 'facturacion', rol: 'admin', caduca: '2027-11-20' },
  })
}

function page(keys: readonly string[], url: URL, show: (key: string) => unknown): Response {
  const limit = Math.min(Number(url.searchParams.get('limite') ?? 50), 200)
  const from = url.searchParams.get('desde')
  const rest = from === null ? keys : keys.slice(keys.indexOf(from) + 1)
  const rows = rest.slice(0, limit)
  return Response.json({
    datos: rows.map(show),
    siguiente: rest.length > limit ? (rows.at(-1) ?? null) : null,
  })
}

function listClients(state: State, _: string[], url: URL): Response {
  const reference = url.searchParams.get('referencia')
  const fitting = [...state.clients.values()].filter((c) => reference === null || c.referencia === reference)
  return page(fitting.map((client) => client.cliente).sort(), url, (name) => show(state, name))
}

function show(state: State, name: string): unknown {
  const client = state.clients.get(name)
  if (client === undefined) return null
  const { domain: _, noLogin = false, ...shown } = client
  return {
    ...shown,
    nombre: null,
    suspendido_desde: null,
    nodo: 'nodo1',
    creado_por: 'token',
    acceso: noLogin ? 'sin_acceso' : 'pendiente',
    sitios: client.domain === '' ? 0 : 1,
    disco: null,
    creado: '2026-11-21T04:00:00Z',
    actualizado: '2026-11-21T04:00:00Z',
  }
}

function usage(state: State, name: string): unknown {
  const of = state.usage.get(name) ?? { disk: 0, diskLimit: null, traffic: 0, trafficLimit: null }
  const measure = (used: number, limit: number | null) => ({
    usado: used,
    limite: limit,
    porcentaje: limit === null ? null : (used * 100) / limit,
    nivel: limit !== null && used >= limit ? 'superado' : 'bien',
  })
  return {
    cliente: name,
    plan: state.clients.get(name)?.plan ?? null,
    medido: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    origen: 'cuota',
    periodo: { desde: '2026-11-01', hasta: '2026-12-01' },
    consumo: {
      disco_bytes: measure(of.disk, of.diskLimit),
      inodos: measure(12, 1000),
      trafico_bytes: measure(of.traffic, of.trafficLimit),
      sitios: measure(1, 1),
      aliases: measure(0, 5),
      zonas: measure(1, null),
    },
  }
}

function provision(
  state: State,
  [reference = '']: string[],
  _: URL,
  body: Record<string, unknown>,
): Response {
  const plan = typeof body.plan === 'string' ? body.plan : null
  if (plan !== null && !state.plans.includes(plan)) return problem(409, 'plan_no_existe')
  const domain = String(body.domain).trim().toLowerCase()
  const existing = [...state.clients.values()].find((client) => client.referencia === reference)
  const name = existing?.cliente ?? domain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 60)
  if (existing !== undefined && existing.correo !== String(body.correo))
    return problem(409, 'correo_distinto')
  if (existing === undefined) {
    if (state.clients.has(name)) return problem(409, 'dominio_ocupado')
    const correo = String(body.correo)
    state.clients.set(name, {
      cliente: name,
      referencia: reference,
      correo,
      estado: 'activo',
      motivo: null,
      plan,
      domain,
    })
    state.mails.push(`activation ${correo}`)
  } else if (plan !== null) existing.plan = plan
  const answer = {
    cliente: show(state, name),
    sitio: {
      domain,
      domain_unicode: domain,
      aliases: [],
      cliente: name,
      nodo: 'nodo1',
      estado: 'activo',
      error: null,
    },
    acceso: {
      cliente: name,
      correo: String(body.correo),
      rol: 'client',
      estado: 'pendiente',
      segundo_factor: false,
    },
    hecho: existing === undefined ? ['cliente', 'sitio', 'acceso'] : [],
  }
  return Response.json(answer, { status: existing === undefined ? 201 : 200 })
}

function remove(state: State, [name = '']: string[]): Response {
  state.clients.delete(name)
  return Response.json({ cliente: name, eliminado: true })
}

function assignPlan(state: State, [name = '']: string[], _: URL, body: Record<string, unknown>): Response {
  const client = state.clients.get(name)
  const plan = typeof body.plan === 'string' ? body.plan : null
  if (plan !== null && !state.plans.includes(plan)) return problem(409, 'plan_no_existe')
  if (client !== undefined) client.plan = plan
  return Response.json({ cliente: name, plan, limites: {}, excesos: [] })
}

function suspend(state: State, [name = '']: string[], _: URL, body: Record<string, unknown>): Response {
  const client = state.clients.get(name)
  if (client !== undefined) {
    client.estado = 'suspendido'
    client.motivo = typeof body.motivo === 'string' ? body.motivo : null
  }
  return Response.json(show(state, name))
}

function activate(state: State, [name = '']: string[]): Response {
  const client = state.clients.get(name)
  if (client !== undefined) client.estado = 'activo'
  return Response.json(show(state, name))
}

function site(client: ScriptedClient): unknown {
  const { domain, cliente } = client
  const creado = '2026-11-21T04:00:00Z'
  return {
    domain,
    domain_unicode: domain,
    aliases: [],
    cliente,
    nodo: 'nodo1',
    estado: 'activo',
    error: null,
    creado,
  }
}

function listSites(state: State, _: string[], url: URL): Response {
  const owner = url.searchParams.get('cliente')
  const fitting = [...state.clients.values()].filter(
    (client) => client.domain !== '' && (owner === null || client.cliente === owner),
  )
  const byDomain = new Map(fitting.map((client) => [client.domain, client]))
  return page([...byDomain.keys()].sort(), url, (domain) => {
    const client = byDomain.get(domain)
    return client && site(client)
  })
}

function showSite(state: State, [domain = '']: string[]): Response {
  const client = [...state.clients.values()].find((one) => one.domain === domain.toLowerCase())
  return client === undefined ? problem(404, 'sitio_no_existe') : Response.json(site(client))
}

function login(state: State, name: string): unknown {
  const correo = state.clients.get(name)?.correo
  const enlace = { estado: 'enviado', caduca: '2026-11-21T05:00:00Z' }
  return {
    cliente: name,
    correo,
    rol: 'client',
    estado: 'pendiente',
    segundo_factor: false,
    enlace,
    ultimo_acceso: null,
  }
}

function showLogin(state: State, [name = '']: string[]): Response {
  return state.clients.get(name)?.noLogin
    ? problem(404, 'acceso_no_existe')
    : Response.json(login(state, name))
}

function makeLogin(state: State, [name = '']: string[], _: URL, body: Record<string, unknown>): Response {
  const client = state.clients.get(name)
  if (client === undefined || !client.noLogin) return problem(409, 'acceso_ya_existe')
  client.noLogin = false
  state.mails.push(`activation ${String(body.correo)}`)
  return Response.json(login(state, name), { status: 201 })
}

function reset(state: State, [name = '']: string[]): Response {
  state.mails.push(`reset ${state.clients.get(name)?.correo}`)
  return Response.json({ enviado_a: 'a…@e….es', caduca: null }, { status: 202 })
}
