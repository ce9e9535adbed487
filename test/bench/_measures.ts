/** One number that a benchmark printed. */
export type Measured = { what: string; kind: 'rate' | 'time' | 'memory'; value: number }

const KINDS: readonly (readonly [RegExp, Measured['kind']])[] = [
  [/(\/s|persecond)$/i, 'rate'],
  [/(mi?b|kb|memory)$/i, 'memory'],
  [/^(ms|answer|http|dns|.*(ms|persite))$/i, 'time'],
]

/** What measures the machine and not the panel: told, but of no side. */
const NOT_OURS = /constant answer|^constant|bare driver|server alone|plain nginx|one server block|multiple/

/** All that the lines of a benchmark tell of the panel: JSON a measurement, or words and a number with its unit. */
export function measuresIn(output: string): Measured[] {
  return output
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? ofJson(line) : ofText(line)))
    .filter(({ what }) => !NOT_OURS.test(what))
}

function ofJson(line: string): Measured[] {
  const { what, sites, zones, ...values } = JSON.parse(line) as Record<string, unknown>
  const about = [what, sites ?? zones].filter((word) => word !== undefined).join(' ')
  return Object.entries(values).flatMap(([key, value]) => {
    const kind = kindOf(key)
    return kind === undefined || typeof value !== 'number' ? [] : [{ what: `${about}, ${key}`, kind, value }]
  })
}

function ofText(line: string): Measured[] {
  const [, what, value, unit] = /^(\S.*?)\s{2,}([\d.]+) ?(?:requests)?(\/s|ms|MB|kB)/.exec(line) ?? []
  const kind = kindOf(unit ?? '')
  return what === undefined || kind === undefined ? [] : [{ what, kind, value: Number(value) }]
}

const kindOf = (name: string) => KINDS.find(([pattern]) => pattern.test(name))?.[1]

/** What the new one has of the old one's rate, or of its memory. */
export const ratioOf = (kind: Measured['kind'], old: number, now: number): number =>
  kind === 'time' ? old / now : now / old

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
