import type { Services } from '../endpoint/context.ts'
import { activeAdmins } from '../identity/tokens.ts'
import { enqueueMails } from '../mail/queue.ts'
import { boundedHttp, type Reply } from '../providers/http.ts'
import { lookUpBy } from '../resolver/addresses.ts'
import type { Db } from '../store/database.ts'
import { putSetting, selectSetting } from '../store/settings.ts'
import { rootMessage } from '../text/root-message.ts'
import { isNewer, type Known, type Release, releaseIn } from './decide.ts'
import { releasePayload } from './view.ts'

const MAX_BYTES = 1024 * 1024
const MOST_MS = 10_000

const NAME = 'actualizacion'

export const selectRelease = (db: Db) => selectSetting(db, NAME)

/** What a row of `settings` tells of this source; null where nothing is known of it. */
export function knownOf(row: { value: string } | undefined, source: string | null): Known | null {
  if (row === undefined || source === null) return null
  const known = JSON.parse(row.value) as Known // Written below alone.
  return known.source === source ? known : null
}

export const selectKnown = async (db: Db, source: string | null): Promise<Known | null> =>
  knownOf(await selectRelease(db).get(), source)

/** Asks the operator's source for the newest version; the first time that one is newer, the admins get a mail. */
export async function lookForRelease(services: Services): Promise<{ newer: boolean; told: boolean }> {
  const { config, db, log } = services
  const source = config.updatesUrl
  if (source === null) return { newer: false, told: false }
  const known = await selectKnown(db.read, source)
  try {
    const release = await ask(services, source, known)
    return await keep(services, release, known)
  } catch (error) {
    log('warn', 'source of versions', { reason: rootMessage(error) })
    return { newer: known !== null && isNewer(known.version, config.version), told: false }
  }
}

type Found = Pick<Known, 'source' | 'version' | 'url' | 'etag'>

async function ask(services: Services, source: string, known: Known | null): Promise<Found> {
  const url = new URL(source)
  const isGit = url.pathname.endsWith('.git')
  const http = boundedHttp(
    {
      fetch: (at, init) => services.fetch(at, init),
      allowPrivate: services.config.test,
      resolve: lookUpBy(services.resolvers),
      remainingMs: () => MOST_MS,
    },
    url.origin,
    () => ({ accept: '*/*', ...(known?.etag ? { 'if-none-match': known.etag } : {}) }),
  )
  const path = isGit ? `${url.pathname}/info/refs?service=git-upload-pack` : `${url.pathname}${url.search}`
  const reply = await http({ operation: 'version', method: 'GET', path, maxBytes: MAX_BYTES })
  if (reply.status === 304 && known !== null) return known
  return { source, etag: reply.headers.get('etag')?.slice(0, 200) ?? null, ...toldBy(reply) }
}

function toldBy({ status, text }: Reply): Release {
  if (status !== 200) throw new Error(`it answered with ${status}`)
  const release = releaseIn(text)
  if (release === null) throw new Error('it tells of no version of three numbers')
  return release
}

async function keep(services: Services, found: Found, known: Known | null) {
  const { config, db, now } = services
  const newer = isNewer(found.version, config.version)
  const tells = newer && known?.told !== found.version
  const { source, version, url, etag } = found
  const told = tells ? version : (known?.told ?? null)
  const value = JSON.stringify({ source, version, url, etag, told, checkedAt: now().toISOString() })
  await db.write(async (tx) => {
    tx.later(putSetting(tx, NAME, value))
    if (!tells) return
    const payload = releasePayload(found, config)
    enqueueMails(tx, services, { kind: 'version_nueva', to: await activeAdmins(tx), payload })
  })
  if (tells) services.work.wake()
  return { newer, told: tells }
}
