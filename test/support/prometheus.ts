const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (-?[0-9.e+-]+)$/
/** What a sample's name may add to its metric's. */
const SUFFIXES: Record<string, string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

/**
 * The samples of a text in Prometheus' format 0.0.4, by name and labels; throws where the text breaks the format: a
 * sample before its type, under another's, or twice.
 */
export function samplesOf(text: string): Record<string, number> {
  const samples: Record<string, number> = {}
  for (const { name, type, lines } of familiesOf(text)) {
    for (const line of lines) {
      const [, sample = '', labels = '', value] = SAMPLE.exec(line) ?? []
      const suffix = sample.slice(name.length)
      if (!sample.startsWith(name) || !SUFFIXES[type]?.includes(suffix)) throw new Error(`no sample: ${line}`)
      const key = sample + labels
      if (key in samples || !Number.isFinite(Number(value))) throw new Error(`twice, or no number: ${line}`)
      samples[key] = Number(value)
    }
  }
  return samples
}

/** The names of all metrics that a text tells, those without samples too. */
export const metricNames = (text: string): string[] =>
  familiesOf(text).flatMap(({ name, type }) => (SUFFIXES[type] ?? []).map((suffix) => name + suffix))

function familiesOf(text: string) {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line does not end')
  const families = text.split(/^# HELP /m).slice(1)
  if (text !== '' && !text.startsWith('# HELP ')) throw new Error('it does not begin with a metric')
  const names = new Set<string>()
  return families.map((family) => {
    const [help = '', kind = '', ...lines] = family.split('\n').slice(0, -1)
    const name = help.split(' ')[0] ?? ''
    const type = kind.replace(`# TYPE ${name} `, '')
    if (!NAME.test(name) || names.has(name) || !(type in SUFFIXES)) throw new Error(`no metric: ${family}`)
    names.add(name)
    return { name, type, lines }
  })
}
