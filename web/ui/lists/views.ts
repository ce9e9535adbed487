import { createStore } from '../../api/store.ts'
import { remember, remembered } from '../../text/language.ts'

/** Filters and an order that somebody gave a name, as the part of the address behind `?`. */
export type View = { name: string; query: string }

const KEY = 'panel.vistas'
const MOST = 30

/** The saved views of each listing; they stay in this browser. */
const saved = createStore<Record<string, View[]>>(stored())

export const useViews = (listing: string): View[] => saved.use()[listing] ?? []

/** Keeps a view; one of the same name is replaced. */
export function saveView(listing: string, view: View): void {
  const others = (saved.get()[listing] ?? []).filter(({ name }) => name !== view.name)
  keep(listing, [...others, view].slice(-MOST))
}

export function dropView(listing: string, name: string): void {
  keep(
    listing,
    (saved.get()[listing] ?? []).filter((view) => view.name !== name),
  )
}

function keep(listing: string, views: View[]): void {
  saved.set({ ...saved.get(), [listing]: views })
  remember(KEY, JSON.stringify(saved.get()))
}

function stored(): Record<string, View[]> {
  try {
    const value: unknown = JSON.parse(remembered(KEY) ?? '{}')
    return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(checked)) : {}
  } catch {
    return {}
  }
}

function checked([listing, views]: [string, unknown]): [string, View[]] {
  return [listing, Array.isArray(views) ? views.filter(isView) : []]
}

function isView(view: unknown): view is View {
  return (
    typeof view === 'object' &&
    view !== null &&
    'name' in view &&
    typeof view.name === 'string' &&
    'query' in view &&
    typeof view.query === 'string'
  )
}
