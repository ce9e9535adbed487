import { relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '..')
const SUBJECT_MAX = 71
const LINE_MAX = 100

/** What ends like another form of a verb and is an imperative. */
const IMPERATIVES = ['Embed', 'Shed', 'Focus', 'Bias', 'Canvas']

const SUBJECT_RULES: [broken: (subject: string) => boolean, told: string][] = [
  [(subject) => subject.length > SUBJECT_MAX, `the subject is longer than ${SUBJECT_MAX} characters`],
  [(subject) => subject.endsWith('.'), 'the subject ends with a full stop'],
  [(subject) => /^[\w/-]+(\([^)]*\))?!?: /.test(subject), 'the subject has a prefix'],
  [(subject) => !/^\p{Lu}/u.test(subject), 'the subject does not begin with a capital'],
  [(subject) => /#\d|\bissue \d/i.test(subject), "the subject has an issue's number"],
  [isNoImperative, 'the subject does not begin with an imperative'],
]

/** What is wrong with a commit's message by the rules of CONTRIBUTING.md. */
export function faultsOf(message: string): string[] {
  const [subject = '', second = '', ...body] = message.trimEnd().split('\n')
  const faults = SUBJECT_RULES.filter(([broken]) => broken(subject)).map(([, told]) => told)
  if (second !== '') faults.push('no blank line follows the subject')
  // An address cannot be wrapped.
  const long = body.some((line) => line.length > LINE_MAX && /\S\s+\S/.test(line))
  return long ? [...faults, `a line of the body is longer than ${LINE_MAX} characters`] : faults
}

/** "Added", "Adding", "Adds", "The": a guess, which is right about the words that people use. */
function isNoImperative(subject: string): boolean {
  const word = /^\p{L}+/u.exec(subject)?.[0] ?? ''
  if (IMPERATIVES.includes(word)) return false
  return /^(an?|the|this|it|new)$|[aeiou].*([^e]ed|ing)$|[^s]s$/i.test(word)
}

function git(folder: string, ...args: string[]): string | null {
  if (!Bun.which('git')) return null
  const ran = Bun.spawnSync(['git', '-C', folder, ...args], { stderr: 'ignore' })
  return ran.success ? ran.stdout.toString() : null
}

/** The commit that brought this file; a shallow copy's oldest has every file. Those before it had other rules. */
function introduction(folder: string): string | undefined {
  const path = relative(ROOT, import.meta.path)
  return git(folder, 'log', '--diff-filter=A', '--format=%H', '--', path)?.trim().split('\n').at(-1)
}

/** `bun .ci/commits.ts [BASE [FOLDER]]`: checks the commits of a checkout that are newer than BASE. */
if (import.meta.main) {
  const [, , given, folder = ROOT] = process.argv
  const base = given ?? introduction(folder)
  const log = base ? git(folder, 'log', '--no-merges', '--format=%h%n%B%x00', `${base}..HEAD`) : null
  if (log === null) console.log('There is no history here, and no message of a commit is checked.')
  const wrong = (log ?? '')
    .split('\0')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('\n'))
    .flatMap(([hash, ...lines]) => faultsOf(lines.join('\n')).map((fault) => `${hash} ${lines[0]}: ${fault}`))
  for (const line of wrong) console.error(line)
  process.exit(wrong.length > 0 ? 1 : 0)
}
