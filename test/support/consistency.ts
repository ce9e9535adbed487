import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PowerDnsApi } from '../../deploy/node/dns/api.ts'
import { driftOf, hasDrift, serialOf } from '../../deploy/node/dns/drift.ts'
import { createLayout, type Layout } from '../../deploy/node/files/layout.ts'
import { readLink } from '../../deploy/node/host/files.ts'
import { desiredZone } from '../../lib/dns/zones.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import type { Panel } from './panel.ts'
import { eventually } from './wait.ts'

type ClientRow = { id: number; name: string; state: string; functions: string | null }
type SiteRow = {
  id: number
  client: number
  domain: string
  state: string
  php: string | null
  only: number
  names: string[]
}
type ZoneRow = { id: number; name: string; state: string; serial: number; published: number | null }
type Rows = { clients: ClientRow[]; sites: SiteRow[]; zones: ZoneRow[] }

/** Where this panel's node keeps its web part or its name server. */
export function partDirectory(panel: Panel, part: 'web' | 'dns'): string {
  const below = join(panel.dataDir, part)
  const mark = Buffer.from(sha256(panel.dataDir).slice(0, 4)).toString('hex')
  return existsSync(below) ? below : `/srv/controlpanel-${mark}${part === 'web' ? '' : '-dns'}`
}

/** The numbers and names of this panel's Unix users begin with these; see `userRange` of the node. */
function usersOf(panel: Panel): { prefix: string; uid(clientId: number): number } {
  return { prefix: `t${panel.httpPort}x`, uid: (clientId) => 300_000 + panel.httpPort * 1000 + clientId }
}

/** The API of this panel's name server. */
export async function nameServerApi(panel: Panel): Promise<PowerDnsApi> {
  const directory = partDirectory(panel, 'dns')
  const [port, key] = await Promise.all(
    ['puerto', 'clave'].map((file) => readFile(join(directory, file), 'utf8')),
  )
  return new PowerDnsApi({
    url: () => `http://127.0.0.1:${port}`,
    apiKey: () => new Secret((key ?? '').trim()),
  })
}

/** Reads the panel's database with a connection of its own. */
function readDatabase<T>(panel: Panel, sql: string): T[] {
  const database = new Database(join(panel.dataDir, 'panel.db'), { readonly: true })
  try {
    // The caller names the columns that it selects.
    return database.query(sql).all() as T[]
  } finally {
    database.close()
  }
}

/** Waits until no work is due or under way; a job that goes on failing ends the wait with its reason. */
export async function settled(panel: Panel, ms = 60_000): Promise<void> {
  const sql = `select kind || ' ' || state || ' ' || coalesce(error, '') as job from jobs
    where state in ('pendiente', 'en_curso')`
  const left = () => readDatabase<{ job: string }>(panel, sql).map(({ job }) => job)
  await eventually(async () => left().length === 0, 'the end of all work', ms).catch(() => {
    throw new Error(`work is left: ${left().join('; ')}`)
  })
}

/**
 * All that disagrees between the panel's database, the files, Unix users and PHP pools of the node, the web
 * server's answers and PowerDNS; empty when nothing does. To be asked when no work is left.
 */
export async function inconsistencies(panel: Panel): Promise<string[]> {
  const rows = readRows(panel)
  const layout = createLayout(partDirectory(panel, 'web'))
  return [
    ...stateFaults(rows),
    ...userFaults(panel, layout, rows),
    ...routeFaults(layout, rows),
    ...beyond('files being made', unfinishedBelow(panel.dataDir), []),
    ...siteFaults(panel, layout, rows),
    ...(await answerFaults(panel, rows)),
    ...(await zoneFaults(panel, rows)),
  ]
}

function readRows(panel: Panel): Rows {
  const names = readDatabase<{ site: number; name: string }>(
    panel,
    'select site_id as site, name from site_names',
  )
  return {
    clients: readDatabase(
      panel,
      `select c.id, c.name, c.state, p.functions from clients c left join plans p on p.id = c.plan_id`,
    ),
    sites: readDatabase<Omit<SiteRow, 'names'>>(
      panel,
      // HTTPS alone is held until an authority has given a certificate.
      "select id, client_id as client, domain, state, php, https_only and certificate_state = 'activo' as only from sites",
    ).map((row) => ({
      ...row,
      names: names.flatMap(({ site, name }) => (site === row.id ? [name] : [])).sort(),
    })),
    zones: readDatabase(panel, 'select id, name, state, serial, published_serial as published from zones'),
  }
}

