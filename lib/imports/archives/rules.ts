import type { RulesText } from '../../endpoint/ports/imports.ts'

/** A `.htaccess` by the address of its folder; `above`: of a folder that the served one lies in. */
export type FoundRules = { folder: string; above: boolean; content: RulesText }

type Content = { member: string | null; folder: string; without: string[] }
type Put = { path: string; content: RulesText }

/** Nothing else closes a folder. */
const CLOSES = /require|deny|allow|rewriterule/i
const MOST_FILES = 20_000
const MOST_LETTERS = 16 * 1_048_576

/** Whether a file of a site tells Apache how to answer. */
export const isRules = (path: string): boolean => /(?:^|\/)\.htaccess$/.test(path)

/** The `.htaccess` files of an archive that may close something, by the archive within it that they are in. */
export class RulesFound {
  readonly #found = new Map<string | null, Put[]>()
  readonly #givenUp = new Set<string>()
  readonly #tooMany: () => Error
  #files = 0
  #letters = 0

  constructor(tooMany: () => Error) {
    this.#tooMany = tooMany
  }

  add(member: string | null, put: Put): void {
    const { path, content } = put
    if (content?.whole && !CLOSES.test(content.text)) return
    this.#letters += path.length + (content?.text.length ?? 0)
    if (++this.#files > MOST_FILES || this.#letters > MOST_LETTERS) throw this.#tooMany()
    const held = this.#found.get(member)
    if (held) held.push(put)
    else this.#found.set(member, [put])
  }

  giveUp(member: string): void {
    this.#givenUp.add(member)
  }

  of({ member, folder, without }: Content): FoundRules[] | null {
    if (member !== null && this.#givenUp.has(member)) return null
    return (this.#found.get(member) ?? []).flatMap(({ path, content }): FoundRules[] => {
      const own = foldersOf(path).slice(0, -1).join('/')
      if (without.some((one) => isWithin(own, one))) return []
      if (isWithin(own, folder)) return [{ folder: own.slice(folder.length) || '/', above: false, content }]
      return own === '' || isWithin(folder, own) ? [{ folder: '/', above: true, content }] : []
    })
  }
}

const foldersOf = (path: string): string[] => path.split('/').filter((one) => one !== '' && one !== '.')

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
