import { usePages } from '../../../api/hooks.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { dateTime, number } from '../../../text/format.ts'
import { OpForm } from '../../../ui/forms/form.tsx'
import { State } from '../../../ui/state.tsx'
import { announce } from '../../../ui/toast.tsx'
import { reasonWords, texts } from './texts.ts'

export type Schedule = ItemOf<'GET /api/sitios/:domain/programadas'>
type Run = ItemOf<'GET /api/sitios/:domain/programadas/:id/ejecuciones'>

/** A task's runs with what they said; it can be run now. */
export function ScheduleRuns({ schedule }: { schedule: Schedule }) {
  const params = { domain: schedule.sitio, id: schedule.id }
  const runs = usePages(
    'GET /api/sitios/:domain/programadas/:id/ejecuciones',
    { params, query: {} },
    { again: (rows) => (schedule.en_curso || rows.some(({ motivo }) => motivo === null) ? 2000 : false) },
  )
  return (
    <div className="form">
      <p>
        <code>{schedule.orden.join(' ')}</code>
      </p>
      <OpForm
        op="POST /api/sitios/:domain/programadas/:id/ejecutar"
        input={{ params }}
        submit={texts.runNow}
        disabled={schedule.en_curso}
        done={() => announce(texts.begun)}
      />
      {runs.rows.map((run) => (
        <OneRun key={run.id} run={run} />
      ))}
      {runs.rows.length === 0 && !runs.loading ? <p className="faint small">{texts.never}</p> : null}
    </div>
  )
}

type Ended = NonNullable<Schedule['ultima']>

/** How a run went: what failed stands out. */
export function RunState({ run: { motivo, codigo, ms } }: { run: Pick<Ended, 'motivo' | 'codigo' | 'ms'> }) {
  if (motivo === null) return texts.running
  const time = ms === null ? '' : ` · ${number(ms)} ms`
  const good = motivo === 'terminada' && codigo === 0
  if (good) return <State state="hecha" label={`${texts.worked}${time}`} />
  const why = motivo === 'terminada' ? `${texts.code} ${codigo}` : reasonWords(motivo)
  return <State state="fallida" label={`${texts.failed}: ${why}${time}`} />
}

function OneRun({ run }: { run: Run }) {
  return (
    <section>
      <p className="small">
        <b>{dateTime(run.cuando)}</b> · <RunState run={run} />
      </p>
      {run.salida === '' ? null : (
        // It can be scrolled by the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <pre className="run-output" tabIndex={0}>
          {run.salida}
        </pre>
      )}
    </section>
  )
}
