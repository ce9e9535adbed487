import { isAccess, judgeAccess } from './access.ts'
import { judgeExpires, judgeHeader } from './caching.ts'
import { type CurrentSettings, type Settings, SettingsToBe } from './merge.ts'
import { judgeOther } from './others.ts'
import { type Directive, readDirectives } from './read.ts'
import { type Change, left, type Reason, type Setting, type Verdict } from './reasons.ts'
import { judgeRewrites, type Place } from './rewrites.ts'

/**
 * A `.htaccess` of a site: its path below what is served, and its text, or why it has none. `leadsTo` is null, or for
 * one above what is served the path from its folder to that.
 */
export type HtaccessFile = { path: string; text: string | Reason; leadsTo: string | null }

/** One directive, where it stands, and what becomes of it; the line is null for a file that was not read. */
export type Entry = { file: string; line: number | null; text: string; setting: Setting | null }
export type Translation = {
  taken: Entry[]
  changed: (Entry & { reason: Change })[]
  left: (Entry & { reason: Reason })[]
  /** What is to be set, and no more than that. */
  settings: Settings
}

const DIRECTIVES_MAX = 2_000
/** Settings that are for a part of a site; all others are for the whole of it. */
const OF_A_PART: Setting[] = ['redirecciones', 'protegidas']

/**
 * What of these files a site's settings can do, by what Apache 2.4 would do with them. What is set already stays, and
 * nothing is guessed: what the settings cannot say is left, with the reason.
 */
export function translateHtaccess(
  files: HtaccessFile[],
  current: CurrentSettings,
  names: readonly string[],
): Translation {
  const settings = new SettingsToBe(current)
  const done: Translation = { taken: [], changed: [], left: [], settings: {} }
  let room = DIRECTIVES_MAX
  for (const { path, text, leadsTo } of files) {
    const whole = { file: path, line: null, text: '', setting: null }
    const directives = isReason(text) ? [] : readDirectives(text)
    room -= directives.length
    if (isReason(text)) done.left.push({ ...whole, reason: text })
    else if (room < 0) done.left.push({ ...whole, reason: 'demasiado_grande' })
    else {
      const folder = leadsTo === null ? path.slice(0, path.lastIndexOf('/')) || '/' : '/'
      const place = { folder, names, leadsTo }
      for (const [directive, verdict] of judge(directives, place)) {
        record(done, { file: path, directive, verdict: within(verdict, place) }, settings)
      }
    }
  }
  return { ...done, settings: settings.changed() }
}

const isReason = (text: string | Reason): text is Reason =>
  text === 'demasiado_grande' || text === 'no_es_texto'

const isNeedless = (verdict: Verdict) => 'holds' in verdict && !verdict.change && !verdict.part

/** A folder cannot have what a site has as a whole, and above what is served nothing is taken. */
function within(verdict: Verdict, { folder, leadsTo }: Place): Verdict {
  if (leadsTo !== null) return 'left' in verdict || isNeedless(verdict) ? verdict : left('encima')
  if (folder === '/' || !('wishes' in verdict)) return verdict
  return verdict.wishes.some(({ setting }) => !OF_A_PART.includes(setting)) ? left('carpeta') : verdict
}

/** Each directive with its verdict, in the order of the lines. */
function judge(directives: Directive[], place: Place): [Directive, Verdict][] {
  const verdicts = new Map<Directive, Verdict>()
  const say = (directive: Directive, verdict: Verdict) => void verdicts.set(directive, verdict)
  for (const one of directives) if (one.barred !== null) say(one, left(one.barred))
  const open = directives.filter(({ barred }) => barred === null)
  const rewrites = open.filter(({ name }) => name.startsWith('rewrite'))
  judgeRewrites(rewrites, place, say)
  const access = open.filter(({ name }) => isAccess(name))
  const scopes = Map.groupBy(access, ({ files }) => JSON.stringify(files))
  for (const some of scopes.values()) judgeAccess(some, place, say)
  for (const one of open) {
    if (rewrites.includes(one) || access.includes(one)) continue
    if (one.name.startsWith('expires')) say(one, judgeExpires(one, open))
    else if (one.name === 'header') say(one, judgeHeader(one))
    else say(one, ofAllFiles(one, judgeOther(one, place)))
  }
  return directives.flatMap((one) => {
    const verdict = verdicts.get(one)
    return verdict ? [[one, verdict]] : []
  })
}

const ofAllFiles = ({ files }: Directive, verdict: Verdict): Verdict =>
  files !== null && 'wishes' in verdict ? left('archivos_por_nombre') : verdict

type Judged = { file: string; directive: Directive; verdict: Verdict }

function record(done: Translation, { file, directive, verdict }: Judged, settings: SettingsToBe): void {
  const { line, text } = directive
  const entry = { file, line, text, setting: null }
  if ('left' in verdict) done.left.push({ ...entry, reason: verdict.left })
  else if ('holds' in verdict) {
    if (verdict.change) done.changed.push({ ...entry, reason: verdict.change })
    else done.taken.push({ ...entry, setting: verdict.part ?? null })
  } else {
    const [first] = verdict.wishes
    const results = verdict.wishes.map((wish) => settings.add(wish))
    const told = { ...entry, setting: first?.setting ?? null }
    const refusal = results.find((one) => 'refused' in one)
    const change = results.find((one) => 'change' in one && one.change !== null)
    if (refusal && 'refused' in refusal && results.every((one) => 'refused' in one)) {
      done.left.push({ ...told, reason: refusal.refused })
    } else {
      const reason = verdict.change ?? (change && 'change' in change ? change.change : null)
      if (reason === null) done.taken.push(told)
      else done.changed.push({ ...told, reason })
    }
  }
}
