import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import type { InputOf, ItemOf } from '../../api/operations.ts'
import { clientPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { exactTime } from '../../text/format.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty, Nothing } from '../../ui/page.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Actor, changeLine, Outcome, objectName, sentence } from './parts.tsx'
import { texts } from './texts.ts'

type Entry = ItemOf<'GET /api/auditoria'>

/** The audit trail, newest first. */
export default function AuditTable({
  filters,
}: {
  filters: NonNullable<InputOf<'GET /api/auditoria'>['query']>
}) {
  const entries = usePages('GET /api/auditoria', { query: filters })
  const client = {
    head: common.client,
    cell: ({ cliente }: Entry) =>
      cliente ? (
        <Link className="mono" href={clientPath(cliente)}>
          {cliente}
        </Link>
      ) : (
        <Nothing />
      ),
  }
  return (
    <PagedTable
      label={common.auditTrail}
      pages={entries}
      rowKey={({ id }) => String(id)}
      columns={[
        {
          head: texts.when,
          narrow: true,
          cell: ({ cuando }) => <time dateTime={cuando}>{exactTime(cuando)}</time>,
        },
        { head: common.operation, cell: (entry) => <Operation entry={entry} /> },
        { head: texts.who, cell: ({ actor }) => <Actor actor={actor} /> },
        ...(filters.cliente ? [] : [client]),
        {
          head: common.object,
          long: true,
          cell: (entry) => <AuditObject entry={entry} />,
        },
        { head: texts.result, cell: ({ resultado }) => <Outcome outcome={resultado} /> },
      ]}
      empty={<Empty icon="audit" title={texts.nothingFitsTheseFilters} />}
    />
  )
}

/** Its name; the key under which programs know it stands in the details. */
function AuditObject({ entry }: { entry: Entry }) {
  const name = objectName(entry)
  if (name === null) return <Nothing />
  return name === entry.objeto ? <code>{name}</code> : <bdi>{name}</bdi>
}

function Operation({ entry }: { entry: Entry }) {
  const key = entry.objeto === objectName(entry) ? null : entry.objeto
  const detail = entry.detalle && Object.keys(entry.detalle).length > 0 ? JSON.stringify(entry.detalle) : null
  return (
    <>
      <span className="strong">{sentence(entry)}</span>
      <span className="sub">
        <code>{entry.operacion}</code>
      </span>
      {entry.cambios ? <span className="sub audit-line">{changeLine(entry.cambios)}</span> : null}
      {detail || key || entry.peticion ? (
        <details className="audit-detail">
          <summary>{common.details}</summary>
          {key ? <code>{key}</code> : null}
          {detail ? <code>{detail}</code> : null}
          {entry.peticion ? (
            <span className="actions">
              {common.request} <code>{entry.peticion}</code>
              <CopyButton value={entry.peticion} label={common.copyTheRequestId} />
            </span>
          ) : null}
        </details>
      ) : null}
    </>
  )
}
