import type { Services } from '../endpoint/context.ts'
import { cookieNamed, setCookie } from '../endpoint/cookies.ts'
import { sameHash } from '../identity/bearer.ts'
import { decodeBase62, encodeBase62 } from '../secrets/base62.ts'

const COOKIE = '__Host-equipo'
const AGE_SECONDS = 365 * 24 * 3600
const FORM = /^([0-9A-Za-z]{22})\.([0-9A-Za-z]{1,16})\.([0-9A-Za-z]{43})$/

/**
 * The cookie of a browser in which a person has completed a sign-in. It grants nothing: guesses that come with it are
 * counted apart from those of strangers, so that strangers cannot lock the person out.
 */
export function deviceCookie({ keys, random }: Pick<Services, 'keys' | 'random'>, personId: string): string {
  const id = encodeBase62(random(16), 22)
  const value = `${id}.${keys.currentId}.${encodeBase62(keys.mac(keys.currentId, 'device', `${id}\0${personId}`), 43)}`
  return setCookie(COOKIE, value, AGE_SECONDS)
}

/** The device that a request comes from and which of these persons has signed in there; or null. */
export function knownDevice(
  { keys }: Pick<Services, 'keys'>,
  header: string | null,
  personIds: string[],
): { id: string; personId: string } | null {
  const [, id = '', keyId = '', text = ''] = FORM.exec(cookieNamed(COOKIE, header)) ?? []
  const mac = id === '' ? null : decodeBase62(text, 32)
  if (mac === null || !keys.has(keyId)) return null
  const made = (personId: string) => keys.mac(keyId, 'device', `${id}\0${personId}`)
  const personId = personIds.find((one) => sameHash(mac, made(one)))
  return personId === undefined ? null : { id, personId }
}
