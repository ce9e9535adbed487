import type { ReadCtx, Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { Destination } from '../../endpoint/ports/backups.ts'
import { sealDestination } from '../../secrets/copies.ts'
import { Secret } from '../../secrets/secret.ts'
import { invalidEntry, refusalOf } from '../errors.ts'
import { type DestinationRow, NODE_REPOSITORY } from './destination.ts'

type Entry = { kind: Destination['kind']; url: string; credential: string | null; password: string }

const DEADLINE_MS = 20_000

/** Opens an entered destination, or makes the node's repository there; nothing is stored in the panel. */
export async function checkDestination(
  services: Services,
  ctx: Pick<ReadCtx, 'request'>,
  { kind, url, credential, password }: Entry,
): Promise<Omit<DestinationRow, 'toldOn' | 'nodeCopiedAt'>> {
  const { node } = services.config
  const backups = services.driver?.backups
  if (!backups || node === null) throw new AppError('copias_no_disponibles')
  const destination = { kind, url, credential: credential === null ? null : new Secret(credential) }
  const problem = backups.problem(destination)
  if (problem) throw invalidEntry(problem, ctx.request.language)
  const repository = { destination, name: NODE_REPOSITORY, key: new Secret(password) }
  try {
    await backups.open(repository, AbortSignal.timeout(DEADLINE_MS))
  } catch (error) {
    throw refusalOf(error)
  }
  const { random, keys } = services
  const sealed = await sealDestination(keys, node, { credential, password, random })
  return { node, kind, url, ...sealed, checkedAt: services.now() }
}
