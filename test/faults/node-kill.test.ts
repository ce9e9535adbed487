import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLayout } from '../../deploy/node/files/layout.ts'
import { JOB_KINDS } from '../../deploy/node/job-kinds.ts'
import {
  DATABASES,
  PAGES,
  REMOVE_CLIENT,
  REMOVE_SITE,
  SUSPEND,
  SYNC_CLIENT,
  SYNC_SITE,
} from '../node/steps.ts'
import { inconsistencies, nameServerApi, partDirectory, settled, statusOf } from '../support/consistency.ts'
import { ADDRESS, type ProbedWorld, startProbedWorld, type World } from '../support/node-world.ts'
import { addressOf } from '../support/prober.ts'

/** One operation of the panel, in the round of this number. */
type Operation = {
  name: string
  /** The client whose work it is. */
  client(round: number): string
  before?(world: World, round: number): Promise<void>
  run(world: World, round: number): Promise<unknown>
  /** What has to be so once its work has ended. */
  check(world: World, round: number): Promise<void>
}

const page = (root: string, text: string) => writeFileSync(join(root, 'index.html'), text, { mode: 0o644 })
const bytesOf = async ({ panel }: World, host: string, path = '/') =>
  (await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, { headers: { host }, keepalive: false })).text()
/** How many entries of the bin hold a page of this text. */
function binned({ panel }: World, text: string): number {
  const { bin } = createLayout(partDirectory(panel, 'web'))
  const pages = [...new Bun.Glob('*/files/**/index.html').scanSync(bin)]
  return pages.filter((path) => readFileSync(join(bin, path), 'utf8') === text).length
}
const aliasOf = (round: number) => (round % 2 === 0 ? 'par.cambia.es' : 'impar.cambia.es')
const planOf = (round: number) => (round % 2 === 0 ? 'con' : 'sin')

async function expectGone({ panel, call }: World, path: string, host: string): Promise<void> {
  expect((await call('GET', path)).status).toBe(404)
  expect([await statusOf(panel, host), await statusOf(panel, `www.${host}`)]).toEqual([404, 404])
  expect(addressOf(panel.dnsPort, host)).rejects.toThrow('code 5')
}

const CREATION: Operation = {
  name: 'creation of a client with its site',
  client: (round) => `nuevo${round}`,
  run: (world, round) => world.client(`nuevo${round}`, { aliases: [`www.nuevo${round}.es`] }),
  async check({ panel, call }, round) {
    expect((await call('GET', `/sitios/nuevo${round}.es`)).body.estado).toBe('activo')
    expect(await statusOf(panel, `www.nuevo${round}.es`)).toBe(200)
    expect(await addressOf(panel.dnsPort, `nuevo${round}.es`)).toBe(ADDRESS)
  },
}
const PLAN: Operation = {
  name: 'change of plan',
  client: () => 'planes',
  run: ({ call }, round) => call('POST', '/clientes/planes/plan', { plan: planOf(round) }),
  async check(world, round) {
    expect((await world.call('GET', '/clientes/planes')).body.plan).toBe(planOf(round))
    expect((await bytesOf(world, 'planes.es', '/programa.php')).includes('corre')).toBe(
      planOf(round) === 'con',
    )
  },
}
const ALIASES: Operation = {
  name: 'change of aliases',
  client: () => 'cambia',
  run: ({ call }, round) =>
    call('PATCH', '/sitios/cambia.es', { aliases: [aliasOf(round)], solo_https: round % 2 === 0 }),
  async check({ panel, call }, round) {
    // Without an authority HTTPS alone is held.
    const { body } = await call('GET', '/sitios/cambia.es')
    expect([body.solo_https, body.solo_https_en_espera]).toEqual([round % 2 === 0, round % 2 === 0])
    expect(await statusOf(panel, aliasOf(round))).toBe(200)
    expect(await statusOf(panel, aliasOf(round + 1))).toBe(404)
  },
}
const CLIENT_DELETION: Operation = {
  name: 'deletion of a client',
  client: (round) => `acaba${round}`,
  async before({ client }, round) {
    page(await client(`acaba${round}`, { aliases: [`www.acaba${round}.es`] }), `acaba ${round}`)
  },
  run: ({ call }, round) => call('DELETE', `/clientes/acaba${round}`),
  async check(world, round) {
    await expectGone(world, `/clientes/acaba${round}`, `acaba${round}.es`)
    expect(binned(world, `acaba ${round}`)).toBe(1)
  },
}
const SUSPENSION: Operation = {
  name: 'suspension',
  client: () => 'para',
  async before(world) {
    await world.done('POST', '/clientes/para/activar')
    expect(await bytesOf(world, 'para.es')).toBe('para')
  },
  run: ({ call }) => call('POST', '/clientes/para/suspender', { motivo: 'impago' }),
  async check({ panel, call }) {
    expect(await statusOf(panel, 'www.para.es')).toBe(503)
    expect((await call('GET', '/sitios/para.es')).body.estado).toBe('suspendido')
    expect(await addressOf(panel.dnsPort, 'para.es')).toBe(ADDRESS)
  },
}
const ACTIVATION: Operation = {
  name: 'activation',
  client: () => 'sigue',
  async before({ done, panel }) {
    await done('POST', '/clientes/sigue/suspender')
    expect(await statusOf(panel, 'sigue.es')).toBe(503)
  },
  run: ({ call }) => call('POST', '/clientes/sigue/activar'),
  check: async (world) => expect(await bytesOf(world, 'www.sigue.es')).toBe('sigue'),
}
const SITE_DELETION: Operation = {
  name: 'deletion of a site',
  client: () => 'menos',
  async before({ done }, round) {
    const aliases = [`www.fuera${round}.es`]
    const made = await done('POST', '/sitios', { cliente: 'menos', domain: `fuera${round}.es`, aliases })
    page(made.body.raiz, `fuera ${round}`)
  },
  run: ({ call }, round) => call('DELETE', `/sitios/fuera${round}.es`),
  async check(world, round) {
    await expectGone(world, `/sitios/fuera${round}.es`, `fuera${round}.es`)
    expect(binned(world, `fuera ${round}`)).toBe(1)
    expect(await bytesOf(world, 'menos.es')).toBe('menos')
  },
}

