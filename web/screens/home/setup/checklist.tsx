import { Button } from '@mantine/core'
import { useAction } from '../../../api/hooks.ts'
import { number } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Bar } from '../../../ui/meter.tsx'
import { Card } from '../../../ui/page.tsx'
import { Glyph } from '../../../ui/state.tsx'
import type { SetupPoint, Summary } from '../data.ts'
import { PointAction } from './action.tsx'
import { pointWords, reasonWords } from './points.ts'
import { texts } from './texts.ts'

const openOf = ({ puesta_en_marcha }: Summary) =>
  puesta_en_marcha.filter(({ hecho, descartado }) => !hecho && !descartado)

/** Shown until all that applies is done, unless an administrator has hidden it. */
export const isShown = (summary: Summary): boolean =>
  !summary.puesta_en_marcha_oculta && openOf(summary).length > 0

type Choices = { hidden?: boolean; add?: SetupPoint['punto']; remove?: SetupPoint['punto'] }

/** Changes what of the list is shown, for all administrators. */
function useChoices(summary: Summary) {
  const action = useAction('PUT /api/resumen/puesta-en-marcha')
  const before = summary.puesta_en_marcha.filter(({ descartado }) => descartado).map(({ punto }) => punto)
  const choose = ({ hidden = summary.puesta_en_marcha_oculta, add, remove }: Choices) => {
    const descartados = [...before.filter((point) => point !== remove), ...(add ? [add] : [])]
    void action.run({ body: { oculta: hidden, descartados } })
  }
  return { choose, busy: action.busy, error: action.error }
}

/** What is set up, and what is to be set up next. */
export function Checklist({ summary }: { summary: Summary }) {
  const { choose, busy, error } = useChoices(summary)
  const points = summary.puesta_en_marcha
  const wanted = points.filter(({ descartado, hecho }) => hecho || !descartado)
  const dismissed = points.filter(({ descartado, hecho }) => descartado && !hecho)
  const done = wanted.filter(({ hecho }) => hecho).length
  return (
    <Card
      title={texts.settingUp}
      actions={
        <Button variant="subtle" size="compact-sm" disabled={busy} onClick={() => choose({ hidden: true })}>
          {texts.hideThisList}
        </Button>
      }
    >
      <p className="small">{texts.doneOf(number(done), number(wanted.length))}</p>
      <Bar share={done / wanted.length} tone="good" progress />
      {error ? <ErrorNote error={error} /> : null}
      <ol className="setup">
        {wanted.map((point) => (
          <Point key={point.punto} point={point} summary={summary}>
            <button
              type="button"
              className="link-button"
              aria-label={`${texts.doesNotApply}: ${pointWords(point).title}`}
              disabled={busy}
              onClick={() => choose({ add: point.punto })}
            >
              {texts.doesNotApply}
            </button>
          </Point>
        ))}
      </ol>
      {dismissed.length > 0 ? (
        <details className="small">
          <summary>{texts.notApplying(number(dismissed.length))}</summary>
          <ul className="setup-dismissed">
            {dismissed.map((point) => (
              <li key={point.punto}>
                {pointWords(point).title}{' '}
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={`${texts.bringBack}: ${pointWords(point).title}`}
                  disabled={busy}
                  onClick={() => choose({ remove: point.punto })}
                >
                  {texts.bringBack}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Card>
  )
}

function Point({
  point,
  summary,
  children,
}: {
  point: SetupPoint
  summary: Summary
  children: React.ReactNode
}) {
  const { title, advice } = pointWords(point)
  if (point.hecho) {
    return (
      <li className="setup-done">
        <Glyph tone="good" />
        <span>
          {title}
          <span className="visually-hidden"> ({texts.done})</span>
        </span>
      </li>
    )
  }
  const tone = point.motivo === 'fallo' ? 'bad' : 'warn'
  return (
    <li>
      <Glyph tone={tone} />
      <div>
        <p>
          <span className="strong">{title}</span>{' '}
          <span className={`small tone-text tone-${tone}`}>{reasonWords(point.motivo)}</span>
        </p>
        <p className="small">{point.consejo ?? advice}</p>
        <div className="setup-do">
          <PointAction point={point} summary={summary} />
          {children}
        </div>
      </div>
    </li>
  )
}

/** Where the list was hidden and is not done, the way back to it. */
export function HiddenChecklist({ summary }: { summary: Summary }) {
  const { choose, busy, error } = useChoices(summary)
  const open = openOf(summary)
  if (!summary.puesta_en_marcha_oculta || open.length === 0) return null
  return (
    <div className="small faint">
      {texts.stillOpen(number(open.length))}{' '}
      <Button variant="subtle" size="compact-sm" disabled={busy} onClick={() => choose({ hidden: false })}>
        {texts.showTheList}
      </Button>
      {error ? <ErrorNote error={error} /> : null}
    </div>
  )
}
