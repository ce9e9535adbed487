import { hmacSha256 } from '../secrets/hash.ts'
import { Secret } from '../secrets/secret.ts'

/** 24 to 64 bytes are allowed (Standard Webhooks, "Signature scheme"). */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A message as it is delivered; `id` stays the same over all attempts. */
export type Message = { id: string; body: string }

/** A new secret, in the form that receivers' libraries take: `whsec_` and the base64 of its bytes. */
export const newSecret = (random: (bytes: number) => Uint8Array): Secret =>
  new Secret(PREFIX + base64(random(SECRET_BYTES)))

/**
 * The headers of a message (Standard Webhooks): its id, the time of this attempt in seconds, and a signature for each
 * secret, since during a rotation a receiver may know either.
 */
export function signedHeaders({ id, body }: Message, secrets: Secret[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map(
    (secret) => `v1,${base64(hmacSha256(keyOf(secret), `${id}.${timestamp}.${body}`))}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const keyOf = (secret: Secret) =>
  Uint8Array.from(atob(secret.reveal().slice(PREFIX.length)), (character) => character.charCodeAt(0))

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
