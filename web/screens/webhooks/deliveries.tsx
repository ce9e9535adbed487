import { useState } from 'react'
import { DELIVERY_STATES } from '../../../schema/states.ts'
import { usePages } from '../../api/hooks.ts'
import { webhookPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { useStateFilter } from '../../ui/forms/filters.tsx'
import { Empty, Nothing, TabLinks } from '../../ui/page.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { type Delivery, lookAgain, type Webhook } from './data.ts'
import { DeliverySheet } from './delivery.tsx'
import { eventWords } from './event-words.ts'
import { replyWords } from './reply.tsx'
import { texts } from './texts.ts'

/** What was sent to a webhook, and what came of it. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const estado = useStateFilter(DELIVERY_STATES)
  const [looking, setLooking] = useState<Delivery | null>(null)
  const pages = usePages(
    'GET /api/avisos/:id/entregas',
    { params: { id: webhook.id }, query: estado ? { estado } : {} },
    { again: (rows) => lookAgain(rows.some(isOpen)) },
  )
  // What is looked at follows the list, so that one that is sent again is seen to arrive.
  const shown = looking && (pages.rows.find(({ id }) => id === looking.id) ?? looking)
  return (
    <section aria-label={texts.deliveries}>
      <StateTabs current={estado ?? ''} id={webhook.id} />
      <PagedTable
        label={texts.deliveries}
        pages={pages}
        columns={columns(setLooking)}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="bell" title={texts.noDeliveries}>
            <p>{texts.deliveriesAreKept}</p>
          </Empty>
        }
      />
      <DeliverySheet delivery={shown} webhook={webhook} close={() => setLooking(null)} />
    </section>
  )
}

const isOpen = ({ estado }: Delivery) => estado === 'en_cola' || estado === 'enviando'

function StateTabs({ current, id }: { current: string; id: string }) {
  const tabs: [string, string][] = [
    ['', texts.all],
    ['en_cola', texts.waitingOnes],
    ['entregada', texts.taken],
    ['abandonada', texts.givenUp],
  ]
  const href = (state: string) => `${webhookPath(id)}${state ? `?estado=${state}` : ''}`
  return (
    <TabLinks
      label={texts.byState}
      current={current}
      tabs={tabs.map(([state, label]) => ({ id: state, label, href: href(state) }))}
    />
  )
}

const columns = (look: (delivery: Delivery) => void): Column<Delivery>[] => [
  {
    head: texts.event,
    cell: ({ tipo, cliente, objeto }) => (
      <>
        <span className="strong">{eventWords[tipo]}</span>
        <span className="sub mono">{objeto ?? cliente ?? tipo}</span>
      </>
    ),
  },
  { head: common.state, narrow: true, cell: ({ estado }) => <State state={estado} /> },
  { head: texts.reply, cell: (delivery) => replyWords(delivery) ?? <Nothing /> },
  { head: texts.attempts, narrow: true, end: true, cell: ({ intentos }) => number(intentos) },
  { head: texts.when, narrow: true, cell: (delivery) => <When delivery={delivery} /> },
  {
    head: common.actions,
    actions: true,
    cell: (delivery) => (
      <SmallButton
        onClick={() => look(delivery)}
        aria-label={`${common.details}: ${eventWords[delivery.tipo]} ${delivery.objeto ?? delivery.cliente ?? ''}`.trim()}
      >
        {common.details}
      </SmallButton>
    ),
  },
]

function When({ delivery: { ultimo_intento, proximo_intento, creada } }: { delivery: Delivery }) {
  const at = ultimo_intento ?? creada
  return (
    <>
      {at ? (
        <time dateTime={at} title={dateTime(at)}>
          {relative(at)}
        </time>
      ) : null}
      {proximo_intento ? (
        <span className="sub">
          {texts.nextAttempt} {relative(proximo_intento)}
        </span>
      ) : null}
    </>
  )
}