const signedIn = (round: number) => round % 2 === 0
const SIGNING: Operation = {
  name: 'signing of a zone and its end',
  client: () => 'firma',
  run: ({ call }, round) => call(signedIn(round) ? 'POST' : 'DELETE', '/zonas/firma.es/dnssec'),
  async check({ panel, call }, round) {
    const { dnssec } = (await call('GET', '/zonas/firma.es')).body
    expect([dnssec.activo, dnssec.ds.length > 0]).toEqual([signedIn(round), signedIn(round)])
    expect((await (await nameServerApi(panel)).zone('firma.es'))?.dnssec).toBe(signedIn(round))
  },
}
const PLAN_EDIT: Operation = {
  name: 'change of what a plan includes',
  // Not the work of any client: it queues theirs.
  client: () => '',
  run: ({ call }, round) =>
    call('PATCH', '/planes/tarifa', { funciones: planOf(round) === 'con' ? ['php', 'https'] : ['https'] }),
  async check(world, round) {
    const runs = (await bytesOf(world, 'tarifa.es', '/programa.php')).includes('corre')
    expect(runs).toBe(planOf(round) === 'con')
  },
}

const OWN_PAGES: Operation = {
  name: 'change of the operator’s pages',
  // Nor is this the work of any client.
  client: () => '',
  run: ({ call }, round) => {
    const desconocida = { titulo: `Ronda ${round}`, texto: 'Este nombre no es de ningún sitio.' }
    return call('PUT', '/apariencia', { nombre: null, color: null, soporte: null, paginas: { desconocida } })
  },
  check: async (world, round) =>
    expect(await bytesOf(world, 'nadie.es')).toContain(`<h1>Ronda ${round}</h1>`),
}

const kept = ({ panel }: World) =>
  fetch(`http://127.0.0.1:${panel.httpPort}/p`, { headers: { host: 'guarda.es' }, keepalive: false })
const EMPTYING: Operation = {
  name: 'emptying of a page cache',
  client: () => 'guarda',
  async before(world) {
    await kept(world)
    expect((await kept(world)).headers.get('x-cache')).toBe('HIT')
  },
  run: ({ call }) => call('DELETE', '/sitios/guarda.es/cache'),
  check: async (world) => expect((await kept(world)).headers.get('x-cache')).toBe('MISS'),
}

