import type { ReadCtx, Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { Backups, Destination, Repository } from '../../endpoint/ports/backups.ts'
import { sealDestination } from '../../secrets/copies.ts'
import { Secret } from '../../secrets/secret.ts'
import { rootMessage } from '../../text/root-message.ts'
import { invalidEntry, isMissing, refusalOf } from '../errors.ts'
import { type DestinationRow, NODE_REPOSITORY } from './destination.ts'
import { chosenKey } from './host-key.ts'
import { requireOwn } from './owner.ts'

type Entry = {
  kind: Destination['kind']
  url: string
  credential: string | null
  password: string
  /** Of the SFTP server's key; null takes the one that it shows. */
  fingerprint: string | null
}

/** A busy machine takes some seconds to open a repository. */
const DEADLINE_MS = 50_000

/** Opens an entered destination, or makes the node's repository there; nothing is stored in the panel. */
export async function checkDestination(
  services: Services,
  ctx: Pick<ReadCtx, 'request'>,
  { kind, url, credential, password, fingerprint }: Entry,
): Promise<Omit<DestinationRow, 'toldOn' | 'nodeCopiedAt' | 'fault' | 'faultOf' | 'faultAt'>> {
  const { node } = services.config
  const backups = services.driver?.backups
  if (!backups || node === null) throw new AppError('copias_no_disponibles')
  const entered = { kind, url, credential: credential === null ? null : new Secret(credential) }
  const problem = backups.problem(entered) ?? fingerprintProblem(kind, fingerprint)
  if (problem) throw invalidEntry(problem, ctx.request.language)
  let hostKey: string | null = null
  let store: string
  try {
    if (kind === 'sftp') hostKey = chosenKey(await backups.hostKeys(entered), fingerprint).key
    const destination = { ...entered, hostKey }
    const repository = { destination, name: NODE_REPOSITORY, key: new Secret(password) }
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const found = await openOrMake(backups, repository, signal)
    // A new one has nobody's copies.
    if (!found.isNew) await requireOwn(services, { backups, repository, signal }, node)
    store = found.store
  } catch (error) {
    services.log('warn', 'a destination of copies was not entered', { reason: rootMessage(error) })
    throw refusalOf(error)
  }
  const { random, keys } = services
  const sealed = await sealDestination(keys, node, { credential, password, random })
  return { node, kind, url, hostKey, store, ...sealed, checkedAt: services.now() }
}

const fingerprintProblem = (kind: Destination['kind'], fingerprint: string | null) =>
  kind === 'sftp' || fingerprint === null
    ? null
    : ({ field: 'fingerprint', code: 'valor_no_admitido' } as const)

/** What the repository is known by: each opening takes half a second of a processor, so it is asked for at once. */
async function openOrMake(
  backups: Backups,
  repository: Repository,
  signal: AbortSignal,
): Promise<{ store: string; isNew: boolean }> {
  try {
    return { store: await backups.identity(repository, signal), isNew: false }
  } catch (error) {
    if (!isMissing(error)) throw error
    await backups.make(repository, { random: false, signal })
    return { store: await backups.identity(repository, signal), isNew: true }
  }
}
