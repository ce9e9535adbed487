import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePages } from '../../api/hooks.ts'
import { webhookPath } from '../../links.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Empty, PageHead } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'
import { CreateWebhook } from './create.tsx'
import { hostOf, lookAgain, type Webhook } from './data.ts'
import { eventWords } from './event-words.ts'
import { WebhookState } from './state.tsx'
import { texts } from './texts.ts'

/** Webhooks: the programs that are told what happens. */
export default function Webhooks() {
  const [creating, setCreating] = useState(false)
  const pages = usePages(
    'GET /api/avisos',
    { query: {} },
    { again: (rows) => lookAgain(rows.some(({ en_cola }) => en_cola > 0)) },
  )
  const create = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setCreating(true)}>
      {texts.newWebhook}
    </Button>
  )
  return (
    <>
      <PageHead title={texts.webhooks} wire="GET /api/avisos" lead={texts.whatWebhooksAre}>
        {pages.rows.length > 0 ? create : null}
      </PageHead>
      <PagedTable
        label={texts.webhooks}
        pages={pages}
        columns={columns()}
        rowKey={({ id }) => id}
        rowClass={({ activo }) => (activo ? undefined : 'row-dead')}
        empty={
          <Empty icon="bell" title={texts.noWebhooksYet}>
            <p>{texts.noWebhooksAdvice}</p>
            {create}
          </Empty>
        }
      />
      <CreateWebhook opened={creating} close={() => setCreating(false)} />
    </>
  )
}

const columns = (): Column<Webhook>[] => [
  {
    head: common.address,
    long: true,
    cell: (webhook) => (
      <>
        <Link className="strong mono" href={webhookPath(webhook.id)}>
          {hostOf(webhook)}
        </Link>
        <span className="sub mono">{pathOf(webhook)}</span>
      </>
    ),
  },
  { head: texts.events, narrow: true, cell: ({ tipos }) => <Types types={tipos} /> },
  { head: common.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    head: texts.waiting,
    narrow: true,
    end: true,
    cell: ({ en_cola, fallidas }) => (
      <>
        {number(en_cola)}
        {fallidas > 0 ? <span className="sub">{texts.ofTheseFailed(number(fallidas))}</span> : null}
      </>
    ),
  },
  { head: texts.lastDelivery, narrow: true, cell: ({ ultima_entrega }) => <Last at={ultima_entrega} /> },
]

function pathOf({ url }: Webhook): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function Last({ at }: { at: string | null }) {
  if (at === null) return <span className="faint">{texts.noneYet}</span>
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at)}
    </time>
  )
}

/** How many types of events there are, and which on a closer look. */
function Types({ types }: { types: Webhook['tipos'] }) {
  if (types.includes('*')) return texts.allEvents
  const names = types.flatMap((type) => (type === '*' ? [] : [eventWords[type]]))
  return (
    <span title={names.join('\n')}>{names.length === 1 ? names[0] : texts.someEvents(names.length)}</span>
  )
}