const BASE_CREATION: Operation = {
  name: 'creation of a database with an account',
  client: () => 'datos',
  run: ({ call }, round) => call('POST', '/bases', { cliente: 'datos', base: `b${round}` }),
  check: async ({ call }, round) =>
    expect((await call('GET', `/bases/datos_b${round}`)).body.estado).toBe('activa'),
}
const BASE_DELETION: Operation = {
  name: 'deletion of a database',
  client: () => 'vacia',
  before: async ({ done }, round) =>
    void (await done('POST', '/bases', { cliente: 'vacia', base: `v${round}` })),
  run: ({ call }, round) => call('DELETE', `/bases/vacia_v${round}`),
  async check({ panel, call }, round) {
    expect((await call('GET', `/bases/vacia_v${round}`)).status).toBe(404)
    const { bin } = createLayout(partDirectory(panel, 'web'))
    const notes = [...new Bun.Glob('base-*/entry.json').scanSync(bin)]
    const names = notes.map((path) => JSON.parse(readFileSync(join(bin, path), 'utf8')).name)
    expect(names.filter((name) => name === `vacia_v${round}`).length).toBe(1)
  },
}

/** What the server of databases answers to root. */
function answered({ panel }: World, words: string): string {
  const socket = `${partDirectory(panel, 'web')}/mariadb/run/mysqld.sock`
  const { stdout } = Bun.spawnSync(['mariadb', '--no-defaults', '-BN', `--socket=${socket}`, '-e', words])
  return stdout.toString().trim()
}
const dumpOf = (round: number) =>
  `create table n (a int); insert into n values (${round}); create view v as select a + 1 as b from n;
   create trigger t before insert on n for each row set new.a = 1;\n`
const BASE_LOAD: Operation = {
  name: 'loading of a dump',
  client: () => 'carga',
  async before({ call }, round) {
    const { raiz } = (await call('GET', '/sitios/carga.es')).body
    const path = join(raiz, 'n.sql')
    writeFileSync(path, dumpOf(round), { mode: 0o640 })
    const { uid, gid } = statSync(raiz)
    chownSync(path, uid, gid)
  },
  run: ({ call }) => call('POST', '/bases/carga_n/cargar', { ruta: '/sitios/carga.es/public/n.sql' }),
  async check(world, round) {
    const words = "select a from carga_n.n; select b from carga_n.v; show databases like 'LOADING%'"
    expect(answered(world, words)).toBe(`${round}\n${round + 1}`)
    expect(
      answered(world, 'select count(*) from information_schema.triggers where trigger_schema = "carga_n"'),
    ).toBe('1')
    expect((await world.call('GET', '/bases/carga_n')).body.estado).toBe('activa')
  },
}

const COPY: Operation = {
  name: 'copy of a file',
  client: () => 'tareas',
  run: ({ call }, round) =>
    call('POST', '/sitios/tareas.es/archivos/operaciones', {
      operacion: 'copiar',
      rutas: ['/public/index.html'],
      destino: `/public/copia${round}.html`,
    }),
  check: async (world, round) =>
    expect(await bytesOf(world, 'tareas.es', `/copia${round}.html`)).toBe('tareas'),
}

let task = ''
const TASK: Operation = {
  name: 'run of a scheduled task',
  client: () => 'tareas',
  run: ({ call }) => call('POST', `/sitios/tareas.es/programadas/${task}/ejecutar`),
  async check({ call }) {
    // It may be told of as cut off, and is never begun twice; nothing of it runs on.
    const [run] = (await call('GET', `/sitios/tareas.es/programadas/${task}/ejecuciones`)).body.datos
    expect(['terminada', 'interrumpida']).toContain(run.motivo)
    expect(Bun.spawnSync(['/usr/bin/pgrep', '-f', '^sleep 0.4720$']).exitCode).toBe(1)
  },
}

const RULES: Operation = {
  name: 'change of settings',
  client: () => 'cambia',
  run: ({ call }, round) =>
    call('PATCH', '/sitios/cambia.es', {
      redirecciones: [{ de: '/va', a: `/ronda${round}` }],
      protegidas: [{ ruta: '/cerrado', usuario: `u${round}` }],
    }),
  async check({ panel }, round) {
    const url = `http://127.0.0.1:${panel.httpPort}`
    const asked = { headers: { host: 'cambia.es' }, redirect: 'manual', keepalive: false } as const
    expect((await fetch(`${url}/va`, asked)).headers.get('location')).toBe(`/ronda${round}`)
    expect((await fetch(`${url}/cerrado`, asked)).status).toBe(401)
  },
}

