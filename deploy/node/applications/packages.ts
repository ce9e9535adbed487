import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNewer } from '../../../lib/applications/decide.ts'
import { exists } from '../host/files.ts'

/** An archive of WordPress's own with the checksum that it must have, or what Debian's package brings. */
export type Package = { version: string; language: string | null } & (
  | { kind: 'archive'; path: string; sha256: string }
  | { kind: 'folder'; path: string }
)

/** What lists the archives of a directory, as `sha256sum *.tar.gz` does. */
const SUMS = 'SHA256SUMS'
const LINE =
  /^([0-9a-f]{64}) [ *](wordpress-(\d{1,4}(?:\.\d{1,4}){1,3})(?:-([a-z]{2,3}(?:_[A-Za-z_]{2,20})?))?\.tar\.gz)$/
const DEBIAN = '/usr/share/wordpress'
/** Of Debian's own: settings that look elsewhere, and a link out of the package. */
const DEBIANS_OWN = ['wp-config.php', '.htaccess']
const LANGUAGES = 'wp-content/languages'

/** The packages of WordPress that are here. */
export function packagesIn(directory: string | null): Package[] {
  const debian = debianVersion()
  const own: Package[] =
    debian === null ? [] : [{ kind: 'folder', path: DEBIAN, version: debian, language: null }]
  return directory === null ? own : [...archivesIn(directory), ...own]
}

function archivesIn(directory: string): Package[] {
  const list = join(directory, SUMS)
  if (!exists(list)) return []
  return readFileSync(list, 'utf8')
    .split('\n')
    .flatMap((line): Package[] => {
      const [, sha256 = '', name = '', version = '', language] = LINE.exec(line) ?? []
      const path = join(directory, name)
      return name === '' || !exists(path)
        ? []
        : [{ kind: 'archive', path, sha256, version, language: language ?? null }]
    })
}

function debianVersion(): string | null {
  const path = join(DEBIAN, 'wp-includes/version.php')
  if (!exists(path)) return null
  return /^\$wp_version = '([0-9.]{3,20})';$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? null
}

/** The newest, in the language that is wanted if there is one in it. */
export function choosePackage(packages: readonly Package[], language: string): Package | null {
  const fitness = (one: Package) => (one.language === language ? 2 : one.language === null ? 1 : 0)
  const [best] = [...packages].sort(
    (a, b) =>
      Number(isNewer(b.version, a.version)) - Number(isNewer(a.version, b.version)) ||
      fitness(b) - fitness(a),
  )
  return best ?? null
}

/** The paths of Debian's package that make a whole WordPress in one language, each with the folder that it goes into. */
export function debianParts(path: string, language: string): { into: string; paths: string[] }[] {
  const inFolder = (folder: string, fits: (name: string) => boolean) =>
    readdirSync(join(path, folder))
      .filter(fits)
      .map((name) => join(path, folder, name))
  const ending = new RegExp(`^(?:[a-z-]+-)?${language}\\.mo$`)
  const hasLanguages = exists(join(path, LANGUAGES))
  return [
    { into: '', paths: inFolder('', (name) => name !== 'wp-content' && !DEBIANS_OWN.includes(name)) },
    { into: 'wp-content', paths: inFolder('wp-content', (name) => name !== 'languages') },
    { into: LANGUAGES, paths: hasLanguages ? inFolder(LANGUAGES, (name) => ending.test(name)) : [] },
  ]
}
