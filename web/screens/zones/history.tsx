import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Change, findRrset, type Records, sameRrset, takeBack } from './records-data.ts'

export type TakeBack = { busy: boolean; error: ApiError | null; run: (change: Change, etag: string) => void }

/** Takes changes back one at a time; where the zone is not in the state that was seen, it is read again. */
export function useTakeBack(zona: string, refresh: () => void): TakeBack {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const run = (change: Change, etag: string) => {
    setBusy(true)
    setError(null)
    takeBack(zona, change, etag)
      .then(() => announce(t('Undone', 'Deshecho')))
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
  const foreign = touched(newest, records)
  return (
    <section className="rr-history" aria-label={t('Your last changes', 'Sus últimos cambios')}>
      <div className="rr-history-line">
        <Icon name="undo" size={14} />
        <span>
          <span className="faint">{t('Last change', 'Último cambio')}:</span> {describe(newest)}{' '}
          <span className="faint">{relative(new Date(newest.at).toISOString())}</span>
        </span>
        <Button
          size="compact-sm"
          variant="default"
          loading={back.busy}
          onClick={() => back.run(newest, records.etag)}
        >
          {foreign ? t('Undo all the same', 'Deshacer de todos modos') : t('Undo', 'Deshacer')}
        </Button>
      </div>
      {foreign ? (
        <p className="small">
          {t(
            'It has been changed again since, not here; undoing would replace that too.',
            'Desde entonces se ha vuelto a cambiar, no desde aquí; deshacer reemplazaría también eso.',
          )}
        </p>
      ) : null}
      {changes.length > 1 ? (
        <details className="small">
          <summary>
            {t(`Earlier changes in ${zona}`, `Cambios anteriores en ${zona}`)} ({changes.length - 1})
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
    return `${t('import', 'importación')} (+${added} ~${changed} −${deleted})`
  }
  const { before, after, nombre, tipo } = change
  const did = !before ? t('added', 'añadido') : !after ? t('deleted', 'eliminado') : t('changed', 'cambiado')
  return (
    <>
      <code>
        {tipo} {nombre}
      </code>{' '}
      {did}
    </>
  )
}
