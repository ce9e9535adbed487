import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call, reply } from '../../api/client.ts'
import type { ApiError } from '../../api/errors.ts'
import type { InputOf, OutputOf } from '../../api/operations.ts'
import { Loaded } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { announce } from '../../ui/toast.tsx'
import { Preview } from './preview.tsx'
import { ChangeForm } from './records/change-form.tsx'
import { remember } from './records/records-data.ts'
import { texts } from './texts.ts'

export const IMPORT = 'POST /api/zonas/:zona/importar'
export type Mode = NonNullable<NonNullable<InputOf<typeof IMPORT>['query']>['modo']>
type Outcome = OutputOf<typeof IMPORT>

/** What an import would do to exactly this text, on exactly this state of the zone. */
type Looked = { outcome: Outcome; etag: string; before: string }

type Props = {
  zona: string
  text: string
  modo: Mode
  submit: string
  /** What is said once it is done. */
  told?: string
  done: () => void
  cancel: () => void
}

/** A zone file, what it would change, and the button that makes it so; the difference is the server's own. */
export function Proposed(props: Props) {
  const looked = useLook(props)
  return (
    <Loaded of={looked}>
      {(found) => <Result {...props} looked={found} again={() => void looked.refetch()} />}
    </Loaded>
  )
}

function useLook({ zona, text, modo }: Props): UseQueryResult<Looked, ApiError> {
  return useQuery<Looked, ApiError>({
    queryKey: [IMPORT, zona, modo, text],
    queryFn: async ({ signal }) => {
      const before = await reply('GET /api/zonas/:zona/exportar', { params: { zona } }, { signal })
      const etag = before.etag ?? '*'
      const body = new TextEncoder().encode(text)
      const query = { simular: 'si', modo } as const
      const outcome = await call(IMPORT, { params: { zona }, query, body }, { signal, ifMatch: etag })
      return { outcome, etag, before: before.data }
    },
    // What is confirmed is what was seen: it is asked for again only by its own button.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

function Result({
  zona,
  text,
  modo,
  submit,
  told = texts.imported,
  done,
  cancel,
  looked,
  again,
}: Props & ResultProps) {
  const { outcome, etag, before } = looked
  const { anadidos, cambiados, borrados, rechazados } = outcome
  if (rechazados.length > 0) return <Refused rejected={rechazados} />
  if (anadidos + cambiados + borrados === 0) return <Note tone="info" title={texts.nothingToImport} />
  return (
    <div className="import-result" aria-live="polite">
      <Preview
        zona={zona}
        before={before}
        after={text}
        merging={modo === 'fusionar'}
        counts={[anadidos, cambiados, borrados]}
      />
      <ChangeForm
        op={IMPORT}
        input={{ params: { zona }, query: { modo }, body: new TextEncoder().encode(text) }}
        ifMatch={etag}
        outdated={again}
        submit={submit}
        danger={borrados > 0}
        cancel={cancel}
        done={({ data }) => {
          remember(zona, {
            kind: 'import',
            file: before,
            counts: [data.anadidos, data.cambiados, data.borrados],
          })
          announce(told)
          done()
        }}
      />
    </div>
  )
}

type ResultProps = { looked: Looked; again: () => void }

function Refused({ rejected }: { rejected: Outcome['rechazados'] }) {
  return (
    <div className="import-result">
      <Note tone="bad" title={texts.linesAreRefused} />
      <div className="table-box">
        <Table
          label={texts.refusedLines}
          rows={rejected}
          rowKey={({ linea, motivo }) => `${linea} ${motivo}`}
          columns={[
            {
              head: texts.line,
              narrow: true,
              cell: ({ linea }) => <span className="mono">{linea}</span>,
            },
            { head: texts.why, cell: ({ motivo }) => motivo },
          ]}
        />
      </div>
    </div>
  )
}
