import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/hooks.ts'
import type { ItemOf } from '../../api/operations.ts'
import { dateTime, number, relative } from '../../i18n/format.ts'
import { t } from '../../i18n/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Empty, Facts, Nothing, PageHead, Waiting } from '../../ui/page.tsx'
import { Note, State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Capacity } from './capacity.tsx'
import { GiveUp } from './give-up.tsx'
import { serviceName, serviceState, waitingWords } from './services.ts'

export type Node = ItemOf<'GET /api/nodos'>
type Service = Node['servicios'][number]

/** A node tells of itself twice a minute; this looks a little more often. */
const LOOK_MS = 15_000

/** The machines that serve, and the services on each. */
export default function Nodes() {
  const pages = usePages('GET /api/nodos', {}, { again: () => LOOK_MS })
  return (
    <>
      <PageHead
        title={t('Node and services', 'Nodo y servicios')}
        wire="GET /api/nodos"
        lead={t('What each node last told of itself.', 'Lo último que cada nodo ha dicho de sí mismo.')}
      />
      {pages.loading ? <Waiting lines={8} /> : null}
      {pages.error ? <ErrorNote error={pages.error} retry={pages.retry} /> : null}
      {!pages.loading && !pages.error && pages.rows.length === 0 ? (
        <Empty icon="node" title={t('No node has reported yet', 'Aún no se ha anunciado ningún nodo')} />
      ) : null}
      <div className="stack">
        {pages.rows.map((node) => (
          <OneNode key={node.nodo} node={node} />
        ))}
      </div>
      {pages.more ? (
        <Button className="below" variant="default" loading={pages.loadingMore} onClick={pages.loadMore}>
          {t('Load more', 'Cargar más')}
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
            <Note
              tone="bad"
              title={t(
                `Not heard of since ${dateTime(node.visto)}`,
                `Sin noticias desde ${dateTime(node.visto)}`,
              )}
            >
              <p>
                {t(
                  'What is below is what it said then. Nothing new is put there.',
                  'Lo de abajo es lo que dijo entonces. No se pone nada nuevo en él.',
                )}{' '}
                {waitingWords(node)}
              </p>
              <div className="actions">
                <Button color="red" variant="default" onClick={() => setGivingUp(true)}>
                  {t('Give it up…', 'Abandonarlo…')}
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
              <Note tone="info" title={t('It has not told its capacity', 'No ha dicho su capacidad')} />
            )}
          </div>
        </div>
      </Card>
      <Card flush title={t('Services', 'Servicios')}>
        {node.servicios.length === 0 ? (
          <Empty icon="node" title={t('It has told of no service', 'No ha dicho nada de servicios')} />
        ) : (
          <div className="table-box">
            <Table
              label={`${t('Services of', 'Servicios de')} ${node.nodo}`}
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
        [t('Version', 'Versión'), <code key="version">{node.version}</code>],
        [t('Clients', 'Clientes'), number(node.clientes)],
        [t('Addresses', 'Direcciones'), <Names key="addresses" names={node.direcciones} />],
        [t('Name servers', 'Servidores DNS'), <Names key="servers" names={node.servidores_dns} />],
        [t('Started', 'Arrancado'), <When key="started" iso={node.arrancado} />],
        [t('Last seen', 'Visto por última vez'), <When key="seen" iso={node.visto} />],
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
          <CopyButton value={name} label={`${t('Copy', 'Copiar')} ${name}`} />
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
    head: t('Service', 'Servicio'),
    cell: ({ servicio }) => <span className="strong">{serviceName(servicio)}</span>,
  },
  {
    head: t('State', 'Estado'),
    narrow: true,
    cell: (service) => {
      const label = serviceState(service)
      return <State state={service.estado} {...(label ? { label } : {})} />
    },
  },
  {
    head: t('Version', 'Versión'),
    cell: ({ version }) => (version ? <code>{version}</code> : <Nothing />),
  },
  { head: t('Advice', 'Consejo'), cell: ({ consejo }) => consejo ?? <Nothing /> },
]
