import type { Ctx, Services } from '../endpoint/context.ts'
import { invalidField } from '../endpoint/validate.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

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
