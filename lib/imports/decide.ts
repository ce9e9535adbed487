import { hiddenBy } from '../dns/decide-records.ts'
import { decideNewZone } from '../dns/decide-zone.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Proof } from '../proof/decide-proven.ts'
import { decideSite, type NewSiteFacts } from '../sites/decide.ts'
import { isNameFree, type Language } from '../sites/decide-names.ts'
import { hostName } from '../text/host-names.ts'
import type { FoundSite, Left, ReadContents } from './archives/contents.ts'
import { taskOf } from './archives/tasks.ts'
import { zoneRecords } from './archives/zone-records.ts'
import { planDatabases } from './decide-databases.ts'
import { decideProtected } from './decide-protected.ts'
import { refusalOf } from './errors.ts'
import { excessOf, unlimited } from './excess-view.ts'
import type { ImportFacts } from './facts.ts'
import type { Changed, Item, Plan, PlannedSite } from './planned.ts'
import { hiddenRecords, protectedParts, refusedRecords } from './view.ts'

/** Most of what is left out that is told one by one. */
const MOST_LEFT = 500

type Asked = { proof: Proof; language: Language }
type Planning = { facts: ImportFacts; asked: Asked; left: Left[]; changed: Changed[]; brought: string[] }

/** What of an archive is taken, what of it changes, and what is left. */
export function decideImport(contents: ReadContents, facts: ImportFacts, asked: Asked): Plan {
  const planning: Planning = { facts, asked, left: [...contents.left], changed: [], brought: [] }
  const stores = planDatabases(contents.databases, facts)
  // By hand, too, a subdomain comes after its domain, whose zone has its name then.
  const parentsFirst = contents.sites.toSorted((a, b) => depthOf(a.domain) - depthOf(b.domain))
  const sites = parentsFirst.flatMap((found) => siteOf(found, planning) ?? [])
  const served = new Set(sites.flatMap(({ name, aliases }) => [name, ...aliases]))
  const items: Item[] = [
    ...stores.taken.map(({ name, ...wanted }) => ({ kind: 'base' as const, name, wanted })),
    ...sites.map(({ name, ...site }) => ({
      kind: 'sitio' as const,
      name,
      wanted: { ...site, databases: stores.names },
    })),
    ...contents.zones.flatMap((found) => zoneOf(found, planning, served) ?? []),
    ...tasksOf(contents, planning, sites),
  ]
  const left = [...stores.left, ...planning.left]
  const isNew = ({ kind, name }: Item) => kind !== 'zona' || !facts.unfilled.has(name)
  return {
    items,
    changed: [...stores.changed, ...planning.changed],
    left: left.slice(0, MOST_LEFT),
    isMoreLeft: left.length > MOST_LEFT,
    excess: excessOf(items.filter(isNew), facts.room, served.size - sites.length),
  }
}

const depthOf = (domain: string) => domain.split('.').length

function siteOf(found: FoundSite, { facts, asked, left, changed, brought }: Planning): PlannedSite | null {
  const { domain, rules, asked: passwords, ...rest } = found
  const name = hostName(domain)
  const known = name === null ? undefined : facts.sites.get(name)
  if (name === null || !known) {
    left.push({ kind: 'sitio', name: domain, why: 'dominio_invalido' })
    return null
  }
  const { aliases, dropped } = aliasesOf(found, name, known)
  left.push(...dropped)
  const why = refusalOf(() => {
    const wanted = { domain: name, aliases, force: false, ...asked }
    const site = decideSite({ ...known, room: unlimited(known.room) }, facts.client, wanted)
    if (site === null) throw new AppError('ya_existe')
    if (site.zone !== null && !brought.some((zone) => name.endsWith(`.${zone}`))) brought.push(name)
  })
  if (why !== null) {
    left.push({ kind: 'sitio', name, why })
    return null
  }
  const php = nearestPhp(found.php, facts)
  if (php !== found.php && found.php !== null)
    changed.push({ kind: 'sitio', name, what: 'php', from: found.php, to: php ?? '' })
  const closed = decideProtected({
    found: { rules, asked: passwords },
    domain: name,
    names: [name, ...aliases],
  })
  left.push(...closed.left)
  changed.push(...protectedParts(name, closed.guards))
  return { ...rest, name, aliases, php, guards: closed.guards }
}

