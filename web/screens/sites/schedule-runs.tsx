import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { common } from '../../text/common.ts'
import { dateTime, number } from '../../text/format.ts'
import { OpForm } from '../../ui/forms/form.tsx'
import { announce } from '../../ui/toast.tsx'
import { reasonWords, texts } from './schedule-texts.ts'

export type Schedule = ItemOf<'GET /api/sitios/:domain/programadas'>
type Run = ItemOf<'GET /api/sitios/:domain/programadas/:id/ejecuciones'>

/** A task's runs with what they said, and what can be done with it. */
export function ScheduleRuns({ schedule, close }: { schedule: Schedule; close: () => void }) {
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
      <OpForm
        op="PATCH /api/sitios/:domain/programadas/:id"
        input={{ params, body: { activa: !schedule.activa } }}
        submit={schedule.activa ? texts.switchOff : texts.switchOn}
        done={() => announce(common.saved)}
      />
      {runs.rows.map((run) => (
        <OneRun key={run.id} run={run} />
      ))}
      {runs.rows.length === 0 && !runs.loading ? <p className="faint small">{texts.never}</p> : null}
      <OpForm
        op="DELETE /api/sitios/:domain/programadas/:id"
        input={{ params }}
        submit={common.delete}
        danger
        done={() => {
          announce(common.deleted)
          close()
        }}
      />
    </div>
  )
}

function OneRun({ run }: { run: Run }) {
  const how = run.motivo === 'terminada' ? `${texts.code} ${run.codigo}` : reasonWords(run.motivo)
  return (
    <section>
      <p className="small">
        <b>{dateTime(run.cuando)}</b> · {how}
        {run.ms === null ? '' : ` · ${number(run.ms)} ms`}
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
