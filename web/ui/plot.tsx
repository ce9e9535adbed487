import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import { day, shortDay } from '../text/format.ts'

type Series = { name: string; values: (number | null)[] }
type Props = {
  title: string
  kind: 'line' | 'bars'
  days: string[]
  series: Series[]
  format: (value: number) => string
  /** How what stands under a bar is written; days unless told. */
  words?: { long: (at: string) => string; short: (at: string) => string }
}

const DAYS = { long: day, short: shortDay }

/** Until the box is measured. */
const WIDTH = 640
const HEIGHT = 150
/** What the words under a bar take. */
const TICK_WIDTH = 90
const LEFT = 66
const BOTTOM = 20
const TOP = 8

/** A small plot by day: one line, or bars stacked upon each other. Its numbers also stand in a table. */
export default function Plot({ title, kind, days, series, format, words = DAYS }: Props) {
  const [at, setAt] = useState<number | null>(null)
  // One unit is one pixel, so that letters are as large on a phone as anywhere.
  const { ref, width: measured } = useElementSize()
  const width = measured || WIDTH
  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  // Half of the top is written too, and there is no half of a visit or a byte.
  const top = niceTop(Math.max(...totals, 2))
  const step = (width - LEFT) / days.length
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * width - LEFT
    setAt(x < 0 ? null : Math.min(days.length - 1, Math.floor(x / step)))
  }
  const shown = at ?? days.length - 1
  return (
    <figure className="plot" ref={ref}>
      <figcaption>
        <b>{title}</b>
        {series.map(({ name, values }, index) => (
          <span key={name}>
            <i className={`key key-${index + 1}`} />
            {series.length > 1 ? `${name} ` : ''}
            {values[shown] === null || values[shown] === undefined ? '—' : format(values[shown])}
          </span>
        ))}
        <span className="faint">{days[shown] === undefined ? '' : words.long(days[shown])}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${format(Math.max(...totals))} ${words.long(days[totals.indexOf(Math.max(...totals))] ?? '')}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className="grid" x1={LEFT} x2={width} y1={y(top * share)} y2={y(top * share)} />
            <text x={LEFT - 8} y={y(top * share) + 4} textAnchor="end">
              {format(top * share)}
            </text>
          </g>
        ))}
        {at === null ? null : (
          <rect className="cursor" x={LEFT + at * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
        )}
        {kind === 'line'
          ? series.map(({ name, values }, index) => (
              <Line key={name} n={index + 1} values={values} x={(i) => LEFT + (i + 0.5) * step} y={y} />
            ))
          : days.map((one, index) => (
              <Stack
                key={one}
                values={series.map(({ values }) => values[index] ?? 0)}
                x={LEFT + index * step}
                step={step}
                y={y}
              />
            ))}
        {ticks(days.length, Math.floor((width - LEFT) / TICK_WIDTH)).map((index) => (
          <text
            key={index}
            x={LEFT + (index + 0.5) * step}
            y={HEIGHT - 4}
            textAnchor={index === 0 ? 'start' : 'middle'}
          >
            {words.short(days[index] ?? '')}
          </text>
        ))}
      </svg>
    </figure>
  )
}

type Scale = (value: number) => number

/** A day without a measurement breaks the line: nothing is made up between. */
function Line({ n, values, x, y }: { n: number; values: (number | null)[]; x: Scale; y: Scale }) {
  const parts: string[] = []
  values.forEach((value, index) => {
    if (value === null) return
    const before = values[index - 1]
    parts.push(
      `${before === null || before === undefined ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`,
    )
  })
  return (
    <>
      <path className={`line line-${n}`} d={parts.join('')} />
      {values.map((value, index) => {
        const alone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
        return value !== null && alone ? (
          <circle key={x(index)} className={`dot dot-${n}`} cx={x(index)} cy={y(value)} r="3" />
        ) : null
      })}
    </>
  )
}

function Stack({ values, x, step, y }: { values: number[]; x: number; step: number; y: Scale }) {
  let below = 0
  const width = Math.min(22, Math.max(1.5, step * 0.68))
  return (
    <>
      {values.map((value, index) => {
        const [from, to] = [y(below), y(below + value)]
        below += value
        const series = `bar-${index + 1}`
        return (
          <rect
            key={series}
            className={series}
            x={x + (step - width) / 2}
            y={to}
            width={width}
            height={from - to}
          />
        )
      })}
    </>
  )
}

/** The next round number above: half of it is round as well. */
function niceTop(most: number): number {
  const unit = most >= 1000 ? 1000 ** Math.floor(Math.log10(most) / 3) : 1
  const rest = most / unit
  const round =
    [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000].find((one) => one >= rest) ?? rest
  return round * unit
}

/** At most five days are named, fewer where there is no room for their words. */
function ticks(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.min(5, room))))
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0)
}
