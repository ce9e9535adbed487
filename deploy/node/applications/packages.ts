import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNewer } from '../../../lib/applications/decide.ts'
import type { Manifest } from '../../../lib/applications/manifests/manifest.ts'
import { AppError } from '../../../lib/endpoint/errors.ts'
import { exists } from '../host/files.ts'

/** An archive of the application's own with the checksum that it must have, or what Debian's packages bring. */
export type Package = { version: string; language: string | null } & (
  | { kind: 'archive'; path: string; sha256: string }
  | { kind: 'debian' }
)

/** What lists the archives of a directory, as `sha256sum *.tar.gz` does. */
const SUMS = 'SHA256SUMS'
const lineOf = ({ kind, archive }: Manifest) =>
  new RegExp(
    `^([0-9a-f]{64}) [ *](${kind}-(${archive.version})(?:-([a-z]{2,3}(?:_[A-Za-z_]{2,20})?))?\\.tar\\.gz)$`,
  )

/** The package that is unpacked for a site; 409 `aplicacion_no_disponible` where there is none. */
export function requirePackage(directory: string | null, manifest: Manifest, language: string): Package {
  const chosen = choosePackage(packagesIn(directory, manifest), language)
  if (chosen === null) throw new AppError('aplicacion_no_disponible')
  return chosen
}

/** The packages of an application that are here. */
export function packagesIn(directory: string | null, manifest: Manifest): Package[] {
  const debian = debianVersion(manifest)
  const own: Package[] = debian === null ? [] : [{ kind: 'debian', version: debian, language: null }]
  return directory === null ? own : [...archivesIn(directory, manifest), ...own]
}

function archivesIn(directory: string, manifest: Manifest): Package[] {
  const list = join(directory, SUMS)
  if (!exists(list)) return []
  const pattern = lineOf(manifest)
  return readFileSync(list, 'utf8')
    .split('\n')
    .flatMap((line): Package[] => {
      const [, sha256 = '', name = '', version = '', language] = pattern.exec(line) ?? []
      const path = join(directory, name)
      return name === '' || !exists(path)
        ? []
        : [{ kind: 'archive', path, sha256, version, language: language ?? null }]
    })
}

function debianVersion({ debian, version }: Manifest): string | null {
  if (!exists(debian.version)) return null
  return new RegExp(version.pattern, 'm').exec(readFileSync(debian.version, 'utf8'))?.[1] ?? null
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

/** The languages that `idioma` may name, of the newest package; English is always one. */
export function languagesOf(packages: readonly Package[], { languages, debian }: Manifest): string[] {
  if (languages !== null) return Object.keys(languages)
  const newest = choosePackage(packages, '')
  const own = packages.flatMap(({ version, language }) =>
    version === newest?.version && language !== null ? [language] : [],
  )
  const folder = join(debian.parts[0]?.from ?? '', LANGUAGES)
  const installed = packages.some(({ kind, version }) => kind === 'debian' && version === newest?.version)
  const files = installed && exists(folder) ? readdirSync(folder) : []
  const brought = files.flatMap((name) => /^([a-z]{2,3}(?:_[A-Z]{2})?)\.mo$/.exec(name)?.[1] ?? [])
  return [...new Set(['en_US', ...own, ...brought])].sort()
}

/** Where WordPress keeps its languages. */
export const LANGUAGES = 'wp-content/languages'
