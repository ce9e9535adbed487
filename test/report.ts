export type Counts = { passed: number; failed: number; skipped: number }
/** A failed test as it is told, and its file from the project's root: null where the whole run broke. */
export type Failure = { file: string | null; told: string }

/** The most that is told again of one failure. */
const FAILURE_LINES = 60
/** Below it Bun tells all failures again, without their files. */
const SUMMARY = /^\d+ tests? failed:$/m

/**
 * What Bun's report of one run says. A run that ends with a status other than 0 and names no failed test, because
 * it crashed or had no more time, counts as one failure, told by its last lines.
 */
export function readReport(report: string, status: number): { counts: Counts; failures: Failure[] } {
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(report)?.[1] ?? 0)
  const counts = { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
  const failures = failuresIn(report)
  if (status === 0 || counts.failed > 0) return { counts, failures }
  const last = report.split('\n').slice(-FAILURE_LINES).join('\n')
  return {
    counts: { ...counts, failed: 1 },
    failures: [{ file: null, told: `It ended with status ${status}:\n${last}` }],
  }
}

/** Each failed test: its file, what was printed before its line, and the line with its remarks. */
function failuresIn(report: string): Failure[] {
  const found: string[][] = []
  let file = ''
  let printed: string[] = []
  let remarked: string[] | undefined
  for (const line of report.split(SUMMARY, 1)[0]?.split('\n') ?? []) {
    if (remarked && line.startsWith('  ^ ')) {
      remarked.push(line)
      continue
    }
    remarked = undefined
    if (line.startsWith('(fail) ')) {
      remarked = [file, ...printed.slice(-FAILURE_LINES), line]
      found.push(remarked)
    }
    const heading = line.endsWith('.test.ts:')
    if (heading) file = line
    if (heading || /^\((pass|fail|skip|todo)\) /.test(line)) printed = []
    else printed.push(line)
  }
  return found.map((lines) => ({ file: lines[0]?.replace(/:$/, '') || null, told: lines.join('\n') }))
}
