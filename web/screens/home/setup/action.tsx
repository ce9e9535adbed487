import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAction, useRead } from '../../../api/hooks.ts'
import { relative } from '../../../text/format.ts'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { Glyph } from '../../../ui/state.tsx'
import { SeenName } from '../../connect/seen-name.tsx'
import type { SetupPoint, Summary } from '../data.ts'
import { placeOf } from './points.ts'
import { texts } from './texts.ts'

/** What can be done about a point here: a test, a check, or the way to where it is set. */
export function PointAction({ point, summary }: { point: SetupPoint; summary: Summary }) {
  const { punto, motivo } = point
  if (punto === 'correo') return motivo === 'sin_configurar' ? null : <TestMail summary={summary} />
  if (punto === 'direcciones' || punto === 'servidores_dns') return <NamesCheck />
  const place = placeOf(point)
  if (place === null) return null
  return (
    <Button component={Link} href={place.href} variant="default" size="compact-sm">
      {place.label}
    </Button>
  )
}

/** Sends one to the administrator who asks, and says what became of it. */
function TestMail({ summary: { correo_prueba } }: { summary: Summary }) {
  const action = useAction('POST /api/correo/prueba')
  return (
    <>
      <SmallButton loading={action.busy} onClick={() => void action.run({})}>
        {texts.sendTestMail}
      </SmallButton>
      <span className="small" role="status">
        {correo_prueba ? <TestOutcome test={correo_prueba} /> : null}
      </span>
      {action.error ? <ErrorNote error={action.error} /> : null}
    </>
  )
}

function TestOutcome({ test }: { test: NonNullable<Summary['correo_prueba']> }) {
  const { para, estado, error, cuando } = test
  if (estado === 'enviado') return <>{texts.mailTaken(para, relative(cuando))}</>
  if (error === null) return <>{texts.mailOnItsWay(para)}</>
  return (
    <span className="state tone-bad">
      <Glyph tone="bad" />
      {error}
    </span>
  )
}

/** Asks the resolvers where the panel's own names lead, on the person's word. */
function NamesCheck() {
  const [asked, setAsked] = useState(false)
  const read = useRead('GET /api/resumen', { query: { comprobar: 'si' } }, { enabled: asked })
  return (
    <>
      <SmallButton loading={read.isFetching} onClick={() => (asked ? void read.refetch() : setAsked(true))}>
        {texts.checkNames}
      </SmallButton>
      {asked ? (
        <Loaded of={read}>
          {({ nombres }) => (
            <ul className="watch" aria-live="polite">
              {(nombres ?? []).map((seen) => (
                <SeenName key={seen.nombre} seen={seen} />
              ))}
            </ul>
          )}
        </Loaded>
      ) : null}
    </>
  )
}
