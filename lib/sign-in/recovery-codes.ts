import { and, eq } from 'drizzle-orm'
import { persons, recoveryCodes } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { sameHash } from '../identity/bearer.ts'
import type { Person } from '../identity/decide.ts'
import { encodeBase62 } from '../secrets/base62.ts'
import { hmacSha256, sha256 } from '../secrets/hash.ts'

const CODES = 10
/** 31 signs that are told apart in any hand; 16 of them hold 79 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const LENGTH = 16
const GROUP = 4
/** The largest multiple of the alphabet's length in a byte; higher values would favour some signs. */
const FAIR = 248

/**
 * Ten new recovery codes, which replace all older ones. Only their MACs are stored, under a key of the person's that
 * is sealed under the key ring, so that reading the database is not enough to try codes.
 */
export async function newRecoveryCodes(ctx: WriteCtx, personId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => newCode(ctx.random))
  const key = encodeBase62(ctx.random(32), 43)
  const sealed = await ctx.keys.seal(recoveryPlace(personId), key, ctx.random)
  ctx.tx.later(
    ctx.tx.update(persons).set({ recoveryKey: sealed }).where(eq(persons.id, personId)),
    ctx.tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId)),
    ctx.tx.insert(recoveryCodes).values(codes.map((code) => ({ personId, hash: macOf(key, code) }))),
  )
  return codes
}

/** Whether this is one of the unused recovery codes of a person. Uses it up. */
export async function spendRecoveryCode(
  ctx: WriteCtx,
  { person, codes }: { person: Person; codes: Uint8Array[] },
  code: string,
): Promise<boolean> {
  const given = await storedForm(ctx, person, code)
  if (!codes.some((hash) => sameHash(hash, given))) return false
  ctx.tx.later(
    ctx.tx
      .update(recoveryCodes)
      .set({ usedAt: ctx.now() })
      .where(and(eq(recoveryCodes.personId, person.id), eq(recoveryCodes.hash, given))),
  )
  return true
}

/** Where a person's key of the recovery codes is stored: the additional data of its seal. */
export const recoveryPlace = (personId: string) => `persons/${personId}/recovery`

function newCode(random: WriteCtx['random']): string {
  let text = ''
  while (text.length < LENGTH) {
    for (const byte of random(LENGTH)) if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length]
  }
  const groups = Array.from({ length: LENGTH / GROUP }, (_, i) => text.slice(i * GROUP, (i + 1) * GROUP))
  return groups.join('-')
}

/** The stored form of a code. Codes from before there was a key are plain hashes, and work until they are replaced. */
async function storedForm(ctx: WriteCtx, person: Person, code: string): Promise<Uint8Array> {
  if (person.recoveryKey === null) return sha256(`${person.id}\0${plain(code)}`)
  return macOf(await ctx.keys.open(recoveryPlace(person.id), person.recoveryKey), code)
}

const macOf = (key: string, code: string) => hmacSha256(new TextEncoder().encode(key), plain(code))

const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')
