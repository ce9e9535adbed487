import { usePages } from '../api/hooks.ts'
import type { ItemOf } from '../api/operations.ts'
import { bytes, dateTime, number, percent, relative } from '../i18n/format.ts'
import { t } from '../i18n/language.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { Bar } from '../ui/meter.tsx'
import { Card, Facts, Nothing, PageHead, Waiting } from '../ui/page.tsx'
import { State } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'

type Node = ItemOf<'GET /api/nodos'>

export default function Nodes() {
  const nodes = usePages('GET /api/nodos', {}, { again: () => 15_000 })
  return (
    <>
      <PageHead title={t('Node and services', 'Nodo y servicios')} wire="GET /api/nodos" />
      {nodes.loading ? <Waiting lines={6} /> : null}
      {nodes.error ? <ErrorNote error={nodes.error} retry={nodes.retry} /> : null}
      <div className="stack">
        {nodes.rows.map((node) => (
          <NodeView key={node.nodo} node={node} />
        ))}
      </div>
    </>
  )
}

function NodeView({ node }: { node: Node }) {
  return (
    <section className="stack">
      <div className="head-line">
        <h2 className="mono node-name">{node.nodo}</h2>
        <State state={node.estado} />
        <span className="faint">
          {t('seen', 'visto')} {relative(node.visto)}
        </span>
      </div>
      <div className="columns">
        <Card flush title={t('Services', 'Servicios')}>
          <div className="table-box">
            <Table
              label={t('Services', 'Servicios')}
              rows={node.servicios}
              rowKey={({ servicio }) => servicio}
              columns={[
                {
                  head: t('Service', 'Servicio'),
                  cell: ({ servicio }) => <code className="strong">{servicio}</code>,
                },
                { head: t('State', 'Estado'), cell: ({ estado }) => <State state={estado} /> },
                {
                  head: t('Version', 'Versión'),
                  cell: ({ version }) => (version ? <code>{version}</code> : <Nothing />),
                },
                { head: t('What to do', 'Qué hacer'), cell: ({ consejo }) => consejo ?? <Nothing /> },
              ]}
            />
          </div>
        </Card>
        <div className="stack">
          <Card title={t('Capacity', 'Capacidad')}>
            <Capacity node={node} />
          </Card>
          <Card title={t('About', 'Datos')}>
            <Facts
              items={[
                [t('Version', 'Versión'), <code key="v">{node.version}</code>],
                [t('Clients', 'Clientes'), number(node.clientes)],
                [t('Addresses', 'Direcciones'), <code key="a">{node.direcciones.join(' ')}</code>],
                [
                  t('Name servers', 'Servidores de nombres'),
                  <code key="n">{node.servidores_dns.join(' ')}</code>,
                ],
                [t('Started', 'Arrancado'), dateTime(node.arrancado)],
              ]}
            />
          </Card>
        </div>
      </div>
    </section>
  )
}

function Capacity({ node: { capacidad } }: { node: Node }) {
  if (!capacidad) return <p className="faint">{t('Not reported.', 'Sin datos.')}</p>
  const { disco_bytes, disco_libre_bytes, inodos, inodos_libres, memoria_bytes, carga } = capacidad
  return (
    <div className="stack">
      <Full name={t('Disk', 'Disco')} free={disco_libre_bytes} of={disco_bytes} format={bytes} />
      {inodos && inodos_libres !== null ? (
        <Full
          name={t('Files (inodes)', 'Archivos (inodos)')}
          free={inodos_libres}
          of={inodos}
          format={number}
        />
      ) : null}
      <Facts
        items={[
          [t('Memory', 'Memoria'), bytes(memoria_bytes)],
          [t('Load', 'Carga'), number(Math.round(carga * 100) / 100)],
        ]}
      />
    </div>
  )
}

function Full({
  name,
  free,
  of,
  format,
}: {
  name: string
  free: number
  of: number
  format: (n: number) => string
}) {
  const share = of === 0 ? 0 : 1 - free / of
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{name}</span>
        <span>{percent(share * 100)}</span>
      </div>
      <Bar share={share} tone={share > 0.95 ? 'bad' : share > 0.85 ? 'warn' : 'good'} />
      <span className="sub">
        {format(free)} {t('free of', 'libres de')} {format(of)}
      </span>
    </div>
  )
}
