import { isAccess } from '../htaccess/access.ts'
import { translateHtaccess } from '../htaccess/decide.ts'
import type { CurrentSettings } from '../htaccess/merge.ts'
import { NOBODY } from '../htaccess/rewrites.ts'
import { validGuard } from '../htaccess/valid-view.ts'
import type { Guard } from '../sites/guards.ts'
import { ORDINARY_PHP } from '../sites/php-shapes.ts'
import { GUARDS_MAX } from '../sites/rules-shapes.ts'
import { closedFolder } from './archives/closed.ts'
import type { FoundSite, Left } from './archives/contents.ts'
import type { FoundRules } from './archives/rules.ts'

export type Protected = { guards: Guard[]; left: Left[] }

type Asked = { found: Pick<FoundSite, 'rules' | 'asked'>; domain: string; names: string[] }

/** Who gets in where the old server named nobody that can be named here. */
const SOMEBODY = 'usuario'
const NOTHING_SET: Omit<CurrentSettings, 'guards'> = {
  ...{ redirects: [], errorPages: {}, indexFiles: null, cache: null, php: null },
  ...{ ordinaryPhp: ORDINARY_PHP, memoryBytes: null },
}

/**
 * The parts of a site that let nobody in once it is here: what its old server closed or asked a password for. What
 * cannot be told exactly closes more rather than less, though never all of a site for a rule that was for less.
 */
export function decideProtected({ found, domain, names }: Asked): Protected {
  const done: Protected = { guards: [], left: [] }
  const [first] = found.asked
  if (first !== undefined) close(done, '/', first)
  if (found.rules === null) close(done, '/', NOBODY)
  const files = (found.rules ?? []).map((one) => ({ one, closed: closedBy(one) }))
  // What asks for a password first: no more than so many parts can be protected.
  const rank = ({ one, closed }: (typeof files)[number]) =>
    (closed === 'asks' ? 0 : 1_000) + one.folder.split('/').length
  for (const { one, closed } of files.sort((a, b) => rank(a) - rank(b))) {
    const name = `${domain}${one.folder === '/' ? '' : one.folder}/.htaccess`
    const reasons = partsOf(done, { one, names })
    const user = closed === 'asks' ? SOMEBODY : NOBODY
    const isClosed = closed !== null && (isCovered(done, one.folder) || close(done, one.folder, user))
    if (closed !== null && !isClosed)
      reasons.add(done.guards.length < GUARDS_MAX ? 'muy_honda' : 'demasiadas')
    else if (closed !== null) reasons.clear()
    done.left.push(...[...reasons].map((why): Left => ({ kind: 'proteccion', name, why })))
  }
  return done
}

function closedBy({ folder, content }: FoundRules): 'asks' | 'closed' | null {
  if (content !== null) return closedFolder(content.text)
  return folder === '/' ? null : 'closed'
}

/** Adds what the settings of a site can say of a file, and answers why they cannot say the rest. */
function partsOf(done: Protected, { one, names }: { one: FoundRules; names: string[] }): Set<string> {
  const { folder, above, content } = one
  if (content === null) return new Set(folder === '/' ? ['enlace'] : [])
  const path = `${folder === '/' ? '' : folder}/.htaccess`
  const current = { ...NOTHING_SET, guards: done.guards }
  const { settings, left } = translateHtaccess([{ path, text: content.text, leadsTo: null }], current, names)
  // Rules of a folder above are for addresses that begin there, unless they close all of it.
  const parts = settings.guards ?? done.guards
  done.guards = above ? parts.filter((guard) => guard.path === '/' || done.guards.includes(guard)) : parts
  const reasons = left.filter(({ text }) => isAccess(text.split(' ', 1)[0]?.toLowerCase() ?? ''))
  return new Set([...reasons.map(({ reason }) => reason), ...(content.whole ? [] : ['demasiado_grande'])])
}

const isCovered = ({ guards }: Protected, folder: string): boolean =>
  guards.some(({ path }) => path === '/' || path === folder || folder.startsWith(`${path}/`))

/** Closes a folder, or the nearest above it that can be; never all of a site for a folder of it. */
function close(done: Protected, folder: string, user: string): boolean {
  for (let path = folder; path !== ''; path = above(path)) {
    const guard = validGuard({ path, user }) ?? validGuard({ path, user: SOMEBODY })
    if (!guard) continue
    const others = done.guards.filter((held) => held.path !== guard.path)
    if (others.length >= GUARDS_MAX) return closeTogether(done, path)
    done.guards = [...others, guard]
    return true
  }
  return false
}

/** Where no more parts can be protected: closes the nearest folder above that has others in it, in their place. */
function closeTogether(done: Protected, folder: string): boolean {
  for (let path = above(folder); path !== ''; path = above(path)) {
    const guard = validGuard({ path, user: NOBODY })
    const others = done.guards.filter((held) => held.path !== path && !held.path.startsWith(`${path}/`))
    if (!guard || others.length >= GUARDS_MAX) continue
    done.guards = [...others, guard]
    return true
  }
  return false
}

const above = (path: string): string => path.slice(0, path.lastIndexOf('/'))