function stateFaults({ clients, sites, zones }: Rows): string[] {
  const suspended = new Map(clients.map(({ id, state }) => [id, state === 'suspendido']))
  return [
    ...clients.flatMap(({ name, state }) =>
      state === 'eliminando' ? [`client ${name} is still there`] : [],
    ),
    ...sites.flatMap(({ domain, state, client }) => {
      const wanted = suspended.get(client) ? 'suspendido' : 'activo'
      return state === wanted ? [] : [`site ${domain} is ${state} instead of ${wanted}`]
    }),
    ...zones.flatMap(({ name, state, serial, published }) =>
      state === 'activa' && serial === published
        ? []
        : [`zone ${name} is ${state}, ${published} of ${serial}`],
    ),
  ]
}

/** A client's user and directory come with its first site or change, and go with the client. */
function userFaults(panel: Panel, layout: Layout, { clients, sites }: Rows): string[] {
  const { prefix, uid } = usersOf(panel)
  const known = clients.map(({ id }) => String(id))
  const withSites = [...new Set(sites.map(({ client }) => String(client)))]
  const accounts = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.split(':')[0]?.slice(prefix.length) ?? '')
  const users = accounts('/etc/passwd')
  const lists = {
    users,
    groups: accounts('/etc/group'),
    directories: list(layout.clients),
    links: list(layout.links),
  }
  const strange = processesOf(uid(0), uid(999)).filter((id) => !known.includes(String(id)))
  return [
    ...Object.entries(lists).flatMap(([what, ids]) => differing(what, ids, users)),
    ...beyond('users', users, known),
    ...beyond('clients with sites', withSites, users),
    ...beyond('suspended directories', list(layout.suspended), known),
    ...beyond('processes of clients', strange.map(String), known),
  ]
}

function routeFaults(layout: Layout, { clients, sites }: Rows): string[] {
  const target = new Map(
    sites.flatMap((site) => site.names.map((name) => [name, `../k/${site.client}/${site.id}`])),
  )
  const only = sites.flatMap((site) => (site.only ? site.names : []))
  const state = new Map(clients.map(({ id, state }) => [String(id), state === 'suspendido' ? 'x' : 'c']))
  return [
    ...differing(
      'routes',
      list(layout.hosts).filter((name) => name !== '_'),
      [...target.keys()],
    ),
    ...[...target].flatMap(([name, wanted]) => pointing(layout.host(name), wanted)),
    ...shownFaults(layout, [...target.keys()]),
    ...differing(
      'certificates',
      list(layout.certificates).filter((name) => name !== 'default'),
      [...target.keys(), ...sites.map(({ id }) => `s-${id}`)],
    ),
    ...differing('redirects', list(layout.httpsOnly), only),
    ...beyond('files on their way', list(layout.temporary), []),
    ...list(layout.links).flatMap((id) => pointing(join(layout.links, id), `../${state.get(id)}/${id}`)),
    ...differing(
      'notes',
      list(layout.manifests),
      sites.map(({ id }) => `${id}.json`),
    ),
    ...sites.flatMap(({ id, names }) => {
      const noted: { hosts: string[] } = existsSync(layout.manifest(id))
        ? JSON.parse(readFileSync(layout.manifest(id), 'utf8'))
        : { hosts: [] }
      return differing(`names noted for site ${id}`, noted.hosts, names)
    }),
  ]
}

/** Names as the web server reads them: each leads to what is beside it, or below, and nothing is left over. */
function shownFaults(layout: Layout, hosts: string[]): string[] {
  const shown = hosts.map((host) => readLink(layout.shownHost(host))?.split('/')[0] ?? `nothing for ${host}`)
  return differing('names shown', list(layout.names), ['_', ...hosts, ...new Set(shown)])
}

function siteFaults(panel: Panel, layout: Layout, { clients, sites }: Rows): string[] {
  const { uid } = usersOf(panel)
  const withPhp = sites.filter(({ client, php }) => {
    const functions = clients.find(({ id }) => id === client)?.functions ?? null
    return php !== null && (functions === null || JSON.parse(functions).includes('php'))
  })
  return [
    ...clients.flatMap(({ id }) => {
      const present = list(layout.client(id)).filter((name) => /^\d+$/.test(name))
      const wanted = sites.flatMap((site) => (site.client === id ? [String(site.id)] : []))
      return differing(`sites of client ${id}`, present, wanted)
    }),
    ...differing(
      'PHP links',
      list(layout.php),
      withPhp.map(({ id }) => String(id)),
    ),
    ...withPhp.flatMap(({ id, client }) => {
      const socket = join(layout.phpLink(id), `${client}.s`)
      const served = clients.find((one) => one.id === client)?.state === 'activo'
      return existsSync(socket) === served ? [] : [`site ${id}: ${socket} is ${served ? 'missing' : 'there'}`]
    }),
    ...sites.flatMap(({ id, client }) => {
      const root = layout.publicOf(client, id)
      if (!existsSync(root)) return [`${root} is missing`]
      return statSync(root).uid === uid(client) ? [] : [`${root} belongs to ${statSync(root).uid}`]
    }),
  ]
}

