import { requestLog } from '../api/log.ts'
import { t } from '../i18n/language.ts'
import { Empty } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'

/** What this page has asked of the API: the interface has no other way to do anything. */
export function RequestLog() {
  const entries = requestLog.use()
  if (entries.length === 0)
    return <Empty icon="wire" title={t('Nothing was asked yet.', 'Aún no se ha pedido nada.')} />
  return (
    <div className="request-log">
      <p className="faint small">
        {t(
          'Everything on these screens is one of these requests; a token can make most of them. The newest is first.',
          'Todo lo que hay en pantalla es una de estas peticiones; un token puede hacer la mayoría. La más reciente va primero.',
        )}
      </p>
      <Table
        label={t('Requests', 'Peticiones')}
        rows={entries}
        rowKey={({ n }) => String(n)}
        columns={[
          {
            head: t('Request', 'Petición'),
            long: true,
            cell: ({ method, path, peticion }) => (
              <>
                <code>
                  <b>{method}</b> {path}
                </code>
                {peticion ? <span className="sub mono">{peticion}</span> : null}
              </>
            ),
          },
          {
            head: t('Status', 'Estado'),
            end: true,
            cell: ({ status }) => (
              <span className={status >= 400 || status === 0 ? 'state tone-bad' : undefined}>
                {status || '—'}
              </span>
            ),
          },
          { head: 'ms', end: true, cell: ({ ms }) => ms },
        ]}
      />
    </div>
  )
}
