import { requestLog } from '../../api/log.ts'
import { common } from '../../text/common.ts'
import { Empty } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './texts.ts'

/** What this page has asked of the API: the interface has no other way to do anything. */
export function RequestLog() {
  const entries = requestLog.use()
  if (entries.length === 0) return <Empty icon="wire" title={texts.nothingWasAskedYet} />
  return (
    <div className="request-log">
      <p className="faint small">{texts.whatTheLogIs}</p>
      <Table
        label={texts.requests}
        rows={entries}
        rowKey={({ n }) => String(n)}
        columns={[
          {
            head: common.request,
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
            head: texts.status,
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
