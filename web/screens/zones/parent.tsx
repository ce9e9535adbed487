import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OutputOf } from '../../api/operations.ts'
import { relative } from '../../text/format.ts'
import { Card, Facts, Loaded } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { Note, State } from '../../ui/state.tsx'
import { texts } from './texts.ts'

const CONNECTION = 'GET /api/zonas/:zona/conexion'
type Seen = OutputOf<typeof CONNECTION>
type Ds = Seen['ds']['estado']

/** What the zone's parent says now: its name servers and its DS records. */
export function ParentCard({ zona }: { zona: string }) {
  const [asked, setAsked] = useState(false)
  const seen = useRead(CONNECTION, { params: { zona } }, { enabled: asked })
  const look = () => (asked ? void seen.refetch() : setAsked(true))
  return (
    <Card
      title={texts.atTheParent}
      wire={CONNECTION}
      actions={
        <SmallButton loading={seen.isFetching} onClick={look}>
          {texts.askNow}
        </SmallButton>
      }
    >
      {asked ? (
        <Loaded of={seen}>{(found) => <Answer found={found} />}</Loaded>
      ) : (
        <p>{texts.whatParentSays}</p>
      )}
    </Card>
  )
}

const list = (values: string[]) =>
  values.length === 0
    ? null
    : values.map((value) => (
        <code key={value} className="block">
          {value}
        </code>
      ))

function Answer({ found }: { found: Seen }) {
  const { delegacion, ds, comprobada } = found
  const bad = ds.estado === 'distinto' || ds.estado === 'sobra'
  return (
    <div className="stack" aria-live="polite">
      <Facts
        items={[
          [
            texts.nameServers,
            <State
              key="state"
              state={
                delegacion.estado === 'fuera'
                  ? 'parcial'
                  : delegacion.estado === 'aqui'
                    ? 'activa'
                    : delegacion.estado
              }
              label={delegationWords(delegacion.estado)}
            />,
          ],
          [texts.seenNow, list(delegacion.servidores)],
          [
            'DS',
            <State
              key="ds"
              state={bad ? 'error' : ds.estado === 'correcto' ? 'activa' : 'inactiva'}
              label={dsWords(ds.estado)}
            />,
          ],
          [texts.dsSeen, list(ds.vistos)],
        ]}
      />
      {bad ? (
        <Note tone="bad" title={texts.validatorsRefuse}>
          <p>{ds.estado === 'sobra' ? texts.removeTheDs : texts.replaceTheDs}</p>
        </Note>
      ) : null}
      {ds.estado === 'ausente' ? (
        <Note tone="warn" title={texts.dsMissing}>
          <p>{texts.enterTheDs}</p>
        </Note>
      ) : null}
      <p className="faint small">{relative(comprobada)}</p>
    </div>
  )
}

const dsWords = (state: Ds): string =>
  ({
    correcto: texts.dsRight,
    ausente: texts.dsMissing,
    de_mas: texts.dsTooMany,
    distinto: texts.dsOthers,
    sin_firmar: texts.dsNone,
    sobra: texts.dsLeftOver,
    sin_respuesta: texts.noAnswer,
  })[state]

const delegationWords = (state: Seen['delegacion']['estado']): string =>
  ({
    aqui: texts.leadHere,
    parcial: texts.leadHereInPart,
    fuera: texts.delegatedElsewhere,
    ninguna: texts.noNameServers,
    sin_respuesta: texts.noAnswer,
  })[state]
