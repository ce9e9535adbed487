import type { ReactNode } from 'react'
import { common } from '../../text/common.ts'
import { exactTime, number, relative } from '../../text/format.ts'
import { ClientLink } from '../../ui/client-link.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { OpForm } from '../../ui/forms/form.tsx'
import { Facts } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import type { Delivery, Webhook } from './data.ts'
import { eventWords } from './event-words.ts'
import { Reply } from './reply.tsx'
import { texts } from './texts.ts'

type Props = { delivery: Delivery | null; webhook: Webhook; close: () => void }

/** One delivery with its reply, and the way to send it again. */
export function DeliverySheet({ delivery, webhook, close }: Props) {
  return (
    <SideSheet
      title={delivery ? eventWords[delivery.tipo] : texts.delivery}
      opened={delivery !== null}
      close={close}
    >
      {delivery ? (
        <div className="form">
          {delivery.intentos > 0 ? <Reply delivery={delivery} /> : null}
          <Facts items={facts(delivery)} />
          {webhook.activo && delivery.estado !== 'enviando' ? (
            <OpForm
              op="POST /api/avisos/:id/entregas/:entrega/repetir"
              input={{ params: { id: webhook.id, entrega: delivery.id } }}
              submit={texts.sendAgain}
              done={() => announce(texts.isSentAgain)}
            />
          ) : null}
        </div>
      ) : null}
    </SideSheet>
  )
}

function facts(delivery: Delivery): [ReactNode, ReactNode][] {
  const time = (iso: string | null) => (iso ? `${exactTime(iso)} · ${relative(iso)}` : null)
  return [
    [common.state, <State key="state" state={delivery.estado} />],
    [texts.attempts, number(delivery.intentos)],
    [texts.queued, time(delivery.creada)],
    [texts.lastAttempt, time(delivery.ultimo_intento)],
    [texts.nextAttempt, time(delivery.proximo_intento)],
    [common.client, <ClientLink key="client" client={delivery.cliente} />],
    [common.object, delivery.objeto ? <code key="object">{delivery.objeto}</code> : null],
    [common.type, <code key="type">{delivery.tipo}</code>],
    [texts.eventKey, delivery.evento ? <code key="event">{delivery.evento}</code> : null],
  ]
}
