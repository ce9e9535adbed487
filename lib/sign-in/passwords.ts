import { eq } from 'drizzle-orm'
import { clients, persons, sites } from '../../schema/tables.ts'
import type { Ctx, Services, WriteCtx } from '../endpoint/context.ts'
import { invalidField } from '../endpoint/validate.ts'
import { enqueueMail } from '../mail/queue.ts'
import type { Db } from '../store/database.ts'
import { accountValues } from '../text/mail-frame.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { isOwnName } from './own-names.ts'

/** What is wrong with a new password (docs/api.md, "Signing in"), as a field code; null when it is good. */
export function passwordProblem(password: string): string | null {
  const length = [...password].length
  if (length < 12) return 'contrasena_corta'
  if (length > 128) return 'contrasena_larga'
  return isCommon(password) ? 'contrasena_comun' : null
}

/** The hash of a new password; 422 naming `field` when the rules refuse it. */
export async function hashNewPassword(
  services: Services,
  ctx: Ctx,
  field: string,
  password: string,
): Promise<string> {
  const problem = passwordProblem(password)
  if (problem) throw invalidField(field, problem, ctx.request.language)
  return services.passwords.hash(normalise(password))
}

/** What an account is known by: its address, its client's names, and a row for each of its sites. */
export const accountNames = (db: Db, personId: string) =>
  db
    .select({
      email: persons.email,
      language: persons.language,
      client: clients.name,
      title: clients.displayName,
      domain: sites.domain,
    })
    .from(persons)
    .leftJoin(clients, eq(clients.id, persons.clientId))
    .leftJoin(sites, eq(sites.clientId, persons.clientId))
    .where(eq(persons.id, personId))

type AccountNames = Awaited<ReturnType<typeof accountNames>>

/** 422 naming `field` for a password that is one of the account's names. */
export function requireNoOwnName(
  ctx: Pick<WriteCtx, 'config' | 'request'>,
  { field, password, address = null }: { field: string; password: string; address?: string | null },
  names: AccountNames,
): void {
  const known = names.flatMap(({ email, client, title, domain }) => [email, client, title, domain])
  if (isOwnName(password, [ctx.config.host, address, ...known]))
    throw invalidField(field, 'contrasena_propia', ctx.request.language)
}

/** Tells the account's address that the password is another one. */
export function tellOfPassword(ctx: WriteCtx, names: AccountNames): void {
  const [account] = names
  if (!account?.email) return
  const { email, client, title, language } = account
  enqueueMail(ctx.tx, ctx, {
    kind: 'contrasena_cambiada',
    to: email,
    language,
    payload: accountValues({ email, client, title }),
    ...(client === null ? {} : { client }),
  })
  ctx.work.wake()
}

/** Checks a password at one cost, whether the account, a password or neither exists. */
export async function checkPassword(
  services: Services,
  hash: string | null,
  password: string,
): Promise<boolean> {
  return services.passwords.verify(hash, normalise(password).slice(0, 1000))
}

/** NFKC, so that one password typed on two keyboards is one password (RFC 8265 section 4.2 in spirit). */
const normalise = (password: string) => password.normalize('NFKC')

/** Whether it is on the list, or a listed word with a few digits and signs added, or one short piece repeated. */
function isCommon(password: string): boolean {
  const plain = normalise(password).toLowerCase()
  const core = plain.replace(/^[0-9!-/:-@[-`{-~]{1,6}/, '').replace(/[0-9!-/:-@[-`{-~]{1,6}$/, '')
  const half = plain.slice(0, plain.length / 2)
  return (
    COMMON_PASSWORDS.has(plain) ||
    COMMON_PASSWORDS.has(core) ||
    /^(.{1,4}?)\1+.{0,3}$/u.test(plain) ||
    (plain === half + half && COMMON_PASSWORDS.has(half))
  )
}
