import type { SftpKey, sftpAccounts } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import type { Consumption, Plan } from '../plans/decide.ts'
import { requireFunction, requireRoom } from '../plans/decide.ts'
import { type KeyRefusal, parseKey } from './keys.ts'

export type Account = typeof sftpAccounts.$inferSelect

/** Users of the SSH server's own, besides one that no name can be. */
const RESERVED = ['sshd']
const SUFFIX = /^[a-z0-9]{1,16}$/

/** `name` left out is the client's; `site` is a domain. */
export type NewAccount = { name?: string | undefined; site?: string | undefined }

export type NewAccountFacts = {
  room: { plan: Plan | null; consumed: Consumption }
  namesake: { id: number } | undefined
  site: { id: number } | undefined
}

/** What a new account is: its name below the client's, and the site that it is for. */
export function decideAccount(
  { room, namesake, site }: NewAccountFacts,
  client: Pick<Client, 'id' | 'name'>,
  wanted: NewAccount & { language: 'es' | 'en' },
): { name: string; clientId: number; siteId: number | null } {
  const name = wanted.name ?? client.name
  if (!isBelow(name, client.name)) throw invalidField('cuenta', 'cuenta_invalida', wanted.language)
  requireFunction(room.plan, 'sftp')
  if (wanted.site !== undefined && !site) throw new AppError('sitio_no_existe', {}, { status: 409 })
  if (namesake) throw new AppError('ya_existe')
  requireRoom(room.plan, room.consumed, 'cuentas_sftp', 1)
  return { name, clientId: client.id, siteId: site?.id ?? null }
}

function isBelow(name: string, client: string): boolean {
  if (RESERVED.includes(name)) return false
  return name === client || (name.startsWith(`${client}_`) && SUFFIX.test(name.slice(client.length + 1)))
}

type Refusal = (code: KeyRefusal, at: number) => AppError
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/

/** The keys in these lines, and the fingerprints of keys that are kept; 422 for the first line that is refused. */
export const decideKeys = (lines: string[], refusal: Refusal): (SftpKey | string)[] =>
  lines.map((line, at) => {
    if (FINGERPRINT.test(line.trim())) return line.trim()
    const key = parseKey(line)
    if (typeof key === 'string') throw refusal(key, at)
    return key
  })

/** All keys that an account has then, each once; 422 for the fingerprint of a key that it has not. */
export function withKept(
  wanted: (SftpKey | string)[],
  held: readonly SftpKey[],
  refusal: Refusal,
): SftpKey[] {
  const keys = wanted.map((one, at) => {
    const key = typeof one === 'string' ? held.find(({ fingerprint }) => fingerprint === one) : one
    if (!key) throw refusal('llave_invalida', at)
    return key
  })
  return keys.filter((key, at) => keys.findIndex(({ data }) => data === key.data) === at)
}

/** What an account can do now, as it is told. */
export function stateOf(
  account: Pick<Account, 'appliedAt'>,
  of: { suspended: boolean; included: boolean; full: boolean },
) {
  if (of.suspended) return 'suspendida'
  if (!of.included) return 'bloqueada'
  if (account.appliedAt === null) return 'preparando'
  return of.full ? 'solo_lectura' : 'activa'
}
