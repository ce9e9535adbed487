import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiError, asApiError } from '../../api/errors.ts'
import type { ItemOf, OutputOf } from '../../api/operations.ts'

export const LIST = 'GET /api/sitios/:domain/archivos'
export type Entry = ItemOf<typeof LIST>
type Page = OutputOf<typeof LIST>

export type Folder = {
  rows: Entry[]
  loading: boolean
  error: ApiError | null
  more: boolean
  loadingMore: boolean
  loadMore(): void
  retry(): void
}

const PAGE = '200'
/** As much of a large folder is read again after a change: 2,000 names. What lies beyond comes when it is scrolled to. */
const PAGES_AGAIN = 10

type Rest = { path: string; of: number; pages: Page[] }

/** A folder's names, page by page. The first page is kept fresh as all that is read; the others follow it. */
export function useFolder(domain: string, path: string): Folder {
  const [rest, setRest] = useState<Rest>({ path, of: 0, pages: [] })
  const following = rest.path === path && rest.pages.length > 0
  const read = useCallback(
    (desde: string | null, signal?: AbortSignal) =>
      call(
        LIST,
        { params: { domain }, query: { ruta: path, limite: PAGE, ...(desde === null ? {} : { desde }) } },
        signal ? { signal } : {},
      ),
    [domain, path],
  )
  const first = useQuery<Page, ApiError>({
    queryKey: [LIST, { params: { domain }, query: { ruta: path, limite: PAGE } }],
    queryFn: ({ signal }) => read(null, signal),
    // Whoever has scrolled far down stays there.
    refetchOnWindowFocus: !following,
  })
  const more = useFurther({ first: first.data, of: first.dataUpdatedAt, path, rest, setRest, read })
  const further = following ? rest.pages : null
  const rows = useMemo(() => rowsOf(first.data, further), [first.data, further])
  return {
    rows,
    loading: first.isPending,
    error: first.error ?? more.error,
    more: more.next !== null,
    loadingMore: more.loading,
    loadMore: more.load,
    retry: () => void (first.error ? first.refetch() : more.load()),
  }
}

/** A folder that is read in one piece has its folders first; of a large one the order is the panel's. */
function rowsOf(first: Page | undefined, further: Page[] | null): Entry[] {
  if (!first) return []
  if (first.siguiente !== null) return [first, ...(further ?? [])].flatMap(({ datos }) => datos)
  const isFolder = ({ tipo }: Entry) => Number(tipo === 'carpeta')
  return [...first.datos].sort((a, b) => isFolder(b) - isFolder(a))
}

type Further = {
  first: Page | undefined
  of: number
  path: string
  rest: Rest
  setRest: (rest: Rest) => void
  read: (desde: string | null) => Promise<Page>
}

/** The pages after the first: the next one when it is wanted, and those there are again when the first was. */
function useFurther({ first, of, path, rest, setRest, read }: Further) {
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const turn = useRef(0)
  const pages = rest.path === path ? rest.pages : []
  const next = (pages.at(-1) ?? first)?.siguiente ?? null
  const fetch = async (count: number, known: Page[]) => {
    turn.current++
    const mine = turn.current
    setLoading(true)
    setError(null)
    try {
      const all = [...known]
      for (let page = 0; page < count; page++) {
        const desde = (all.at(-1) ?? first)?.siguiente ?? null
        if (desde === null) break
        all.push(await read(desde))
      }
      if (mine === turn.current) setRest({ path, of, pages: all })
    } catch (thrown) {
      if (mine === turn.current) setError(asApiError(thrown))
    } finally {
      if (mine === turn.current) setLoading(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new first page begins anew
  useEffect(() => {
    if (pages.length > 0 && rest.of !== of) void fetch(Math.min(pages.length, PAGES_AGAIN), [])
  }, [of])
  const load = () => {
    if (!loading && next !== null) void fetch(1, pages)
  }
  return { next, loading, error, load }
}
