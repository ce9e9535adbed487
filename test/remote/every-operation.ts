import { expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import { takesStream } from '../../lib/endpoint/handler.ts'
import { operationOf } from '../../lib/endpoint/invoke.ts'
import { enqueueLink } from '../../lib/identity/links.ts'
import { parseKeyRing } from '../../lib/secrets/keys.ts'
import { newLinkUrl } from '../../lib/secrets/links.ts'
import { totpCode, totpStep } from '../../lib/sign-in/totp.ts'
import type { Database } from '../../lib/store/database.ts'
import { clients, jobs, mirrors, nodes, persons, schedules } from '../../schema/tables.ts'
import { Authenticator } from '../support/authenticator.ts'
import type { PowerDns } from '../support/providers/powerdns.ts'
import { random, seedAdmin } from '../support/seed.ts'

/** Bearer; all that is looked at; the change and what it answers. A key's answer is kept with the commit. */
const PROVISION_TRIPS = 3
const ORIGIN = 'https://panel.test'
/** A PNG of 16 by 16 pixels. */
const SQUARE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOoko8hCTGMahjVMHw1AABfCfUB6UP8LgAAAABJRU5ErkJggg=='
/** The password that the admin begins with. */
export const PASSWORD = 'una frase larga y rara 7'

/** A host to ask, and what the story needs beside it. */
export type World = {
  fetch(request: Request): Promise<Response>
  /** Round trips that requests have taken so far. */
  trips(): number
  db: Database
  keyLine: string
  admin: Awaited<ReturnType<typeof seedAdmin>>
  /** Where the zone is mirrored to. */
  provider: PowerDns
  /** Whether every change carries an Idempotency-Key of its own. */
  keyed: boolean
}

type Options = {
  bearer?: string
  body?: unknown
  raw?: string
  headers?: Record<string, string>
  /** One, or those that it may be where work is done sooner or later. */
  status?: number | number[]
}

/** A change with a bearer, but for those whose answer is never kept. */
function takesKey(operation: string): boolean {
  const handler = handlers.find((one) => operationOf(one) === operation)
  if (!handler || handler.secret || takesStream(handler)) return false
  return handler.method !== 'GET' && fullPath(handler).startsWith('/api/')
}

function operationAt(method: string, path: string): string {
  const parts = (path.split('?')[0] ?? '').split('/')
  const found = handlers.find((handler) => {
    const pattern = fullPath(handler).split('/')
    const fits = pattern.every((part, i) => part.startsWith(':') || part === parts[i])
    return handler.method === method && pattern.length === parts.length && fits
  })
  if (!found) throw new Error(`no handler for ${method} ${path}`)
  return operationOf(found)
}

const as = (bearer: string) => ({ bearer })

/** A story in which every operation is asked, and how many round trips each took. */
export class EveryOperation {
  /** The most round trips that each operation took. */
  readonly trips = new Map<string, number>()
  readonly #world: World
  #admin: World['admin']
  #codeSteps = 0
  #calls = 0

  constructor(world: World) {
    this.#world = world
    this.#admin = world.admin
  }

  async tell(): Promise<void> {
    await this.#operators()
    await this.#customers()
    await this.#zonesAndMirror()
    await this.#people()
    await this.#endings()
  }

  /** One request; its round trips are noted under the operation that it reached. */
  async #call(method: string, path: string, options: Options = {}) {
    const { body, raw, headers = {}, status = 200 } = options
    const bearer = path.startsWith('/api') ? (options.bearer ?? this.#admin.bearer) : undefined
    const operation = operationAt(method, path)
    const key = this.#world.keyed && takesKey(operation) ? { 'idempotency-key': `${this.#calls++}` } : {}
    const before = this.#world.trips()
    const response = await this.#world.fetch(
      new Request(ORIGIN + path, {
        method,
        headers: {
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...key,
          ...headers,
        },
        ...(body === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(body) }),
      }),
    )
    const taken = this.#world.trips() - before
    this.trips.set(operation, Math.max(taken, this.trips.get(operation) ?? 0))
    const text = await response.text()
    if (![status].flat().includes(response.status))
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    const answer = text === '' || !text.startsWith('{') ? text : JSON.parse(text)
    return { body: answer, headers: response.headers, taken }
  }

  /** A host without a node names the one where they are, and queues what is to be done there. */
  /** With a logo. */
  async #appearance(): Promise<void> {
    const paginas = { desconocida: { titulo: 'Nada aquí', texto: 'Este nombre no es de ningún sitio.' } }
    const shown = { nombre: 'Ejemplo', color: '#7a1f5c', soporte: 'https://ayuda.ejemplo.net' }
    const body = { ...shown, logo: SQUARE, paginas }
    await this.#call('PUT', '/api/apariencia', { body })
    await this.#call('GET', '/api/apariencia')
    await this.#call('GET', '/acceso/apariencia')
    await this.#call('GET', '/acceso/apariencia/logo?version=1')
  }

  async #files(site: string): Promise<void> {
    const ruta = '?ruta=/public/a'
    const [read, written, gone] = [{ status: [200, 409] }, { status: [201, 409] }, { status: [204, 409] }]
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'upload-length': '1' }
    const upload = `${site}/subidas/${'0'.repeat(32)}`
    await this.#call('GET', `${site}/archivos?ruta=/public`, read)
    await this.#call('GET', `${site}/archivos/contenido${ruta}`, read)
    await this.#call('GET', `${site}/archivos/zip${ruta}`, read)
    await this.#call('GET', `${site}/archivos/buscar?nombre=a`, read)
    await this.#call('GET', `${site}/archivos/papelera`, read)
    // A host without a node has none.
    await this.#call('GET', '/api/papelera', { status: [200, 503] })
    const noEntry = { status: [404, 503] }
    await this.#call('POST', '/api/papelera/sitio-0/restaurar', noEntry)
    const purge = { body: { confirmar: 'ejemplo.es' }, ...noEntry }
    await this.#call('DELETE', '/api/papelera/sitio-0', purge)
    await this.#call('PUT', `${site}/archivos/contenido${ruta}`, { raw: 'a', ...written })
    await this.#call('DELETE', `${site}/archivos/contenido${ruta}`, read)
    const body = { operacion: 'borrar', rutas: ['/public/a'] }
    await this.#call('POST', `${site}/archivos/operaciones`, { body, status: [200, 202] })
    const [job] = (await this.#call('GET', '/api/tareas?limite=1')).body.datos
    await this.#call('GET', `/api/tareas/${job.id}`)
    const headers = { ...tus, 'upload-metadata': `ruta ${btoa('/public/a')}` }
    await this.#call('POST', `${site}/htaccess?simular=si`, read)
    await this.#call('POST', `${site}/subidas`, { headers, ...written })
    await this.#call('GET', upload, read)
    const part = { ...tus, 'content-type': 'application/offset+octet-stream' }
    await this.#call('PATCH', upload, { raw: 'a', headers: part, ...gone })
    await this.#call('DELETE', upload, gone)
  }

  /** Each code works once, so the next step's is taken; those of one step ahead are accepted. */
  #codeOf(totp: string) {
    return totpCode(totp, totpStep(new Date()) + this.#codeSteps)
  }

  async #linkFor(personId: string): Promise<string> {
    const services = {
      now: () => new Date(),
      random,
      keys: parseKeyRing(this.#world.keyLine),
      config: { origin: '' } as never,
    }
    const url = await this.#world.db.write(async (tx) =>
      newLinkUrl(
        services,
        enqueueLink(tx, services, {
          personId,
          purpose: 'activar',
          expiresAt: new Date(Date.now() + 3_600_000),
        }),
      ),
    )
    return url.reveal().split('#')[1] ?? ''
  }

  async #personOf(name: string): Promise<string> {
    const row = await this.#world.db.read
      .select({ id: persons.id })
      .from(persons)
      .innerJoin(clients, eq(clients.id, persons.clientId))
      .where(eq(clients.name, name))
      .get()
    return row?.id ?? ''
  }

  async #operators() {
    await this.#call('GET', '/api/conexion')
    await this.#call('POST', '/api/planes', { body: { plan: 'basico', sitios: 10, zonas: 10 }, status: 201 })
    await this.#call('POST', '/api/planes', { body: { plan: 'otro' }, status: 201 })
    await this.#call('GET', '/api/planes')
    await this.#call('GET', '/api/planes/basico')
    await this.#call('PATCH', '/api/planes/basico', { body: { plan: 'normal', aliases: 9 } })
    await this.#call('DELETE', '/api/planes/otro')
    const key = { 'idempotency-key': 'one' }
    const acme = { cliente: 'acme', referencia: 'r:1', plan: 'normal' }
    await this.#call('POST', '/api/clientes', { body: acme, status: 201, headers: key })
    await this.#call('POST', '/api/clientes', { body: acme, status: 201, headers: key })
    await this.#call('POST', '/api/clientes', { body: acme })
    await this.#call('POST', '/api/clientes', { body: { cliente: 'acme' }, status: 409 })
    await this.#call('GET', '/api/clientes')
    await this.#call('GET', '/api/clientes/acme')
    await this.#call('PATCH', '/api/clientes/acme', { body: { nombre: 'Acme', referencia: 'r:2' } })
    await this.#call('POST', '/api/clientes/acme/plan', { body: { plan: 'normal' } })
    await this.#call('POST', '/api/clientes/acme/plan', { body: { plan: 'ninguno' }, status: 409 })
    await this.#call('GET', '/api/clientes/acme/uso')
    await this.#call('GET', '/api/clientes/acme/uso/historial')
    await this.#call('GET', '/api/uso')
    const alta = { correo: 'ana@cliente.es', domain: 'ana.es', aliases: ['www.ana.es'], plan: 'normal' }
    const provisioned = await this.#call('PUT', '/api/altas/w:1', { body: alta, status: 201 })
    const repeated = await this.#call('PUT', '/api/altas/w:1', { body: alta })
    const most = PROVISION_TRIPS + Number(this.#world.keyed)
    expect([provisioned.taken, repeated.taken]).toEqual([most, most])
    const second = { ...alta, domain: 'eva.es', aliases: [] }
    const again = { 'idempotency-key': 'two' }
    await this.#call('PUT', '/api/altas/w:2', { body: second, status: 201, headers: again })
    await this.#call('PUT', '/api/altas/w:2', { body: second, status: 201, headers: again })
    await this.#call('PUT', '/api/altas/w:2', { body: second })
    const more = { ...second, aliases: ['www.eva.es'], plan: null, nombre: 'Eva' }
    await this.#call('PUT', '/api/altas/w:2', { body: more })
    await this.#call('PUT', '/api/altas/w:4', { body: { ...alta, domain: 'sub.ana.es' }, status: 409 })
    await this.#call('PUT', '/api/altas/w:3?simular=si', {
      body: { ...alta, domain: 'leo.es', aliases: undefined },
    })
    const site = { cliente: 'acme', domain: 'acme.es', aliases: ['www.acme.es', 'acme.com'] }
    await this.#call('POST', '/api/sitios', { body: site, status: 201 })
    await this.#call('POST', '/api/sitios', { body: site })
    await this.#call('POST', '/api/sitios', { body: { cliente: 'acme', domain: 'www-too.es' }, status: 201 })
    await this.#call('PATCH', '/api/sitios/www-too.es', { body: { aliases: [] } })
    await this.#call('POST', '/api/sitios', { body: { ...site, domain: 'sub.ana.es' }, status: 409 })
    await this.#call('GET', '/api/sitios')
    await this.#call('GET', '/api/sitios/acme.es')
    await this.#call('GET', '/api/sitios/acme.es/conexion')
    await this.#call('GET', '/api/sitios/acme.es/portada', { status: [200, 409, 503] })
    await this.#call('GET', '/api/resumen')
    await this.#call('GET', '/api/resumen?comprobar=si')
    await this.#appearance()
    await this.#call('PUT', '/api/resumen/puesta-en-marcha', {
      body: { oculta: true, descartados: ['token'] },
    })
    await this.#call('POST', '/api/correo/prueba', { status: 202 })
    const words = { asunto: 'Prueba de {host}', texto: 'Llega.' }
    const { bearer } = this.#admin
    await this.#call('GET', '/api/correo/textos', { bearer })
    await this.#call('PUT', '/api/correo/textos/prueba', { bearer, body: { es: words, en: words } })
    await this.#call('DELETE', '/api/correo/textos/prueba', { bearer })
    await this.#call('PATCH', '/api/sitios/acme.es', {
      body: { aliases: ['web.acme.es'], php: '8.2', solo_https: true },
    })
    await this.#call('PATCH', '/api/sitios/acme.es', { body: { cache: { segundos: 60 } } })
    await this.#call('PATCH', '/api/sitios/acme.es', { body: { php_ajustes: { segundos: 30 } } })
    await this.#call('DELETE', '/api/sitios/acme.es/cache')
    await this.#call('PATCH', '/api/sitios/acme.es', {
      body: {
        ...{ raiz_web: 'public/web', indice_spa: true, protegidas: [{ ruta: '/privado', usuario: 'ana' }] },
        redirecciones: [{ de: '/a', a: '/b' }],
        paginas_error: { 404: '/errores/404.html' },
        indice: ['portada.html'],
      },
    })
    const guard = '/api/sitios/acme.es/protegidas/%2Fprivado/contrasena'
    await this.#call('POST', guard, { status: 201 })
    await this.#call('GET', '/api/sitios/acme.es/bitacora', { status: [200, 409, 503] })
    await this.#call('GET', '/api/sitios/acme.es/bitacora/horas', { status: [200, 409, 503] })
    const tasks = '/api/sitios/acme.es/programadas'
    await this.#call('POST', tasks, { body: { cuando: '0 3 * * *', orden: ['true'] }, status: 201 })
    await this.#call('GET', tasks)
    const task = await this.#world.db.read.select().from(schedules).get()
    await this.#call('PATCH', `${tasks}/${task?.id}`, { body: { activa: false } })
    await this.#call('POST', `${tasks}/${task?.id}/ejecutar`, { status: 202 })
    await this.#call('GET', `${tasks}/${task?.id}/ejecuciones`)
    await this.#call('DELETE', `${tasks}/${task?.id}`)
    await this.#call('GET', '/api/aplicaciones')
    await this.#call('GET', '/api/sitios/acme.es/aplicacion')
    const wordpress = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }
    const byPerson = { bearer: this.#admin.bearer, body: wordpress, status: 202 }
    await this.#call('POST', '/api/sitios/acme.es/aplicacion', byPerson)
    // It is there once its work has ended.
    const session = { bearer: this.#admin.bearer, status: [201, 404, 409] }
    await this.#call('POST', '/api/sitios/acme.es/aplicacion/sesion', session)
    const update = '/api/sitios/acme.es/aplicacion/actualizar'
    await this.#call('POST', update, { status: [202, 404, 409] })
    const copies = { body: { domain: 'prueba.acme.es' }, status: [202, 404, 409] }
    await this.#call('POST', '/api/sitios/acme.es/clonar', copies)
    await this.#call('POST', '/api/sitios/acme.es/publicar', { body: {}, status: [202, 404, 409] })
    await this.#call('POST', '/api/sitios/acme.es/aplicacion/deshacer', { status: [202, 404, 409] })
    const sftp = '/api/clientes/acme/cuentas-sftp'
    await this.#call('POST', sftp, { body: { cuenta: 'acme_uno', sitio: 'acme.es' }, status: 201 })
    await this.#call('POST', sftp, { status: 201 })
    await this.#call('GET', sftp)
    await this.#call('PUT', `${sftp}/acme/llaves`, { body: { llaves: [] } })
    await this.#call('POST', `${sftp}/acme/contrasena`, { status: 201 })
    await this.#call('DELETE', `${sftp}/acme/contrasena`)
    await this.#call('DELETE', `${sftp}/acme_uno`)
    await this.#files('/api/sitios/acme.es')
    await this.#call('POST', '/api/sitios/acme.es/https', { status: 202 })
    const base = { cliente: 'acme', base: 'tienda' }
    await this.#call('POST', '/api/bases', { body: base, status: 201 })
    await this.#call('POST', '/api/bases', { body: base })
    await this.#call('GET', '/api/bases')
    const account = await this.#call('POST', '/api/bases/acme_tienda/cuentas', {
      bearer: this.#admin.bearer,
      body: { usuario: 'informes', solo_lectura: true },
      status: 201,
    })
    await this.#call('DELETE', `/api/bases/acme_tienda/cuentas/${account.body.usuario}`)
    await this.#call('GET', '/api/bases/acme_tienda')
    await this.#call('POST', '/api/bases/acme_tienda/sesion', {
      bearer: this.#admin.bearer,
      status: [201, 409, 503],
    })
    const dump = { ruta: '/sitios/acme.es/public/a.sql' }
    await this.#call('POST', '/api/bases/acme_tienda/cargar', { body: dump, status: [202, 409, 503] })
    await this.#call('GET', '/api/bases/acme_tienda/volcado', { status: [200, 409, 503] })
    await this.#copies()
    await this.#call('POST', '/api/clientes/acme/acceso', {
      body: { correo: 'acme@cliente.es' },
      status: 201,
    })
    await this.#call('GET', '/api/clientes/acme/acceso')
    await this.#call('POST', '/api/clientes/acme/acceso/restablecer', { status: 202 })
    await this.#call('POST', '/api/clientes/acme/suspender', { body: { motivo: 'impago' } })
    await this.#call('POST', '/api/clientes/acme/suspender')
    await this.#call('POST', '/api/clientes/acme/activar')
    await this.#call('GET', '/api/auditoria')
    await this.#call('GET', '/api/eventos')
    await this.#call('GET', '/api/tareas')
    const job = await this.#world.db.read.select().from(jobs).get()
    // On a node it is done by now.
    await this.#call('POST', `/api/tareas/${job?.id}/reintentar`, { status: [200, 409] })
    await this.#call('GET', `/api/tareas/${job?.id}`)
    await this.#call('DELETE', `/api/tareas/${job?.id}`, { status: 409 })
    await this.#call('GET', '/api/nodos')
    await this.#call('GET', '/api/nodos/nodo1')
    await this.#call('GET', '/api/nodos/nodo1/historial')
    const gone = new Date(0)
    const lost = { name: 'nodo9', addresses: [], nameServers: [], services: [], version: '0' }
    await this.#world.db.write(async (tx) =>
      tx.later(tx.insert(nodes).values({ ...lost, startedAt: gone, seenAt: gone })),
    )
    await this.#call('DELETE', '/api/nodos/nodo9', { body: { confirmar: 'nodo9' } })
  }

  async #customers() {
    const enlace = await this.#linkFor(await this.#personOf('acme'))
    await this.#call('POST', '/acceso/enlace', { body: { enlace } })
    const spent = await this.#call('POST', '/acceso/enlace/gastar', {
      body: { enlace, contrasena: PASSWORD },
    })
    const totp = spent.body.totp.secreto
    const { paso_token } = spent.body
    const enrolled = await this.#call('POST', '/acceso/segundo-factor/inscribir', {
      body: { paso_token, codigo: await this.#codeOf(totp) },
    })
    const cookie = { cookie: enrolled.headers.get('set-cookie')?.split(';')[0] ?? '' }
    await this.#call('GET', '/api/clientes/acme', as(enrolled.body.sesion))
    await this.#call('POST', '/acceso/renovar', { headers: cookie })
    await this.#call('POST', '/acceso/salir', { headers: cookie })
    const login = { correo: 'acme@cliente.es', contrasena: PASSWORD }
    await this.#call('POST', '/acceso/entrar', {
      body: { ...login, contrasena: 'otra frase larga y rara' },
      status: 401,
    })
    const entered = await this.#call('POST', '/acceso/entrar', { body: login })
    this.#codeSteps = 1
    await this.#call('POST', '/acceso/segundo-factor', {
      body: { paso_token: entered.body.paso_token, codigo: await this.#codeOf(totp) },
    })
    await this.#call('POST', '/acceso/olvido', { body: { correo: 'ana@cliente.es' }, status: 202 })
    await this.#call('POST', '/acceso/olvido', { body: { correo: 'nadie@cliente.es' }, status: 202 })
  }

  async #zonesAndMirror() {
    await this.#call('POST', '/api/zonas', { body: { cliente: 'acme', zona: 'acme.net' }, status: 201 })
    await this.#call('GET', '/api/zonas')
    await this.#call('GET', '/api/zonas/acme.net')
    await this.#call('GET', '/api/zonas/acme.net/registros')
    await this.#call('PUT', '/api/zonas/acme.net/registros/mail/A', {
      body: { ttl: 300, valores: ['192.0.2.7'] },
    })
    await this.#call('DELETE', '/api/zonas/acme.net/registros/mail/A')
    await this.#call('GET', '/api/zonas/acme.net/historial')
    await this.#call('GET', '/api/zonas/acme.net/conexion')
    await this.#call('GET', '/api/zonas/acme.net/correo')
    await this.#call('GET', '/api/registros?buscar=acme.net')
    const file = await this.#call('GET', '/api/zonas/acme.net/exportar')
    const zone = { raw: `${file.body}\nftp 300 IN A 192.0.2.8\n`, headers: { 'content-type': 'text/dns' } }
    await this.#call('POST', '/api/zonas/acme.net/importar', zone)
    await this.#call('POST', '/api/zonas/acme.net/dnssec')
    await this.#call('DELETE', '/api/zonas/acme.net/dnssec')
    await this.#call('GET', '/api/dns/proveedor', { status: 404 })
    await this.#call('DELETE', '/api/dns/proveedor', { status: 404 })
    await this.#call('GET', '/api/espejo')
    await this.#call('GET', '/api/zonas/acme.net/espejo', { status: 404 })
    await this.#call('PUT', '/api/zonas/acme.net/espejo', { status: 409 })
    await this.#call('DELETE', '/api/zonas/acme.net/espejo', { status: 404 })
    await this.#call('POST', '/api/zonas/acme.net/espejo/sincronizar', { status: 404 })
    const provider = { tipo: 'powerdns', credencial: 'clave', url: 'http://127.0.0.1:1' }
    await this.#call('PUT', '/api/dns/proveedor', { ...as(this.#admin.bearer), body: provider, status: 502 })
    const account = {
      ...as(this.#admin.bearer),
      body: { ...provider, credencial: this.#world.provider.key, url: this.#world.provider.origin },
    }
    await this.#call('PUT', '/api/dns/proveedor', account)
    await this.#call('PUT', '/api/dns/proveedor', account)
    await this.#call('GET', '/api/dns/proveedor')
    await this.#call('PUT', '/api/zonas/acme.net/espejo', { status: 201 })
    await this.#call('GET', '/api/espejo')
    await this.#call('GET', '/api/zonas/acme.net/espejo')
    await this.#call('PUT', '/api/zonas/acme.net/espejo')
    await this.#call('POST', '/api/zonas/acme.net/espejo/sincronizar', { status: 202 })
    // As the worker leaves it.
    await this.#world.db.write(async (tx) =>
      tx.later(tx.update(mirrors).set({ state: 'al_dia', remoteId: 'acme.net.' })),
    )
    await this.#call('PUT', '/api/dns/proveedor', { ...account, status: 409 })
    await this.#call('DELETE', '/api/zonas/acme.net/espejo', { status: 202 })
    await this.#call('DELETE', '/api/dns/proveedor', { status: 202 })
  }

  /** Where there is nothing to keep copies in; on a node, `test/copies/copies.test.ts` makes some. */
  async #copies() {
    const destination = { tipo: 'carpeta', url: '/nonexistent', contrasena: 'una frase larga' }
    const entered = { ...as(this.#admin.bearer), body: destination }
    await this.#call('PUT', '/api/copias/destino', { ...entered, status: [409, 502] })
    await this.#call('GET', '/api/copias/destino', { status: 404 })
    await this.#call('DELETE', '/api/copias/destino', { status: 404 })
    const copies = '/api/clientes/acme/copias'
    await this.#call('GET', copies)
    await this.#call('POST', copies, { status: 409 })
    await this.#call('GET', `${copies}/cop_0/archivos`, { status: 409 })
    await this.#call('GET', `${copies}/cop_0/archivo?sitio=acme.es`, { status: 409 })
    // Nodes that really move a client are in `test/moves`.
    const move = '/api/clientes/acme/mudar'
    await this.#call('POST', move, { body: { nodo: 'nodo9' }, status: 409 })
    await this.#call('POST', '/api/nodos/nodo9/vaciar', { body: { nodo: 'nodo1' }, status: 404 })
    await this.#call('GET', move, { status: 404 })
    await this.#call('POST', `${move}/confirmar`, { status: 404 })
    await this.#call('DELETE', move, { status: 404 })
    const restore = { sitio: 'acme.es', modo: 'aparte' }
    await this.#call('POST', `${copies}/cop_0/restaurar`, { body: restore, status: 409 })
    const archive = { cliente: 'acme', origen: 'hestia', ruta: 'no-hay.tar' }
    await this.#call('GET', '/api/importaciones', { status: [200, 503] })
    await this.#call('POST', '/api/importaciones', { body: archive, status: [202, 409, 503] })
  }

  async #webhooks() {
    const body = { url: 'https://avisos.invalid/panel', tipos: ['*'] }
    const made = await this.#call('POST', '/api/avisos', { body, status: 201 })
    const webhook = `/api/avisos/${made.body.id}`
    await this.#call('GET', '/api/avisos')
    await this.#call('GET', webhook)
    await this.#call('PATCH', webhook, { body: { tipos: ['sitio.error'] } })
    await this.#call('POST', `${webhook}/secreto`)
    const tested = await this.#call('POST', `${webhook}/probar`)
    await this.#call('GET', `${webhook}/entregas`)
    await this.#call('POST', `${webhook}/entregas/${tested.body.id}/repetir`, { status: 202 })
    await this.#call('DELETE', webhook)
  }

  async #people() {
    const me = as(this.#admin.bearer)
    const caduca = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)
    const made = await this.#call('POST', '/api/tokens', {
      ...me,
      body: { nombre: 'uno', caduca },
      status: 201,
    })
    await this.#call('GET', '/api/tokens')
    await this.#call('DELETE', `/api/tokens/${made.body.id}`)
    await this.#webhooks()
    await this.#call('GET', '/api/yo', me)
    await this.#call('PATCH', '/api/yo', { ...me, body: { idioma: 'en' } })
    await this.#call('GET', '/api/yo/sesiones', me)
    await this.#call('POST', '/api/yo/codigos-recuperacion', { ...me, body: { contrasena: PASSWORD } })
    const invited = await this.#call('POST', '/api/personas', {
      ...me,
      body: { correo: 'b@host.net' },
      status: 201,
    })
    await this.#call('GET', '/api/personas')
    await this.#call('DELETE', `/api/personas/${invited.body.id}/segundo-factor`, {
      ...me,
      body: { contrasena: PASSWORD },
    })
    await this.#call('PATCH', `/api/personas/${invited.body.id}`, { body: { activa: false } })
    await this.#call('PATCH', `/api/personas/${invited.body.id}`, { body: { activa: true } })
    const opened = await this.#call('POST', '/api/clientes/acme/suplantar', {
      ...me,
      body: { motivo: 'ayuda' },
      status: 201,
    })
    const theirs = as(opened.body.sesion)
    await this.#call('GET', '/api/clientes/acme', theirs)
    await this.#names(theirs)
    await this.#call('PUT', '/api/clientes/acme/correo', {
      ...me,
      body: { correo: 'x@cliente.es', contrasena: PASSWORD },
    })
    await this.#call('DELETE', '/api/clientes/acme/acceso/segundo-factor', {
      ...me,
      body: { contrasena: PASSWORD },
    })
    const factor = await this.#call('POST', '/api/yo/segundo-factor', {
      ...me,
      body: { contrasena: PASSWORD },
    })
    this.#codeSteps = 0
    const { paso_token, totp } = factor.body
    const codigo = await this.#codeOf(totp.secreto)
    await this.#call('POST', '/api/yo/segundo-factor/confirmar', { ...me, body: { paso_token, codigo } })
    this.#admin = {
      ...this.#admin,
      ...(await seedAdmin(this.#world.db, parseKeyRing(this.#world.keyLine), '', 'c@host.net')),
    }
    await this.#call('PUT', '/api/yo/contrasena', {
      ...me,
      body: { actual: PASSWORD, nueva: `${PASSWORD} y otra` },
    })
    await this.#passkeys(me)
    const sessions = await this.#call('GET', '/api/yo/sesiones', me)
    await this.#call('DELETE', `/api/yo/sesiones/${sessions.body.datos[0].id}`, me)
  }

  async #passkeys(me: { bearer: string }) {
    const body = { contrasena: `${PASSWORD} y otra` }
    const key = new Authenticator(ORIGIN)
    const begun = await this.#call('POST', '/api/yo/llaves-de-acceso/reto', { ...me, body })
    const credencial = key.create(begun.body.opciones)
    const added = { body: { nombre: 'Móvil', credencial }, status: 201 }
    const made = await this.#call('POST', '/api/yo/llaves-de-acceso', { ...me, ...added })
    await this.#call('GET', '/api/yo/llaves-de-acceso', me)
    const asked = await this.#call('POST', '/acceso/llave-de-acceso/reto', {})
    const asserted = { body: { credencial: key.get(asked.body.opciones) } }
    await this.#call('POST', '/acceso/llave-de-acceso', asserted)
    await this.#call('DELETE', `/api/yo/llaves-de-acceso/${made.body.id}`, { ...me, body })
  }

  /** A customer's own names: the resolver tells of a stranger's, of one that leads here, and is not needed for the rest. */
  async #names(theirs: { bearer: string }) {
    const names = [
      ['ajena.net', 409],
      ['probada.net', 201],
      ['tienda.acme.es', 201],
    ] as const
    for (const [domain, status] of names) {
      const body = { cliente: 'acme', domain, aliases: [`web.${domain}`] }
      await this.#call('POST', '/api/sitios', { ...theirs, body, status })
      await this.#call('PATCH', '/api/sitios/acme.es', {
        ...theirs,
        body: { aliases: [`acme.${domain}`] },
        status: status === 409 ? 409 : 200,
      })
      const zone = { cliente: 'acme', zona: `zona.${domain}` }
      await this.#call('POST', '/api/zonas', { ...theirs, body: zone, status })
    }
  }

  async #endings() {
    await this.#call('DELETE', '/api/zonas/acme.net', { status: [200, 202] })
    await this.#call('DELETE', '/api/bases/acme_tienda', { status: [200, 202] })
    await this.#call('DELETE', '/api/sitios/acme.es', { status: [200, 202] })
    await this.#call('DELETE', '/api/clientes/acme', { status: [200, 202] })
    await this.#call('GET', '/api/clientes/nadie', { status: 404 })
    await this.#call('POST', '/api/clientes/nadie/suspender', { status: 404 })
  }
}
