import { useState } from 'react'
import { usePages, useRead } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { exactTime, number, relative } from '../../text/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, Loaded } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Proposed } from './proposed.tsx'
import { texts } from './texts.ts'

type Change = ItemOf<'GET /api/zonas/:zona/historial'>
type Content = Change['cambios'][number]['anterior']

/** Every change of the zone, whoever made it, and the way back to what each left. */
export default function ChangesTab({ zona }: { zona: string }) {
  const [back, setBack] = useState<Change | null>(null)
  const changes = usePages('GET /api/zonas/:zona/historial', { params: { zona } })
  const [newest] = changes.rows
  return (
    <>
      <PagedTable
        label={texts.history}
        pages={changes}
        rowKey={({ cambio }) => String(cambio)}
        columns={[
          {
            head: texts.when,
            narrow: true,
            cell: ({ cuando, serie }) => (
              <>
                <time dateTime={cuando} title={exactTime(cuando)}>
                  {relative(cuando)}
                </time>
                <code className="sub">{serie}</code>
              </>
            ),
          },
          { head: texts.who, cell: whoOf },
          { head: texts.changes, long: true, cell: (change) => <Sets change={change} /> },
          {
            head: texts.backToThis,
            actions: true,
            cell: (change) =>
              change.cambio === newest?.cambio ? null : (
                <SmallButton onClick={() => setBack(change)}>{texts.backToThis}</SmallButton>
              ),
          },
        ]}
        empty={<Empty icon="undo" title={texts.noChangeYet} />}
      />
      <Dialog
        title={texts.backToThis}
        opened={back !== null}
        close={() => setBack(null)}
        size="44rem"
        unsaved={false}
      >
        {back ? <BackTo zona={zona} change={back} close={() => setBack(null)} /> : null}
      </Dialog>
    </>
  )
}

function whoOf({ actor }: Change) {
  if (actor === null || actor.tipo === 'sistema') return texts.thePanel
  return actor.nombre ? <bdi>{actor.nombre}</bdi> : texts.anOperator
}

function Sets({ change }: { change: Change }) {
  const { cambios, conjuntos } = change
  return (
    <ul className="change-sets">
      {cambios.map(({ nombre, tipo, anterior, posterior }) => (
        <li key={`${nombre} ${tipo}`}>
          <code className="strong">
            {nombre} {tipo}
          </code>{' '}
          {anterior && !sameValues(anterior, posterior) ? (
            <del>
              <code>{anterior.valores.join(' · ')}</code>
            </del>
          ) : null}{' '}
          {posterior ? (
            <ins>
              <code>{posterior.valores.join(' · ')}</code>
            </ins>
          ) : null}{' '}
          {anterior && posterior && anterior.ttl !== posterior.ttl ? (
            <span className="faint small">
              TTL {number(anterior.ttl)} → {number(posterior.ttl)}
            </span>
          ) : null}
        </li>
      ))}
      {conjuntos > cambios.length ? (
        <li className="faint small">{texts.andOthers(number(conjuntos - cambios.length))}</li>
      ) : null}
    </ul>
  )
}

const sameValues = (one: Content, other: Content) => one?.valores.join('\n') === other?.valores.join('\n')

function BackTo({ zona, change, close }: { zona: string; change: Change; close: () => void }) {
  const query = { cambio: String(change.cambio) }
  const file = useRead('GET /api/zonas/:zona/exportar', { params: { zona }, query })
  return (
    <div className="form">
      <p>{texts.whatBackDoes(exactTime(change.cuando))}</p>
      <Loaded of={file}>
        {(text) => (
          <Proposed
            zona={zona}
            text={text}
            modo="reemplazar"
            submit={texts.backToThis}
            done={close}
            cancel={close}
          />
        )}
      </Loaded>
    </div>
  )
}
