import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { usePages, useRead } from '../../../api/hooks.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { Choice } from '../../../ui/forms/fields.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Card, Empty, Folded, Loaded, PageHead, Waiting } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import type { ClientData } from '../../clients/data.ts'
import { NewSite } from '../../sites/new-site.tsx'
import { UsageCard } from '../../usage/card.tsx'
import { OwnPlan, Suspended } from './account.tsx'
import { SiteList } from './sites.tsx'
import { Steps } from './steps.tsx'
import { texts } from './texts.ts'

const History = lazy(() => import('../../usage/history.tsx'))

/** A customer's first screen; suspended, its only one: why, and its use. */
export default function CustomerHome() {
  const me = useRead('GET /api/yo', {})
  return <Loaded of={me}>{(me) => (me.cliente ? <Home cliente={me.cliente} /> : null)}</Loaded>
}

function Home({ cliente }: { cliente: string }) {
  const client = useRead('GET /api/clientes/:cliente', { params: { cliente } }, { again: () => 60_000 })
  return (
    <Loaded of={client}>
      {(client) => (
        <>
          <PageHead
            title={client.nombre ?? client.cliente}
            wire="GET /api/clientes/:cliente/uso"
            lead={
              <span className="head-line">
                <State state={client.estado} />
                <code>{client.cliente}</code>
              </span>
            }
          />
          {client.estado === 'suspendido' ? <Suspended client={client} /> : null}
          <div className="stack">
            {client.estado === 'activo' ? <Sites cliente={cliente} /> : null}
            <Use client={client} />
          </div>
        </>
      )}
    </Loaded>
  )
}

/** What is there, and what is next for one of the sites. */
function Sites({ cliente }: { cliente: string }) {
  const [creating, setCreating] = useState(false)
  const [chosen, choose] = useState<string | null>(null)
  const sites = usePages('GET /api/sitios', {}, { again: () => 15_000 })
  if (sites.loading) return <Waiting />
  const next = sites.rows.toSorted((a, b) => needOf(a) - needOf(b))[0]
  const site = sites.rows.find(({ domain }) => domain === chosen) ?? next
  return (
    <>
      {site ? (
        <Card
          title={texts.nextSteps}
          actions={
            sites.rows.length > 1 ? (
              <Choice
                label={texts.site}
                value={site.domain}
                onChange={choose}
                options={sites.rows.map(({ domain, domain_unicode }) => ({
                  value: domain,
                  label: domain_unicode,
                }))}
              />
            ) : null
          }
        >
          <Steps key={site.domain} site={site} />
        </Card>
      ) : (
        <Card>
          <Empty icon="sites" title={texts.noSiteYet}>
            <p>{texts.makeTheFirst}</p>
            <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
              {texts.newSite}
            </Button>
          </Empty>
        </Card>
      )}
      {sites.rows.length > 0 ? <SiteList sites={sites} create={() => setCreating(true)} /> : null}
      <NewSite cliente={cliente} opened={creating} close={() => setCreating(false)} />
    </>
  )
}

/**
 * How soon a site is to be gone on with, the least first: one that failed, then one that browsers would still warn
 * about, and a domain before those below it.
 */
function needOf({ domain, estado, https }: ItemOf<'GET /api/sitios'>): number {
  const failed = estado === 'error' || https.estado === 'error'
  return (failed ? 0 : https.estado === 'activo' ? 2000 : 1000) + domain.split('.').length
}

function Use({ client }: { client: ClientData }) {
  return (
    <div className={client.estado === 'activo' ? 'columns' : 'stack'}>
      <div className="stack">
        <UsageCard cliente={client.cliente} brief />
        <Folded title={texts.useByDay}>
          <Suspense fallback={<Waiting />}>
            <History cliente={client.cliente} />
          </Suspense>
        </Folded>
      </div>
      {client.estado === 'activo' ? <OwnPlan name={client.plan} /> : null}
    </div>
  )
}
