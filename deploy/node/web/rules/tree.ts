import { createHash } from 'node:crypto'
import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { DesiredRedirect, DesiredRules, DesiredSite } from '../../../../lib/endpoint/node-port.ts'
import { isPageAddress, parseDestination, siteAddress } from '../../../../lib/text/addresses.ts'
import { PAGE_STATUSES } from '../../../../schema/states.ts'
import type { Identity } from '../../files/clients.ts'
import { documentRoot, id, type Layout } from '../../files/layout.ts'
import {
  ensureDirectory,
  ensureWay,
  exists,
  move,
  readLink,
  removeFile,
  setLink,
  syncDirectory,
  writeWhole,
} from '../../host/files.ts'
import { limitFlag } from '../bodies.ts'
import { keptClasses } from '../cache/browsers.ts'
import { indexNames } from './index-files.ts'

const STATUSES = [301, 302, 307, 308]
const USER = /^[A-Za-z0-9._@-]{1,64}$/
const SECRET = /^\{SSHA\}[A-Za-z0-9+/=]{20,100}$/
/** How many levels of an address a rule for all below it may have: the web server tries each of them. */
const PREFIX_LEVELS = 4

/** Whose directory above lets the web server pass alone. */
const PASSABLE = { mode: 0o755, owner: null }

type SiteKey = { siteId: number }
type Ruled = SiteKey & Pick<DesiredSite, 'rules' | 'phpSettings' | 'cache'>

/** The settings of a site that are as they are for all. */
const ORDINARY: DesiredRules = { webRoot: 'public', singlePage: false, redirects: [], guards: [] }

/**
 * Writes a site's rules where the web server looks them up. The former ones stay, and hold, until the site's names lead
 * to these. They are a tree by the addresses that they are for, so that a request costs a few look-ups however many
 * there are; their name is made of their content, so that a killed change is finished by the same call.
 */
export function writeRules(layout: Layout, identity: Identity, site: Ruled): void {
  const mark = layout.settingsMark(site.siteId)
  const rules = site.rules ?? ORDINARY
  const wanted = markOf(site)
  if (wanted === null) {
    if (removeFile(mark)) syncDirectory(layout.policies)
    return
  }
  if (haveTree(rules)) makeTree(layout, identity, { path: layout.rulesOf(site.siteId, keyOf(rules)), rules })
  setLink(layout.temporary, mark, wanted)
  syncDirectory(layout.policies)
}

/** Whether a site's rules stand where the web server looks them up, for its names, too. */
export function hasRules(layout: Layout, site: Ruled): boolean {
  const rules = site.rules ?? ORDINARY
  const isThere = !haveTree(rules) || exists(layout.rulesOf(site.siteId, keyOf(rules)))
  return isThere && readLink(layout.settingsMark(site.siteId)) === markOf(site)
}

const keyOf = (rules: DesiredRules): string =>
  createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 12)

const areLooked = ({ redirects, guards, indexFiles }: DesiredRules): boolean =>
  redirects.length + guards.length > 0 || indexFiles !== undefined

const haveTree = (rules: DesiredRules): boolean => areLooked(rules) || rules.errorPages !== undefined

/** What a site's mark says of its settings; null where they are the ordinary ones. */
function markOf(site: Ruled): string | null {
  const rules = site.rules ?? ORDINARY
  const flags = flagsOf(site)
  const kept = keptClasses(site.cache)
  const told = `${kept === '' ? '' : `-${kept}`}${indexNames(rules.indexFiles)}`
  if (flags + told === '' && JSON.stringify(rules) === JSON.stringify(ORDINARY)) return null
  return `${areLooked(rules) ? 'l' : 'c'}/${flags}-${keyOf(rules)}${told}/${documentRoot(rules.webRoot)}`
}

/**
 * What the web server has to know of each request's site, a letter each: `p` a single page, `m` pages of its own for
 * errors, `w` one also for a program's 500; any further letter is the size limit of bodies (`limitFlag`).
 */
const flagsOf = ({ rules, phpSettings }: Ruled): string =>
  [
    rules?.singlePage ? 'p' : '',
    rules?.errorPages ? 'm' : '',
    rules?.errorPages?.[500] ? 'w' : '',
    phpSettings ? limitFlag(phpSettings.uploadBytes) : '',
  ].join('')

