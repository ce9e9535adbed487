import {
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { language } from '../text/language.ts'
import { call, type Reply, reply } from './client.ts'
import { ApiError, asApiError } from './errors.ts'
import type { InputOf, ItemOf, Operation, OutputOf, PagedOperation, ReadOperation } from './operations.ts'

/** What was read is kept while a screen is open; every change reads it again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // What cannot be reached is said, not waited for in silence.
      networkMode: 'always',
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && [0, 502, 503].includes(error.status),
    },
  },
})

// The panel answers in the language of the screens: what is shown is asked for again in the other.
language.subscribe(() => void queries.invalidateQueries())

type ReadOptions<K extends ReadOperation> = {
  enabled?: boolean
  /** Milliseconds until the next look, while the data says that something is still going on. */
  again?: (data: OutputOf<K>) => number | false
}

/** Reads one operation and keeps it fresh. */
export function useRead<K extends ReadOperation>(
  op: K,
  input: InputOf<K>,
  { enabled = true, again }: ReadOptions<K> = {},
): UseQueryResult<OutputOf<K>, ApiError> {
  return useQuery<OutputOf<K>, ApiError>({
    queryKey: [op, input],
    queryFn: ({ signal }) => call(op, input, { signal }),
    enabled,
    ...(again
      ? { refetchInterval: (query) => (query.state.data === undefined ? false : again(query.state.data)) }
      : {}),
  })
}

/**
 * Whether what is read is not there, by the code that says so. It stays so while it is asked for again: what is shown in
 * its place, as a form to enter it, goes on with what was typed.
 */
export function useAbsent(read: UseQueryResult<unknown, ApiError>, code: string): boolean {
  const [absent, setAbsent] = useState(false)
  const known = read.isPending ? absent : read.error?.codigo === code
  if (known !== absent) setAbsent(known)
  return known
}

export type Pages<T> = {
  rows: T[]
  /** How many there are over all pages, if that was asked for. */
  total: number | null
  loading: boolean
  error: ApiError | null
  more: boolean
  loadMore(): void
  loadingMore: boolean
  retry(): void
}

type PageOptions<T> = {
  enabled?: boolean
  again?: (rows: T[]) => number | false
  /** Read anew whenever a screen shows it, however lately that was. */
  fresh?: boolean
}
type PageData<K extends PagedOperation> = {
  datos: ItemOf<K>[]
  siguiente: string | null
  total?: number | undefined
}

/** Reads a listing page by page, by its cursor. */
export function usePages<K extends PagedOperation>(
  op: K,
  input: InputOf<K>,
  { enabled = true, again, fresh = false }: PageOptions<ItemOf<K>> = {},
): Pages<ItemOf<K>> & { first: OutputOf<K> | undefined } {
  const result = useInfiniteQuery<
    PageData<K>,
    Error,
    InfiniteData<PageData<K>, string>,
    readonly unknown[],
    string
  >({
    queryKey: [op, 'pages', input],
    queryFn: async ({ pageParam, signal }) => {
      const loose = input as { query?: Record<string, unknown> }
      // Counted once: the first page tells it.
      const query = { ...loose.query, ...(pageParam ? { desde: pageParam, contar: undefined } : {}) }
      // A paged operation takes `desde`, and answers `datos` and `siguiente`: that is what makes it one.
      return (await call(op, { ...input, query } as InputOf<K>, { signal })) as PageData<K>
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.siguiente ?? undefined,
    enabled,
    refetchOnMount: fresh ? 'always' : true,
    placeholderData: keepPreviousData,
    ...(again
      ? {
          refetchInterval: (query) =>
            query.state.data ? again(query.state.data.pages.flatMap(({ datos }) => datos)) : false,
        }
      : {}),
  })
  // Besides its rows, for listings that tell more.
  const data = result.data
  const rows = useMemo(() => data?.pages.flatMap(({ datos }) => datos) ?? [], [data])
  return { ...pagesOf(result), rows, first: result.data?.pages[0] as OutputOf<K> | undefined }
}

function pagesOf<T>(
  result: UseInfiniteQueryResult<{
    pages: { datos: T[]; siguiente: string | null; total?: number | undefined }[]
  }>,
): Omit<Pages<T>, 'rows'> {
  return {
    total: result.data?.pages[0]?.total ?? null,
    loading: result.isPending,
    error: result.error ? asApiError(result.error) : null,
    more: result.hasNextPage,
    loadMore: () => void result.fetchNextPage(),
    loadingMore: result.isFetchingNextPage,
    retry: () => void result.refetch(),
  }
}

type ReadAll = {
  most: number
  signal?: AbortSignal
  query?: Record<string, unknown> | undefined
  /** Told how many rows there are so far. */
  reached?: (rows: number) => void
}

/** Reads up to `most` pages of 200 in a row, for sums and files; `complete` tells whether that was all. */
export async function readAll<K extends PagedOperation>(
  op: K,
  { most, signal, query, reached }: ReadAll,
): Promise<{ rows: ItemOf<K>[]; complete: boolean }> {
  const rows: ItemOf<K>[] = []
  let desde = ''
  for (let page = 0; page < most; page++) {
    const asked = { query: { ...query, limite: '200', ...(desde ? { desde } : {}) } }
    // The query of every paged operation takes `desde` and `limite`.
    const answer = (await call(op, asked as unknown as InputOf<K>, signal ? { signal } : {})) as PageData<K>
    rows.push(...answer.datos)
    reached?.(rows.length)
    if (answer.siguiente === null) return { rows, complete: true }
    desde = answer.siguiente
  }
  return { rows, complete: false }
}

export type Action<K extends Operation> = {
  busy: boolean
  error: ApiError | null
  run(input: InputOf<K>, extra?: { ifMatch?: string }): Promise<Reply<K> | null>
  reset(): void
}

/** Calls a changing operation; afterwards every open screen reads again. */
export function useAction<K extends Operation>(op: K): Action<K> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  return {
    busy,
    error,
    reset: () => setError(null),
    async run(input, extra = {}) {
      setBusy(true)
      setError(null)
      try {
        const answer = await reply(op, input, extra)
        if (!op.includes(' /acceso/')) void queries.invalidateQueries()
        return answer
      } catch (thrown) {
        setError(asApiError(thrown))
        return null
      } finally {
        setBusy(false)
      }
    },
  }
}
