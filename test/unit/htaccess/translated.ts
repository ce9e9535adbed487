import { translateHtaccess } from '../../../lib/htaccess/decide.ts'
import type { CurrentSettings } from '../../../lib/htaccess/merge.ts'
import { ORDINARY_PHP } from '../../../lib/sites/php-shapes.ts'

export const NONE: CurrentSettings = {
  ...{ redirects: [], guards: [], errorPages: {}, indexFiles: null, cache: null, php: null },
  ...{ ordinaryPhp: ORDINARY_PHP, memoryBytes: null },
}
export const NAMES = ['ana.es', 'www.ana.es']
export const translate = (text: string, current: Partial<CurrentSettings> = {}, path = '/.htaccess') =>
  translateHtaccess([{ path, text, leadsTo: null }], { ...NONE, ...current }, NAMES)

/** What is set, what is taken otherwise, and what is left, each by its reason, with the first words. */
export function told(text: string, current?: Partial<CurrentSettings>, path?: string) {
  const { settings, changed, left } = translate(text, current, path)
  const words = ({ line, reason }: { line: number | null; reason: string }) => `${line} ${reason}`
  return { settings, changed: changed.map(words), left: left.map(words) }
}