/** The latest copy that has all of it. */
const latestCopy = async ({ done }: World) => (await done('GET', '/clientes/copia/copias')).body.datos[0]
const COPYING: Operation = {
  name: 'copy of all that a client has',
  client: () => 'copia',
  async before(world, round) {
    page((await world.call('GET', '/sitios/copia.es')).body.raiz, `copia ${round}`)
  },
  run: ({ call }) => call('POST', '/clientes/copia/copias'),
  async check(world) {
    const { estado, contenido } = await latestCopy(world)
    expect([estado, contenido.map(({ tipo }: { tipo: string }) => tipo)]).toEqual([
      'completa',
      ['ajustes', 'sitio'],
    ])
  },
}
const RESTORING: Operation = {
  name: 'restore in the place of what is there',
  client: () => 'copia',
  async before(world, round) {
    page((await world.call('GET', '/sitios/copia.es')).body.raiz, `cambiada ${round}`)
  },
  async run(world) {
    const { datos } = (await world.done('GET', '/clientes/copia/copias')).body
    const { copia } = datos.find(({ contenido }: { contenido: unknown[] }) => contenido.length > 1)
    const body = { sitio: 'copia.es', ruta: '/public/index.html', modo: 'sustituir' }
    return world.call('POST', `/clientes/copia/copias/${copia}/restaurar`, body)
  },
  async check(world, round) {
    expect(await bytesOf(world, 'copia.es')).toStartWith('copia ')
    const { copia, contenido } = await latestCopy(world)
    expect(contenido).toHaveLength(1)
    const path = `/clientes/copia/copias/${copia}/archivos?ruta=/sitios/copia.es/public`
    const [kept] = (await world.done('GET', path)).body.datos
    expect(kept.bytes).toBe(`cambiada ${round}`.length)
  },
}

/** One after another at the same time as the other lanes. */
type Lane = Operation[]
// As many lanes as a worker does jobs at once, and one for programs of clients, which have places of their own: each
// round kills the panel while it stands at a step of all of them. Lanes of about as many steps make the fewest rounds,
// and no client is in two of them.
const GROUPS: Lane[][] = [
  [
    [CREATION],
    [PLAN, EMPTYING],
    [ALIASES, OWN_PAGES],
    [CLIENT_DELETION, BASE_CREATION],
    [BASE_LOAD, TASK, COPY],
    [COPYING, RESTORING],
  ],
  [[SUSPENSION], [ACTIVATION, SIGNING], [SITE_DELETION, BASE_DELETION], [RULES, PLAN_EDIT]],
]
/** Killed by the tests of certificates and of applications; and the comparison of zones, which runs at each start. */
const ELSEWHERE = [
  'sitio.certificar',
  'aplicacion.instalar',
  'aplicacion.actualizar',
  'aplicacion.clonar',
  'aplicacion.publicar',
  'aplicacion.deshacer',
  'zonas.auditar',
]
const killedKinds = new Set(ELSEWHERE)
const killedSteps = new Set<string>()
const worlds: ProbedWorld[] = []

beforeAll(async () => {
  const made = await Promise.all(GROUPS.map(() => startProbedWorld()))
  worlds.push(...made)
  for (const { panel, admin, steps, client, done } of worlds) {
    await panel.kill()
    await panel.up({ PANEL_TEST_STEPS: steps })
    await done('POST', '/planes', { plan: 'con' })
    await done('POST', '/planes', { plan: 'sin', funciones: ['https'] })
    page(await client('cambia', { aliases: [] }), 'cambia')
    const root = await client('planes')
    writeFileSync(join(root, 'programa.php'), '<?php echo "corre";', { mode: 0o644 })
    await done('POST', '/planes', { plan: 'tarifa' })
    const priced = await client('tarifa', { plan: 'tarifa' })
    writeFileSync(join(priced, 'programa.php'), '<?php echo "corre";', { mode: 0o644 })
    const keeping = await client('guarda')
    writeFileSync(join(keeping, 'index.php'), '<?php echo hrtime(true);', { mode: 0o644 })
    await done('PATCH', '/sitios/guarda.es', { cache: { segundos: 3600 } })
    page(await client('tareas'), 'tareas')
    const body = { cuando: '0 3 1 1 *', orden: ['sleep', '0.4720'] }
    const made = await done('POST', '/sitios/tareas.es/programadas', body)
    if (steps === worlds[0]?.steps) task = made.body.id
    for (const name of ['para', 'sigue', 'menos', 'firma'])
      page(await client(name, { aliases: [`www.${name}.es`] }), name)
    for (const name of ['datos', 'vacia', 'carga']) await client(name, { aliases: [] })
    // Its first start takes longer than a request waits.
    await done('POST', '/bases', { cliente: 'datos', base: 'primera' })
    await done('POST', '/bases', { cliente: 'carga', base: 'n' })
    page(await client('copia', { aliases: [] }), 'copia')
    const url = join(panel.dataDir, 'destino')
    mkdirSync(url)
    const destination = { tipo: 'carpeta', url, contrasena: 'una frase larga' }
    const entered = { bearer: admin.bearer, body: destination }
    expect((await panel.api('PUT', '/copias/destino', entered)).status).toBe(200)
    await panel.setClock(secondsToNoon())
  }
}, 240_000)
afterAll(async () => {
  for (const world of worlds) await world[Symbol.asyncDispose]()
}, 60_000)

