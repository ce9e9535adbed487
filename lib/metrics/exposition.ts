/** One number of a metric; null where it is not known, and then left out. */
export type Sample = { labels?: Record<string, string>; value: number | null; suffix?: string }

export type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

/** The content type of `exposition` (Prometheus text format 0.0.4). */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics as Prometheus reads them. A metric without samples is still told, so that its name can be looked up. */
export function exposition(metrics: Metric[]): string {
  return metrics.map(linesOf).join('')
}

function linesOf({ name, help, type, samples }: Metric): string {
  const lines = samples.flatMap(({ labels = {}, value, suffix = '' }) =>
    value === null ? [] : [`${name}${suffix}${labelsOf(labels)} ${value}\n`],
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsOf(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escaped = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
