import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../lib/applications/manifests/manifest.ts'
import { exists } from '../host/files.ts'
import { LANGUAGES } from './packages.ts'

/** What goes into one folder of a site: names below a folder of Debian's. */
export type Part = { into: string; from: string; names: string[] }

/** What Debian's packages bring of an application, in one language where it is chosen among them. */
export function debianParts({ debian, left, languages }: Manifest, language: string): Part[] {
  const parts = debian.parts.map(({ from, into, only }): Part => {
    const names = readdirSync(from).filter((name) => only?.includes(name) ?? !left.includes(name))
    return { into, from, names }
  })
  return languages === null ? parts.flatMap((part) => inLanguage(part, language)) : parts
}

/** WordPress with the files of one language. */
function inLanguage({ into, from, names }: Part, language: string): Part[] {
  const inFolder = (folder: string, fits: (name: string) => boolean) => ({
    into: folder,
    from: join(from, folder),
    names: exists(join(from, folder)) ? readdirSync(join(from, folder)).filter(fits) : [],
  })
  // No expression is made of the language: what the site's own programs told may be stored as one.
  const own = `${language}.mo`
  const isOwn = (name: string) => name.endsWith(own) && /^(?:[a-z-]+-)?$/.test(name.slice(0, -own.length))
  return [
    { into, from, names: names.filter((name) => name !== 'wp-content') },
    inFolder('wp-content', (name) => name !== 'languages'),
    inFolder(LANGUAGES, isOwn),
  ]
}

const INFO = '/var/lib/dpkg/info'

/** The first file of Debian's packages that is not as they brought it; null for none (dpkg's own sums). */
export async function changedFile({ debian }: Manifest): Promise<string | null> {
  const folders = debian.parts.map(({ from }) => `${from}/`)
  for (const name of debian.packages) {
    const list = join(INFO, `${name}.md5sums`)
    if (!exists(list)) continue
    for (const line of readFileSync(list, 'utf8').split('\n')) {
      const [, sum = '', rest = ''] = /^([0-9a-f]{32}) {2}(.+)$/.exec(line) ?? []
      const path = `/${rest}`
      if (!folders.some((folder) => path.startsWith(folder))) continue
      if (!exists(path) || (await md5(path)) !== sum) return path
    }
  }
  return null
}

async function md5(path: string): Promise<string> {
  return new Bun.CryptoHasher('md5').update(await Bun.file(path).arrayBuffer()).digest('hex')
}