/** Removes the rules that no name of the site leads to any more, and what a killed change left of them. */
export function removeOtherRules(layout: Layout, { siteId, rules }: Ruled): void {
  const key = keyOf(rules ?? ORDINARY)
  for (const name of readdirSync(layout.rules)) {
    if (name.startsWith(`${id(siteId)}-`) && name !== `${siteId}-${key}`) {
      rmSync(join(layout.rules, name), { recursive: true, force: true })
    }
  }
}

/** Of a site that is deleted. */
export function removeRules(layout: Layout, site: SiteKey): void {
  removeFile(layout.settingsMark(site.siteId))
  removeOtherRules(layout, site)
}

function makeTree(
  layout: Layout,
  identity: Identity,
  { path, rules }: { path: string; rules: DesiredRules },
): void {
  if (exists(path)) return
  const made = `${path}.new`
  const owner = identity.root && identity.web ? { uid: identity.root.uid, gid: identity.web.gid } : null
  rmSync(made, { recursive: true, force: true })
  try {
    ensureDirectory(made, { mode: 0o700, owner: null })
    for (const redirect of rules.redirects) writeRedirect(made, redirect)
    for (const guard of rules.guards) writeGuard(made, guard, owner)
    for (const [status, page] of Object.entries(rules.errorPages ?? {})) writeErrorPage(made, status, page)
    ensureDirectory(made, { mode: owner ? 0o710 : 0o711, owner })
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
  move(made, path)
  syncDirectory(layout.rules)
}

/** A name in the tree of addresses leads to a directory whose path is the destination. */
function writeRedirect(tree: string, { from, to, status }: DesiredRedirect): void {
  if (!STATUSES.includes(status)) throw new TypeError('not a redirect')
  const takesAll = from.endsWith('/*')
  const name = place(tree, 'r', {
    path: takesAll ? from.slice(0, -2) || '/' : from,
    mark: takesAll ? '*' : '=',
  })
  const destination = ensureWay(tree, ['t', String(status), ...destinationOf(to)], PASSABLE)
  symlinkSync(relative(dirname(name), destination), name)
}

/** A status leads to a directory whose path is the page's address. */
function writeErrorPage(tree: string, status: string, page: string | undefined): void {
  if (!PAGE_STATUSES.some((one) => one === status) || page === undefined || !isPageAddress(page))
    throw new TypeError('not a page')
  const entries = ensureWay(tree, ['e'], PASSABLE)
  const address = ensureWay(tree, ['d', ...page.slice(1).split('/')], PASSABLE)
  symlinkSync(relative(entries, address), join(entries, status))
}

/** The last name ends in a comma, so that none is empty and a slash at the end is kept. */
function destinationOf(to: string): string[] {
  const destination = parseDestination(to)
  if (destination === null) throw new TypeError('not a destination')
  const { scheme, takesRest, segments } = destination
  return [scheme, takesRest ? 'k' : 'd', ...`${segments.join('/')},`.split('/')]
}

function writeGuard(
  tree: string,
  guard: DesiredRules['guards'][number],
  owner: { uid: number; gid: number } | null,
) {
  const { path, user, secret } = guard
  if (!USER.test(user) || (secret !== null && !SECRET.test(secret))) throw new TypeError('not a guard')
  const name = place(tree, 'a', { path, mark: '@' })
  const content = secret === null ? '' : `${user}:${secret}\n`
  writeWhole({ path: name, content, mode: owner ? 0o640 : 0o600, owner })
}

/** Where the rule for an address stands; its directory is there. */
function place(
  tree: string,
  kind: 'r' | 'a',
  { path, mark }: { path: string; mark: '=' | '*' | '@' },
): string {
  if (siteAddress(path.replaceAll('%', '%25')) !== path) throw new TypeError('not an address')
  const segments = path.split('/').filter((one) => one !== '')
  if (mark !== '=' && segments.length > PREFIX_LEVELS) throw new TypeError('too many levels')
  return join(ensureWay(tree, [kind, ...segments], PASSABLE), mark)
}
