import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import { common } from '../../text/common.ts'
import { dateTime, number, relative } from '../../text/format.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Empty, Facts, Nothing, PageHead, Waiting } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DestinationCard } from '../backups/destination.tsx'
import { EmptyNode } from '../moves/empty.tsx'
import { Capacity } from './capacity.tsx'
import type { Node } from './data.ts'
import { GiveUp } from './give-up.tsx'
import { Heaviest } from './heaviest.tsx'
import { NodeHistory } from './history.tsx'
import { isSetting, isUnheld, serviceName, serviceState, waitingWords } from './services.ts'
import { texts } from './texts.ts'

type Service = Node['servicios'][number]

/** A node tells of itself twice a minute; this looks a little more often. */
const LOOK_MS = 15_000

/** The machines that serve, and the services on each. */
export default function Nodes() {
  const pages = usePages('GET /api/nodos', {}, { again: () => LOOK_MS })
  return (
    <>
      <PageHead title={common.nodeAndServices} wire="GET /api/nodos" lead={texts.whatNodesTold} />
      {pages.loading ? <Waiting lines={8} /> : null}
      {pages.error ? <ErrorNote error={pages.error} retry={pages.retry} /> : null}
      {!pages.loading && !pages.error && pages.rows.length === 0 ? (
        <Empty icon="node" title={texts.noNodeReportedYet} />
      ) : null}
      <div className="stack">
        {pages.rows.map((node) => (
          <OneNode key={node.nodo} node={node} />
        ))}
        <DestinationCard />
      </div>
      {pages.more ? (
        <Button className="below" variant="default" loading={pages.loadingMore} onClick={pages.loadMore}>
          {common.loadMore}
        </Button>
      ) : null}
    </>
  )
}

function OneNode({ node }: { node: Node }) {
  const [givingUp, setGivingUp] = useState(false)
  // What does not run is looked for first.
  const services = [...node.servicios].sort(
    (a, b) => Number(a.estado === 'activo') - Number(b.estado === 'activo'),
  )
  return (
    <section className="stack node" aria-label={node.nodo}>
      <Card title={<span className="mono">{node.nodo}</span>} actions={<State state={node.estado} />}>
        <div className="stack">
          {node.estado === 'ausente' ? (
            <Note tone="bad" title={texts.notHeardOfSince(dateTime(node.visto))}>
              <p>
                {texts.thatWasThen} {waitingWords(node)}
              </p>
              <div className="actions">
                <Button color="red" variant="default" onClick={() => setGivingUp(true)}>
                  {texts.giveItUp}
                </Button>
              </div>
              <GiveUp node={node.nodo} opened={givingUp} close={() => setGivingUp(false)} />
            </Note>
          ) : null}
          <div className="halves">
            <About node={node} />
            {node.capacidad ? (
              <Capacity capacity={node.capacidad} />
            ) : (
              <Note tone="info" title={texts.noCapacityTold} />
            )}
          </div>
          {node.estado !== 'ausente' && node.clientes > 0 ? <EmptyNode node={node.nodo} /> : null}
        </div>
      </Card>
      <Heaviest clients={node.mayores_consumos} />
      <Card title={texts.overTime}>
        <NodeHistory node={node.nodo} />
      </Card>
      <Card flush title={common.services}>
        {node.servicios.length === 0 ? (
          <Empty icon="node" title={texts.noServicesTold} />
        ) : (
          <div className="table-box">
            <Table
              label={`${texts.servicesOf} ${node.nodo}`}
              columns={columns()}
              rows={services}
              rowKey={({ servicio }) => servicio}
            />
          </div>
        )}
      </Card>
    </section>
  )
}

function About({ node }: { node: Node }) {
  return (
    <Facts
      items={[
        [texts.version, <code key="version">{node.version}</code>],
        [common.clients, number(node.clientes)],
        [texts.addresses, <Names key="addresses" names={node.direcciones} />],
        [texts.nameServers, <Names key="servers" names={node.servidores_dns} />],
        [texts.started, <When key="started" iso={node.arrancado} />],
        [texts.lastSeen, <When key="seen" iso={node.visto} />],
      ]}
    />
  )
}

function Names({ names }: { names: string[] }) {
  if (names.length === 0) return <Nothing />
  return (
    <ul className="copied-names">
      {names.map((name) => (
        <li key={name} className="copied-id">
          <code>{name}</code>
          <CopyButton value={name} label={`${common.copy} ${name}`} />
        </li>
      ))}
    </ul>
  )
}

const When = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={dateTime(iso)}>
    {relative(iso)}
  </time>
)

const columns = (): Column<Service>[] => [
  {
    head: texts.service,
    cell: ({ servicio }) => <span className="strong">{serviceName(servicio)}</span>,
  },
  {
    head: common.state,
    narrow: true,
    cell: (service) => {
      if (isUnheld(service.servicio)) return <State state="sin_cumplir" />
      const label = serviceState(service)
      const state =
        isSetting(service.servicio) && service.estado === 'parado' ? 'sin_cumplir' : service.estado
      return <State state={state} {...(label ? { label } : {})} />
    },
  },
  {
    head: texts.version,
    cell: ({ version }) => (version ? <code>{version}</code> : <Nothing />),
  },
  { head: texts.advice, cell: ({ consejo }) => consejo ?? <Nothing /> },
]