test('killed before and after every step of every operation, the panel ends each of them when it starts again', async () => {
  await Promise.all(worlds.map((world, at) => killAtEveryStep(world, GROUPS[at] ?? [])))
}, 900_000)

/** At night the panel copies every client by itself, which is work beside the one that is killed. */
const secondsToNoon = () => ((36 - new Date().getUTCHours()) % 24) * 3600

/**
 * All work of moves takes two nodes, one or the other of which test/moves kills; test/imports has the archives, and
 * test/trash the bin.
 */
const NOT_HERE = [
  'cliente.mudar',
  'importacion.hacer',
  'mudanza.quitar',
  'mudanza.seguir',
  'nodo.vaciar',
  'papelera.purgar',
  'papelera.restaurar',
]

test('no kind of work and no step of one node alone is left that is killed nowhere', () => {
  expect([...killedKinds, ...NOT_HERE].sort()).toEqual(JOB_KINDS.map(({ kind }) => kind).sort())
  const steps = [
    ...SYNC_CLIENT,
    SUSPEND,
    ...SYNC_SITE,
    ...REMOVE_SITE,
    ...REMOVE_CLIENT,
    ...DATABASES,
    ...PAGES,
  ]
  const missed = steps.flatMap((name) =>
    ['before', 'after'].flatMap((when) => (killedSteps.has(`${name}:${when}`) ? [] : [`${name}:${when}`])),
  )
  expect(missed).toEqual([])
})

test('the neighbour’s page, program and zone were answered all the time, also while the panel was dead', async () => {
  for (const { prober } of worlds) {
    expect(await prober.stop()).toEqual([])
    expect(prober.good()).toBeGreaterThan(500)
  }
})

type Point = { operation: Operation; point: string }

async function killAtEveryStep(world: World, lanes: Lane[]): Promise<void> {
  const points: Point[][] = []
  for (const lane of lanes) {
    const passed: Point[] = []
    for (const operation of lane) passed.push(...(await recorded(world, operation)))
    points.push(passed)
  }
  expect(await inconsistencies(world.panel)).toEqual([])
  const rounds = Math.max(...points.map((list) => list.length))
  for (let round = 0; round < rounds; round++) {
    await killAt(
      world,
      round,
      points.flatMap((list) => list[round] ?? []),
    )
  }
}

/** Does an operation once to its end; answers the points that its work passes, so that each of them is tested. */
async function recorded(world: World, operation: Operation): Promise<Point[]> {
  const passed = join(world.steps, 'passed')
  const round = 999
  await operation.before?.(world, round)
  rmSync(passed, { force: true })
  await operation.run(world, round)
  await settled(world.panel)
  await operation.check(world, round)
  const start = `${operation.client(round)}:`
  const lines = readFileSync(passed, 'utf8').split('\n')
  const points = lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
  // Before and after a step of its own at least, or there was nothing to be killed at.
  expect([operation.name, points.length >= 2]).toEqual([operation.name, true])
  for (const point of points) {
    const [kind = '', step, when] = point.split(':')
    killedKinds.add(kind)
    killedSteps.add(`${step}:${when}`)
  }
  return points.map((point) => ({ operation, point }))
}

async function killAt(world: World, round: number, chosen: Point[]): Promise<void> {
  const { panel, steps } = world
  const what = chosen.map(({ operation, point }) => `${operation.name} at ${point}`)
  for (const { operation } of chosen) await operation.before?.(world, round)
  writeFileSync(
    join(steps, 'deadly'),
    chosen.map(({ operation, point }) => `${operation.client(round)}:${point}\n`).join(''),
  )
  const answers = chosen.map(({ operation }) => operation.run(world, round).catch(() => null))
  const died = await Promise.race([panel.died().then(() => true), Bun.sleep(60_000).then(() => false)])
  expect([what, died]).toEqual([what, true])
  await Promise.all(answers)
  rmSync(join(steps, 'deadly'))
  await panel.up({ PANEL_TEST_STEPS: steps })
  await settled(panel, 60_000)
  expect([what, await inconsistencies(panel)]).toEqual([what, []])
  for (const { operation } of chosen) await operation.check(world, round)
}
