import { AppError } from '../../../lib/endpoint/errors.ts'
import { baseName, folderOf } from '../../../lib/files/paths.ts'
import { STAGING } from '../files/layout.ts'
import { isMissing, told } from './faults.ts'
import type { SiteFolder } from './helpers.ts'
import type { Attributes } from './protocol/packets.ts'
import type { SftpSession } from './protocol/sftp.ts'

/** The site's folder, as its helper sees it. */
export const rootOf = ({ domain }: Pick<SiteFolder, 'domain'>) => `/sitios/${domain}`
export const stagingOf = (folder: Pick<SiteFolder, 'domain'>) => `${rootOf(folder)}/${STAGING}`

type Named = Pick<SiteFolder, 'domain'> & { path: string }

/**
 * Where a path leads, with links followed; its last name need not exist. 422 if that is outside of the site's folder:
 * the helper is confined in any case, but other files exist in its confinement.
 */
export async function realPath(session: SftpSession, at: Named, missing: 404 | 409 = 404): Promise<string> {
  const root = rootOf(at)
  const real = at.path === '/' ? root : await told(session.realpath(root + at.path), { missing })
  const own = real === root || real.startsWith(`${root}/`)
  if (!own || real === `${root}/${STAGING}` || real.startsWith(`${root}/${STAGING}/`))
    throw new AppError('ruta_invalida')
  return real
}

/** The entry of that name itself, even if it is a link, in the folder that its path leads to. */
export async function entryPath(session: SftpSession, at: Named, missing: 404 | 409 = 404): Promise<string> {
  if (at.path === '/') throw new AppError('ruta_invalida')
  const folder = await realPath(session, { ...at, path: folderOf(at.path) }, missing)
  const entry = `${folder}/${baseName(at.path)}`
  if (entry === stagingOf(at)) throw new AppError('ruta_invalida')
  return entry
}

const KIND = 0o170000
export const isFolder = ({ mode }: Attributes) => (mode & KIND) === 0o040000
export const isFile = ({ mode }: Attributes) => (mode & KIND) === 0o100000
export const isLink = ({ mode }: Attributes) => (mode & KIND) === 0o120000
export const permissionsOf = ({ mode }: Attributes) => mode & 0o7777

/** What is there; null for nothing. */
export async function found<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look
  } catch (error) {
    if (isMissing(error)) return null
    return told(Promise.reject(error))
  }
}