function aliasesOf(found: FoundSite, domain: string, { names, held }: NewSiteFacts) {
  const aliases = new Set<string>()
  const dropped: Left[] = []
  for (const one of found.aliases) {
    const alias = hostName(one)
    if (alias === domain) continue
    const free = alias !== null && isNameFree(names, alias, false) && held.every(({ name }) => name !== alias)
    if (free) aliases.add(alias)
    else
      dropped.push({ kind: 'alias', name: one, why: alias === null ? 'dominio_invalido' : 'dominio_ocupado' })
  }
  return { aliases: [...aliases], dropped }
}

/** The same version, else the next newer one, else the newest; null where the plan or the node has none. */
function nearestPhp(wanted: string | null, { php, room }: Pick<ImportFacts, 'php' | 'room'>): string | null {
  if (room.plan && !room.plan.functions.includes('php')) return null
  const rank = (version: string) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0)
  const newer = wanted === null ? [] : php.filter((one) => rank(one) >= rank(wanted))
  return newer[0] ?? php.at(-1) ?? null
}

function zoneOf(
  found: ReadContents['zones'][number],
  { facts, asked, left, changed, brought }: Planning,
  served: ReadonlySet<string>,
): Item | null {
  const name = hostName(found.name)
  const known = name === null ? undefined : facts.zones.get(name)
  if (name === null || !known) {
    left.push({ kind: 'zona', name: found.name, why: 'dominio_invalido' })
    return null
  }
  const why = refusalOf(() => {
    if (facts.unfilled.has(name)) return
    const wanted = { name, template: 'vacia' as const, force: false, ...asked }
    decideNewZone({ ...known, room: unlimited(known.room) }, facts.client, wanted)
  })
  if (why !== null) {
    left.push({ kind: 'zona', name, why })
    return null
  }
  const read = zoneRecords({ ...found, name }, { served, addresses: facts.addresses })
  left.push(...refusedRecords(name, read.refused, asked.language))
  for (const { name: record, from, to } of read.changed)
    changed.push({ kind: 'zona', name: record, what: 'direcciones', from: from.join(' '), to: to.join(' ') })
  const below = [...known.place.below, ...brought].filter((zone) => zone.endsWith(`.${name}`))
  const isHidden = hiddenBy(below, name)
  left.push(...hiddenRecords(name, read.rrsets.filter(isHidden), asked.language))
  return { kind: 'zona', name, wanted: { rrsets: read.rrsets.filter((one) => !isHidden(one)) } }
}

function tasksOf(contents: ReadContents, planning: Planning, sites: PlannedSite[]): Item[] {
  const { facts, left, changed } = planning
  const own = new Map(sites.map(({ name, php }) => [name, php]))
  for (const [name, { existing }] of facts.sites)
    if (existing?.clientId === facts.client.id) own.set(name, existing.php)
  const known = { homes: contents.homes, php: (domain: string) => own.get(domain) ?? null }
  const included = !facts.room.plan || facts.room.plan.functions.includes('programadas')
  return contents.tasks.flatMap((found): Item[] => {
    const command = found.command.slice(0, 200)
    const refuse = (why: string) => {
      left.push({ kind: 'programada', name: command, why })
      return []
    }
    const task = taskOf(found, known)
    if (task === null) return refuse('orden_no_admitida')
    if (!included) return refuse('funcion_de_pago')
    const { domain, pattern, argv } = task
    const isSame = (one: ImportFacts['tasks'][number]) =>
      one.domain === domain && one.pattern === pattern && one.argv.join('\n') === argv.join('\n')
    if (facts.tasks.some(isSame)) return refuse('ya_existe')
    changed.push({ kind: 'programada', name: domain, what: 'orden', from: command, to: argv.join(' ') })
    return [{ kind: 'programada', name: domain, wanted: { pattern, argv } }]
  })
}
