import { common } from '../../text/common.ts'
import { bytes, number, percent } from '../../text/format.ts'
import { Bar } from '../../ui/meter.tsx'
import { Glyph } from '../../ui/state.tsx'
import type { Node } from './data.ts'
import { texts } from './texts.ts'

type Told = NonNullable<Node['capacidad']>
type Tone = 'good' | 'warn' | 'bad'

/** Shares of a filesystem from which the node is said to be almost full, and full. */
const WARN = 0.8
const FULL = 0.95

/** How full the node's own filesystem is, and its load. */
export function Capacity({ capacity }: { capacity: Told }) {
  const { disco_bytes, disco_libre_bytes, inodos, inodos_libres, memoria_bytes, carga } = capacity
  return (
    <div className="meters">
      <Fill name={common.disk} total={disco_bytes} free={disco_libre_bytes} show={bytes} />
      {inodos !== null && inodos_libres !== null && inodos > 0 ? (
        <Fill name={texts.filesInodes} total={inodos} free={inodos_libres} show={number} />
      ) : (
        <Plain name={texts.filesInodes} value={texts.notCountedHere} />
      )}
      <Plain name={texts.memory} value={bytes(memoria_bytes)} />
      <Plain name={texts.load1Minute} value={number(Math.round(carga * 100) / 100)} />
    </div>
  )
}

function Fill({
  name,
  total,
  free,
  show,
}: {
  name: string
  total: number
  free: number
  show: (value: number) => string
}) {
  const used = Math.max(0, total - free)
  const share = total > 0 ? used / total : 0
  const tone: Tone = share >= FULL ? 'bad' : share >= WARN ? 'warn' : 'good'
  return (
    <div className="meter">
      <div className="meter-head">
        <span className="meter-name">{name}</span>
        {tone === 'good' ? null : (
          <span className={`state tone-${tone}`}>
            <Glyph tone={tone} />
            {tone === 'bad' ? texts.full : common.almostFull}
          </span>
        )}
      </div>
      <p className="meter-value">
        <b>{show(used)}</b>{' '}
        <span>
          {common.of} {show(total)} · {percent(share * 100)}
        </span>
      </p>
      <Bar share={share} tone={tone} />
    </div>
  )
}

const Plain = ({ name, value }: { name: string; value: string }) => (
  <div className="meter">
    <span className="meter-name small">{name}</span>
    <p className="meter-value">
      <b>{value}</b>
    </p>
  </div>
)
