import { NO_DATABASE } from '../applications/decide.ts'
import { MANIFESTS } from '../applications/manifests/index.ts'
import type { Client } from '../clients/decide.ts'
import { AppError, codeOf, type ErrorCode } from '../endpoint/errors.ts'
import { nodeOf } from '../nodes/decide.ts'
import type { Room } from '../plans/room.ts'
import { unasked } from '../proof/decide-proven.ts'
import { decideSchedule } from '../schedules/decide.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { type AliasChange, decideAliases, type NamesFacts, requirePhp, type Site } from '../sites/decide.ts'
import type { KeptSite } from './kept.ts'

/** What settings of a deleted site that are to come back stand on. */
export type SettingsFacts = {
  /** The facts of its aliases, and of the site and the client that get it. */
  names: NamesFacts
  /** The name of its application's database, where the client has it. */
  database: string | undefined
  /** Whether the site has an application already. */
  hasApplication: boolean
  /** Tasks that the site has and that give way to those that were kept; null where they stay. */
  tasks: Task[] | null
}
type Task = KeptSite['tasks'][number] & { id: string }

/** The site that gets them; `isSame`: it is the client's whose they were, and has the domain that it had. */
export type Getting = { site: Site; client: Client; isFormerOwner: boolean; isSame: boolean }

/** Something that does not come back, and why: a code of an error, or that it belongs to another site. */
export type LeftOut = {
  what: 'php' | 'alias' | 'task' | 'application'
  name: string
  why: ErrorCode | 'otro_sitio'
}

export type Settings = {
  columns: Partial<Site>
  guards: KeptSite['guards']
  aliases: AliasChange | null
  tasks: KeptSite['tasks']
  /** Tasks that end. */
  ended: string[]
  application: KeptSite['application']
  leftOut: LeftOut[]
}

/** Which settings of a deleted site come back with it, and which do not. */
export function decideSettings(
  kept: KeptSite,
  facts: SettingsFacts,
  getting: Getting & { keys: KeyRing; now: Date },
): Settings {
  const leftOut: LeftOut[] = []
  const leave = (what: LeftOut['what'], name: string) => (why: LeftOut['why']) =>
    void leftOut.push({ what, name, why })
  const { webRoot, indexFiles, singlePage, redirects, errorPages, cache, httpsOnly, phpSettings } = kept.site
  const php = decidePhp(kept, facts, { ...getting, leave })
  const own = { webRoot, indexFiles, singlePage, redirects, errorPages, cache, httpsOnly, phpSettings }
  return {
    columns: { ...own, php },
    guards: kept.guards,
    aliases: decideKeptAliases(kept, facts, { ...getting, leave }),
    ...decideTasks(kept, facts, { ...getting, php, leave }),
    application: decideApplication(kept, facts, { ...getting, leave }),
    leftOut,
  }
}

type Leave = (what: LeftOut['what'], name: string) => (why: LeftOut['why']) => void
type Deciding = Getting & { keys: KeyRing; now: Date; leave: Leave }

/** The version that it had, or the one that the site has where that is gone or the plan has no PHP. */
function decidePhp({ site }: KeptSite, { names }: SettingsFacts, to: Deciding): string | null {
  const { php } = site
  if (php === null) return null
  const node = nodeOf(names.names, to.client.node)
  const why = refusalOf(() => requirePhp(names.room.plan, node, php))
  if (why === null) return php
  to.leave('php', php)(why)
  return to.site.php
}

/** The site's names with those that it had and nobody else has now: all at once, or each that is free. */
function decideKeptAliases(kept: KeptSite, { names }: SettingsFacts, to: Deciding): AliasChange | null {
  const present = names.present.filter((name) => name !== to.site.domain)
  const lost = kept.aliases.map(({ name }) => name).filter((name) => !names.present.includes(name))
  if (lost.length === 0) return null
  if (!to.isSame) {
    for (const name of lost) to.leave('alias', name)('otro_sitio')
    return null
  }
  const { language } = to.client
  const decide = (aliases: string[]) =>
    decideAliases(names, to, { aliases, proof: unasked(to.keys, false), language })
  const free = [...present]
  if (refusalOf(() => decide([...present, ...lost])) === null) free.push(...lost)
  else
    for (const name of lost) {
      const why = refusalOf(() => decide([...free, name]))
      if (why === null) free.push(name)
      else to.leave('alias', name)(why)
    }
  if (free.length === present.length) return null
  const change = decide(free)
  const proven = kept.aliases.flatMap((one) => (one.proven && lost.includes(one.name) ? [one.name] : []))
  return { ...change, proven: new Set([...change.proven, ...proven]) }
}

/** Its tasks that the plan has room for; programs of a PHP that is gone run with the site's own. */
function decideTasks(
  { tasks, site }: KeptSite,
  { names, tasks: present }: SettingsFacts,
  to: Deciding & { php: string | null },
): Pick<Settings, 'tasks' | 'ended'> {
  const there = present ?? []
  let room = withTasks(names.room, -there.length)
  const program = (argv: string[]) =>
    argv[0] === `php${site.php}` && to.php !== null ? [`php${to.php}`, ...argv.slice(1)] : argv
  const kept = tasks.map((task) => ({ task, asNow: { ...task, argv: program(task.argv) } }))
  const wanted = kept.filter(({ task }) => {
    const why = refusalOf(() => decideSchedule(room, task, to.now))
    if (why !== null) to.leave('task', task.pattern)(why)
    else room = withTasks(room, 1)
    return why === null
  })
  return {
    tasks: wanted.map(({ asNow }) => asNow).filter((one) => !there.some(isSame(one))),
    ended: there.filter((one) => !kept.some(({ asNow }) => isSame(asNow)(one))).map(({ id }) => id),
  }
}

const isSame =
  (one: KeptSite['tasks'][number]) =>
  (other: KeptSite['tasks'][number]): boolean =>
    one.pattern === other.pattern &&
    one.active === other.active &&
    one.argv.join('\0') === other.argv.join('\0')

const TASKS = 'programadas'
const withTasks = ({ plan, consumed }: Room, more: number): Room => ({
  plan,
  consumed: { ...consumed, [TASKS]: consumed[TASKS] + more },
})

/** Its application, if the database of it is still the client's. */
function decideApplication(
  { application }: KeptSite,
  { database, hasApplication, tasks }: SettingsFacts,
  to: Deciding,
): KeptSite['application'] {
  // What the site has instead of a deleted one stays with it, and a site that only goes back in time keeps what it has.
  if (application === null || (hasApplication && tasks !== null)) return null
  const leave = to.leave('application', MANIFESTS[application.kind].name)
  if (!to.isFormerOwner) leave('otro_sitio')
  else if (hasApplication) leave('ya_existe')
  else if (application.database !== NO_DATABASE && database !== application.database) leave('base_no_existe')
  else return { ...application, state: 'activa', restorePoint: null }
  return null
}

/** Why something is refused; null where it is not. */
function refusalOf(decide: () => unknown): ErrorCode | null {
  try {
    decide()
    return null
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    return codeOf(refusal)
  }
}
