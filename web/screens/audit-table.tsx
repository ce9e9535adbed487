import { Link } from 'wouter'
import { usePages } from '../api/hooks.ts'
import type { InputOf, ItemOf } from '../api/operations.ts'
import { exactTime } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { operationWords } from '../i18n/tasks.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Empty, Nothing } from '../ui/page.tsx'
import { PagedTable } from '../ui/table.tsx'
import { Actor, Outcome } from './audit/list.tsx'
import { clientPath } from './places.ts'

type Entry = ItemOf<'GET /api/auditoria'>

/** The audit trail, newest first. */
export default function AuditTable({
  filters,
}: {
  filters: NonNullable<InputOf<'GET /api/auditoria'>['query']>
}) {
  const entries = usePages('GET /api/auditoria', { query: filters })
  const client = {
    head: t('Client', 'Cliente'),
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
      label={t('Audit trail', 'Auditoría')}
      pages={entries}
      rowKey={({ id }) => String(id)}
      columns={[
        {
          head: t('When', 'Cuándo'),
          narrow: true,
          cell: ({ cuando }) => <time dateTime={cuando}>{exactTime(cuando)}</time>,
        },
        { head: t('Operation', 'Operación'), cell: (entry) => <Operation entry={entry} /> },
        { head: t('Who', 'Quién'), cell: ({ actor }) => <Actor actor={actor} /> },
        ...(filters.cliente ? [] : [client]),
        {
          head: t('Object', 'Objeto'),
          long: true,
          cell: ({ objeto }) => (objeto ? <code>{objeto}</code> : <Nothing />),
        },
        { head: t('Result', 'Resultado'), cell: ({ resultado }) => <Outcome outcome={resultado} /> },
      ]}
      empty={<Empty icon="audit" title={t('Nothing fits these filters.', 'Nada cumple estos filtros.')} />}
    />
  )
}

function Operation({ entry }: { entry: Entry }) {
  const detail = entry.detalle && Object.keys(entry.detalle).length > 0 ? JSON.stringify(entry.detalle) : null
  return (
    <>
      <span className="strong">{operationWords(entry.operacion)}</span>
      <span className="sub">
        <code>{entry.operacion}</code>
      </span>
      {detail || entry.peticion ? (
        <details className="audit-detail">
          <summary>{t('Details', 'Detalles')}</summary>
          {detail ? <code>{detail}</code> : null}
          {entry.peticion ? (
            <span className="actions">
              {t('Request', 'Petición')} <code>{entry.peticion}</code>
              <CopyButton
                value={entry.peticion}
                label={t('Copy the request id', 'Copiar el id de petición')}
              />
            </span>
          ) : null}
        </details>
      ) : null}
    </>
  )
}
