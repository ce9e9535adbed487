import type { CagedEnd } from '../../../lib/endpoint/node-port.ts'
import type { KeptSite } from '../../../lib/endpoint/ports/backups.ts'
import type { Listed } from './tar-index.ts'

/**
 * tar names each file by its whole path, which grows with each folder: some ten thousand folders in one another would
 * take hours. What is deeper than this is left out, and the copy is not whole.
 */
export const DEEPEST = 256

/**
 * Some files differed or were gone when they were read, those of a site that is in use, or were not read (GNU tar,
 * "Return values").
 */
const [CHANGED, PARTIAL] = [1, 2]

/** How many are named. */
const MOST = 20

/** What the copy of a site lacks, of which `path` is about to be replaced. */
export class Lacking {
  readonly #path: string
  readonly #names: string[] = []
  #whole = true
  #undoes = true

  constructor(path: string) {
    this.#path = path
  }

  /** Looks at an entry: what a folder as deep as that holds was left out. */
  pass({ kind, path }: Pick<Listed, 'kind' | 'path'>): void {
    if (kind !== 'carpeta' || path.split('/').length <= DEEPEST) return
    this.#lacks([path])
    if (isWithin(path, this.#path) || isWithin(this.#path, path)) this.#undoes = false
  }

  /** Takes what the program that packs has told of; throws where it has not packed to the end. */
  end({ code, reason, stderr }: CagedEnd): void {
    if (reason !== 'exit' || code === null || code > PARTIAL)
      throw new Error(`tar was ended: ${stderr.slice(-300)}`)
    if (code <= CHANGED) return
    const told = (word: string) =>
      stderr.split('\n').flatMap((line) => (line.startsWith(word) ? [line.slice(word.length)] : []))
    const lost = told('lost ')
    this.#lacks([...lost, ...told('closed ')])
    if (lost.length > 0) this.#undoes = false
  }

  told(): Pick<KeptSite, 'whole' | 'undoes' | 'lacking'> {
    return { whole: this.#whole, undoes: this.#undoes, lacking: this.#names }
  }

  #lacks(names: string[]): void {
    this.#whole = false
    this.#names.push(...names.slice(0, MOST - this.#names.length))
  }
}

const isWithin = (inner: string, outer: string) =>
  outer === '/' || inner === outer || inner.startsWith(`${outer}/`)
