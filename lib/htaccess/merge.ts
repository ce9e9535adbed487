import type { SiteCache, SitePhp, SiteRedirect } from '../../schema/clients.ts'
import { GUARDS_MAX, indexRow, REDIRECTS_MAX } from '../sites/rules-shapes.ts'
import type { Change, Reason, Wish } from './reasons.ts'
import { validGuard, validIndex, validPage, validRedirect } from './valid-view.ts'

type Guard = { path: string; user: string }
type Pages = { [status: string]: string | undefined }

/** The settings of a site as they are. */
export type CurrentSettings = {
  redirects: SiteRedirect[]
  guards: Guard[]
  errorPages: Pages
  indexFiles: string[] | null
  cache: SiteCache | null
  php: SitePhp | null
  ordinaryPhp: SitePhp
  /** The memory that the plan has; null for no limit. */
  memoryBytes: number | null
}

/** Settings that are to be set; those left out stay. */
export type Settings = {
  redirects?: SiteRedirect[]
  guards?: Guard[]
  errorPages?: Pages
  indexFiles?: string[]
  singlePage?: true
  httpsOnly?: true
  cache?: SiteCache
  php?: SitePhp
}

/** What of them stands in the site's own row. */
export const columnsOf = ({ guards: _, ...columns }: Settings) => {
  const { php: phpSettings, ...others } = columns
  return phpSettings ? { ...others, phpSettings } : others
}

type Result = { refused: Reason } | { change: Change | null }

const taken = (change: Change | null = null): Result => ({ change })
const refused = (reason: Reason): Result => ({ refused: reason })

/** Adds wishes to a site's settings, where nothing else is set yet. */
export class SettingsToBe {
  readonly #current: CurrentSettings
  readonly #set: Settings = {}

  constructor(current: CurrentSettings) {
    this.#current = current
  }

  changed(): Settings {
    return this.#set
  }

  add(wish: Wish): Result {
    switch (wish.setting) {
      case 'redirecciones':
        return this.#redirect(wish.value)
      case 'protegidas':
        return this.#guard(wish.value)
      case 'paginas_error':
        return this.#page(wish.value)
      case 'indice':
        return this.#index(wish.value)
      case 'cache':
        return this.#kept(wish.value)
      case 'php_ajustes':
        return this.#php(wish.value)
      case 'indice_spa':
        this.#set.singlePage = true
        return taken()
      case 'solo_https':
        this.#set.httpsOnly = true
        return taken()
    }
  }

  #redirect(wanted: SiteRedirect): Result {
    const valid = validRedirect(wanted)
    if ('refused' in valid) return valid
    const list = this.#set.redirects ?? this.#current.redirects
    const other = list.find(({ from }) => from === valid.redirect.from)
    if (other) return isEqual(other, valid.redirect) ? taken() : refused('ya_hay_otra')
    if (list.length >= REDIRECTS_MAX) return refused('demasiadas')
    this.#set.redirects = [...list, valid.redirect]
    return taken()
  }

  #guard(wanted: Guard): Result {
    const guard = validGuard(wanted)
    const list = this.#set.guards ?? this.#current.guards
    if (guard === null) return refused('muy_honda')
    if (list.some(({ path }) => path === guard.path)) return taken()
    if (list.length >= GUARDS_MAX) return refused('demasiadas')
    this.#set.guards = [...list, guard]
    return taken()
  }

  #page({ status, page }: { status: string; page: string }): Result {
    if (!validPage(status, page)) return refused('pagina')
    const pages = this.#set.errorPages ?? this.#current.errorPages
    if (pages[status] !== undefined) return pages[status] === page ? taken() : refused('ya_hay_otra')
    this.#set.errorPages = { ...pages, [status]: page }
    return taken()
  }

  #index(names: string[]): Result {
    if (!validIndex(names)) return refused('indice')
    const present = this.#set.indexFiles ?? this.#current.indexFiles
    if (present !== null && present.join() !== names.join()) return refused('ya_hay_otra')
    if (indexRow(names) !== null) this.#set.indexFiles = names
    return taken()
  }

  /** Of several times for one class the shortest holds: no browser keeps a file for longer than its site wants. */
  #kept({
    of,
    seconds,
    immutable,
  }: {
    of: keyof NonNullable<SiteCache['classes']>
    seconds: number
    immutable: boolean
  }): Result {
    const before = this.#current.cache
    const cache = this.#set.cache ?? before ?? { seconds: null, parameters: [], files: false }
    const [other, set] = [before?.classes?.[of], cache.classes?.[of]]
    const wanted = { seconds, immutable }
    if (other) return isEqual(other, wanted) ? taken() : refused('ya_hay_otra')
    const isShorter = set === undefined || seconds < set.seconds
    if (isShorter) this.#set.cache = { ...cache, classes: { ...cache.classes, [of]: wanted } }
    return taken(set === undefined || set.seconds === seconds ? null : 'el_mas_corto')
  }

  #php(wanted: Partial<SitePhp>): Result {
    const { php, ordinaryPhp, memoryBytes } = this.#current
    const before = php ?? ordinaryPhp
    const [[name, value] = ['seconds', 0]] = Object.entries(wanted)
    const field = name as keyof SitePhp // A wish has one of these fields.
    if (before[field] === value) return taken()
    if (before[field] !== ordinaryPhp[field]) return refused('ya_hay_otra')
    const set = this.#set.php ?? before
    const isOver = field === 'memoryBytes' && memoryBytes !== null && Number(value) > memoryBytes
    // The largest file and the largest request are one limit here.
    const isLess = field === 'uploadBytes' && set[field] !== ordinaryPhp[field] && Number(value) < set[field]
    if (!isLess) this.#set.php = { ...set, [field]: isOver ? memoryBytes : value }
    return taken(isOver ? 'limitado' : null)
  }
}

const isEqual = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)
