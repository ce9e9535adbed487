import { useState } from 'react'
import { type ApiError, asApiError } from '../../../api/errors.ts'
import { common } from '../../../text/common.ts'
import { relative } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { announce } from '../../../ui/toast.tsx'
import { type Change, findRrset, notYetRead, type Records, sameRrset, takeBack } from './records-data.ts'
import { texts } from './texts.ts'

export type TakeBack = { busy: boolean; error: ApiError | null; run: (change: Change, etag: string) => void }

/** Takes changes back one at a time; where the zone is not in the state that was seen, it is read again. */
export function useTakeBack(zona: string, refresh: () => void): TakeBack {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const run = (change: Change, etag: string) => {
    setBusy(true)
    setError(null)
    takeBack(zona, change, etag)
      .then(() => announce(texts.undone))
      .catch((thrown: unknown) => {
        setError(asApiError(thrown))
        refresh()
      })
      .finally(() => setBusy(false))
  }
  return { busy, error, run }
}

/** The last changes that were made here, the newest of which can be undone. */
export function ChangeList({
  zona,
  records,
  changes,
  back,
}: {
  zona: string
  records: Records
  changes: Change[]
  back: TakeBack
}) {
  const [newest] = changes
  if (!newest) return back.error ? <ErrorNote error={back.error} /> : null
  const left = notYetRead(newest, records)
  const foreign = left === null && touched(newest, records)
  return (
    <section className="rr-history" aria-label={texts.yourLastChanges}>
      <div className="rr-history-line">
        <Icon name="undo" size={14} />
        <span>
          <span className="faint">{texts.lastChange}:</span> {describe(newest)}{' '}
          <span className="faint">{relative(new Date(newest.at).toISOString())}</span>
        </span>
        <SmallButton loading={back.busy} onClick={() => back.run(newest, left ?? records.etag)}>
          {foreign ? texts.undoAllTheSame : common.undo}
        </SmallButton>
      </div>
      {foreign ? <p className="small">{texts.changedAgainSince}</p> : null}
      {changes.length > 1 ? (
        <details className="small">
          <summary>
            {texts.earlierChangesIn(zona)} ({changes.length - 1})
          </summary>
          <ol>
            {changes.slice(1).map((change) => (
              <li key={change.n}>
                {describe(change)}{' '}
                <span className="faint">{relative(new Date(change.at).toISOString())}</span>
              </li>
            ))}
          </ol>
        </details>
      ) : null}
      {back.error ? <ErrorNote error={back.error} /> : null}
    </section>
  )
}

/** Whether what a change left is not what is there now. */
function touched(change: Change, records: Records): boolean {
  if (change.kind === 'import') return false
  return !sameRrset(change.after, findRrset(records.rows, change.nombre, change.tipo))
}

function describe(change: Change) {
  if (change.kind === 'import') {
    const [added, changed, deleted] = change.counts
    return `${texts.import} (+${added} ~${changed} −${deleted})`
  }
  const { before, after, nombre, tipo } = change
  const did = !before ? common.isAdded : !after ? texts.deleted : common.isChanged
  return (
    <>
      <code>
        {tipo} {nombre}
      </code>{' '}
      {did}
    </>
  )
}