/** Every name is answered as its state asks for. */
async function answerFaults(panel: Panel, { clients, sites }: Rows): Promise<string[]> {
  const suspended = new Set(clients.flatMap(({ id, state }) => (state === 'suspendido' ? [id] : [])))
  const asked = sites.flatMap(({ client, only, names }) =>
    names.map(async (name) => {
      const wanted = suspended.has(client) ? 503 : only ? 301 : 200
      const got = await statusOf(panel, name)
      return got === wanted ? [] : [`${name} answers ${got} instead of ${wanted}`]
    }),
  )
  return (await Promise.all(asked)).flat()
}

/**
 * What stands outside the panel's database: rendered configuration, routes, users and zones. A refused
 * operation leaves it as it was.
 */
export async function surroundings(panel: Panel): Promise<Record<string, string[]>> {
  const layout = createLayout(partDirectory(panel, 'web'))
  const { prefix } = usersOf(panel)
  const rendered = [
    join(layout.nginx, 'nginx.conf'),
    join(partDirectory(panel, 'dns'), 'pdns.conf'),
    ...list(layout.fpmWanted).map((name) => join(layout.fpmWanted, name)),
    ...list(layout.manifests).map((name) => join(layout.manifests, name)),
  ]
  const zones = await (await nameServerApi(panel)).zones()
  return {
    rendered: rendered.map((path) => `${path}\n${readFileSync(path, 'utf8')}`),
    routes: list(layout.hosts),
    certificates: list(layout.certificates),
    clients: list(layout.clients).flatMap((id) =>
      list(layout.client(Number(id))).map((name) => `${id}/${name}`),
    ),
    users: readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(prefix)),
    zones: zones.map(({ name, serial }) => `${name} ${serial}`).sort(),
  }
}

/** The status of a plain request to a site. */
export async function statusOf(panel: Panel, host: string, path = '/'): Promise<number> {
  const url = `http://127.0.0.1:${panel.httpPort}${path}`
  const answer = await fetch(url, { headers: { host }, redirect: 'manual', keepalive: false })
  await answer.arrayBuffer()
  return answer.status
}

async function zoneFaults(panel: Panel, { zones }: Rows): Promise<string[]> {
  const api = await nameServerApi(panel)
  const served = (await api.zones()).map(({ name }) => name.slice(0, -1))
  const faults = differing(
    'zones served',
    served,
    zones.map(({ name }) => name),
  )
  for (const zone of zones) {
    const records = readDatabase<{ name: string; type: string; ttl: number; values: string }>(
      panel,
      `select name, type, ttl, "values" from rrsets where zone_id = ${zone.id}`,
    ).map((row) => ({ ...row, values: JSON.parse(row.values) }))
    const found = await api.zone(zone.name)
    if (!found) continue
    const drift = driftOf(desiredZone(zone, records), found)
    if (hasDrift(drift)) faults.push(`zone ${zone.name} differs: ${JSON.stringify(drift)}`)
    if (serialOf(found) !== zone.serial) faults.push(`zone ${zone.name} has serial ${serialOf(found)}`)
  }
  return faults
}

function processesOf(first: number, last: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const uid = Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return uid > first && uid <= last ? [uid - first] : []
      } catch {
        // Ended meanwhile.
        return []
      }
    })
}

/** What a process left that ended while it made a file, wherever that was to be. */
export const unfinishedBelow = (directory: string): string[] =>
  [...new Bun.Glob('**/.unfinished-*').scanSync({ cwd: directory, dot: true, onlyFiles: false })].sort()

const list = (path: string): string[] => (existsSync(path) ? readdirSync(path).sort() : [])

function differing(what: string, present: string[], wanted: string[]): string[] {
  const [have, want] = [new Set(present), new Set(wanted)]
  return [
    ...[...have].filter((one) => !want.has(one)).map((one) => `${what}: ${one} is too many`),
    ...[...want].filter((one) => !have.has(one)).map((one) => `${what}: ${one} is missing`),
  ]
}

function beyond(what: string, present: string[], allowed: string[]): string[] {
  return present.filter((one) => !allowed.includes(one)).map((one) => `${what}: ${one} is nobody's`)
}

function pointing(path: string, wanted: string): string[] {
  const target = linkTarget(path)
  return target === wanted ? [] : [`${path} leads to ${target} instead of ${wanted}`]
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
