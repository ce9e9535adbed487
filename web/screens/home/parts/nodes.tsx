import { useState } from 'react'
import { Link } from 'wouter'
import { common } from '../../../text/common.ts'
import { bytes, number, percent, relative } from '../../../text/format.ts'
import { stateWords } from '../../../text/states.ts'
import { Bar } from '../../../ui/meter.tsx'
import { Card } from '../../../ui/page.tsx'
import { Glyph, State } from '../../../ui/state.tsx'
import { NodeHistory } from '../../nodes/history.tsx'
import { serviceName } from '../../nodes/services.ts'
import type { Summary } from '../data.ts'
import { texts } from '../texts.ts'
import { Copied } from './copied.tsx'

type NodeUse = Summary['nodos'][number]

/** Shares from which something is said to be almost full, and full. */
const WARN = 0.8
const FULL = 0.95

/** How busy and how full each node is, and which of its services need somebody. */
export function Nodes({ nodes }: { nodes: NodeUse[] }) {
  return (
    <Card title={texts.nodes} actions={<Link href="/panel/nodos">{common.nodeAndServices}</Link>}>
      <ul className="node-rows">
        {nodes.map((node) => (
          <li key={node.nodo}>
            <div className="node-name">
              <span className="strong">{node.nodo}</span>
              <NodeState node={node} />
            </div>
            <div className="node-bars">
              <Gauge name={texts.processor} {...load(node)} />
              <Gauge name={texts.memory} {...filled(node.memoria_bytes, node.memoria_libre_bytes)} />
              <Gauge name={common.disk} {...filled(node.disco_bytes, node.disco_libre_bytes)} />
            </div>
            <OverTime node={node.nodo} />
            <Copied of={node.copias} />
            <Services services={node.servicios} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What is asked for only once it is opened: the overview is one request. */
function OverTime({ node }: { node: string }) {
  const [opened, setOpened] = useState(false)
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{texts.overTime}</summary>
      {opened ? <NodeHistory node={node} /> : null}
    </details>
  )
}

function NodeState({ node }: { node: NodeUse }) {
  if (node.estado !== 'ausente') return <State state={node.estado} />
  return <State state="ausente" label={`${stateWords('ausente').label}, ${relative(node.visto)}`} />
}

type Measured = { share: number | null; words: string }

/** Load by processor: at one for each, programs begin to wait. */
const load = ({ carga, procesadores }: NodeUse): Measured =>
  carga === null || !procesadores
    ? { share: null, words: '—' }
    : { share: carga / procesadores, words: `${number(carga)} ${common.of} ${number(procesadores)}` }

function filled(total: number | null, free: number | null): Measured {
  if (!total || free === null) return { share: null, words: '—' }
  const used = Math.max(0, total - free)
  return {
    share: used / total,
    words: `${percent((used / total) * 100)} ${common.of} ${bytes(total)}`,
  }
}

function Gauge({ name, share, words }: { name: string } & Measured) {
  const tone = share === null || share < WARN ? 'good' : share < FULL ? 'warn' : 'bad'
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">
          {tone === 'good' ? null : (
            <>
              <Glyph tone={tone} />{' '}
            </>
          )}
          {name}
        </span>
        <span>{words}</span>
      </div>
      <Bar share={share} tone={tone} />
    </div>
  )
}

function Services({ services }: { services: NodeUse['servicios'] }) {
  if (services.length === 0) return null
  // What is down comes first.
  const sorted = [...services].sort((a, b) => Number(b.estado === 'parado') - Number(a.estado === 'parado'))
  return (
    <ul className="watch">
      {sorted.map(({ servicio, estado, consejo }) => (
        <li key={servicio}>
          <span className={`state tone-${estado === 'parado' ? 'bad' : 'warn'}`}>
            <Glyph tone={estado === 'parado' ? 'bad' : 'warn'} />
            {serviceName(servicio)}
          </span>
          {consejo ? <span className="sub">{consejo}</span> : null}
        </li>
      ))}
    </ul>
  )
}
