import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction, useRead } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, relative } from '../../text/format.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Card, Facts, Loaded, PageHead } from '../../ui/page.tsx'
import { Note } from '../../ui/state.tsx'
import { announce } from '../../ui/toast.tsx'
import { type Changing, WebhookDialogs } from './changes.tsx'
import { type Delivery, hostOf, lookAgain, type Webhook } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { eventWords } from './event-words.ts'
import { Reply } from './reply.tsx'
import { WebhookState } from './state.tsx'
import { texts } from './texts.ts'

/** One webhook: what it is told of, whether it takes it, and what was sent. */
export default function WebhookPage({ id }: { id: string }) {
  const read = useRead(
    'GET /api/avisos/:id',
    { params: { id } },
    { again: ({ en_cola }) => lookAgain(en_cola > 0) },
  )
  return <Loaded of={read}>{(webhook) => <Known webhook={webhook} />}</Loaded>
}

function Known({ webhook }: { webhook: Webhook }) {
  const [changing, setChanging] = useState<Changing | null>(null)
  const [tested, setTested] = useState<Delivery | null>(null)
  const test = useAction('POST /api/avisos/:id/probar')
  const params = { id: webhook.id }
  const send = async () => {
    setTested(null)
    setTested((await test.run({ params }))?.data ?? null)
  }
  return (
    <>
      <PageHead
        mono
        title={hostOf(webhook)}
        wire="GET /api/avisos/:id"
        lead={<WebhookState webhook={webhook} />}
      >
        <Button leftSection={<Icon name="play" size={14} />} loading={test.busy} onClick={send}>
          {texts.test}
        </Button>
        <Switch webhook={webhook} off={() => setChanging('off')} />
      </PageHead>
      <div className="webhook-cards">
        {webhook.activo ? null : (
          <Note tone="warn">
            <p>{texts.whileOff}</p>
          </Note>
        )}
        {test.error ? <ErrorNote error={test.error} /> : null}
        {tested ? <Tested delivery={tested} /> : null}
        <Settings webhook={webhook} change={setChanging} />
      </div>
      <Deliveries webhook={webhook} />
      <WebhookDialogs webhook={webhook} changing={changing} close={() => setChanging(null)} />
    </>
  )
}

/** Switching on changes nothing that could be lost, so it is not asked about. */
function Switch({ webhook: { id, activo }, off }: { webhook: Webhook; off: () => void }) {
  const action = useAction('PATCH /api/avisos/:id')
  const on = async () => {
    if (await action.run({ params: { id }, body: { activo: true } })) announce(texts.isOn)
  }
  return (
    <Button variant="default" loading={action.busy} onClick={activo ? off : on}>
      {activo ? texts.switchOff : texts.switchOn}
    </Button>
  )
}

function Tested({ delivery }: { delivery: Delivery }) {
  const taken = delivery.fallo === null
  return (
    <div role="status">
      <Note tone={taken ? 'good' : 'bad'} title={taken ? texts.testTaken : texts.testFailed}>
        <Reply delivery={delivery} />
      </Note>
    </div>
  )
}

function Settings({ webhook, change }: { webhook: Webhook; change: (what: Changing) => void }) {
  const { url, tipos, creado, secreto_anterior_hasta: until, ultima_entrega: last } = webhook
  const names = tipos.map((type) => (type === '*' ? texts.allEvents : eventWords[type]))
  const button = (what: Changing, label: string) => (
    <Button size="xs" variant="default" onClick={() => change(what)}>
      {label}
    </Button>
  )
  return (
    <Card
      title={common.settings}
      actions={
        <>
          {button('fields', texts.change)}
          {button('secret', texts.newSecret)}
          {button('remove', `${common.delete}…`)}
        </>
      }
    >
      <Facts
        items={[
          [common.address, <code key="url">{url}</code>],
          [texts.events, names.join(', ')],
          [texts.lastDelivery, last ? relative(last) : texts.noneYet],
          ...(until ? [[texts.oldSecretUntil, dateTime(until)] satisfies [string, string]] : []),
          [common.created, dateTime(creado)],
        ]}
      />
    </Card>
  )
}
