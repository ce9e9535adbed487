import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Json } from './panel.ts'

/** What an authenticator and its browser do otherwise than they should. */
export type Twist = {
  origin?: string
  host?: string
  challenge?: string
  /** Without having verified who holds it. */
  unverified?: boolean
  absent?: boolean
  crossOrigin?: boolean
  type?: string
  counter?: number
  /** Whose passkey it says that it is. */
  userHandle?: string | undefined
  /** Signs with another key than the one that it registered. */
  otherKey?: boolean
  format?: string
  statement?: Buffer
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ELIGIBLE = 0x08
const SYNCED = 0x10
const ATTESTED = 0x40

/** A passkey of an authenticator in software: ECDSA on P-256, discoverable, with a counter that goes up. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #owner = ''
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The credential that a browser makes of `PublicKeyCredentialCreationOptionsJSON`. */
  create(options: Json, twist: Twist = {}): Json {
    this.#owner = options.user.id
    const host = twist.host ?? options.rp.id
    const attested = Buffer.concat([
      Buffer.alloc(16),
      uint16(this.id.length),
      this.id,
      coseKey(this.#keys.publicKey),
    ])
    const authData = Buffer.concat([this.#data(host, ATTESTED, twist), attested])
    const attestation = map(
      [text('fmt'), text(twist.format ?? 'none')],
      [text('attStmt'), twist.statement ?? map()],
      [text('authData'), bytes(authData)],
    )
    return this.#credential({
      clientDataJSON: this.#client('webauthn.create', options, twist),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The assertion that a browser makes of `PublicKeyCredentialRequestOptionsJSON`. */
  get(options: Json, twist: Twist = {}): Json {
    this.#counter = twist.counter ?? this.#counter + 1
    const authData = this.#data(twist.host ?? options.rpId, 0, twist)
    const clientDataJSON = this.#client('webauthn.get', options, twist)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const { privateKey } = twist.otherKey ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.#keys
    const signature = sign('sha256', Buffer.concat([authData, hash]), privateKey)
    return this.#credential({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...('userHandle' in twist ? { userHandle: twist.userHandle } : { userHandle: this.#owner }),
    })
  }

  #credential(response: Json): Json {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #client(type: string, options: Json, twist: Twist): string {
    const said = {
      type: twist.type ?? type,
      challenge: twist.challenge ?? options.challenge,
      origin: twist.origin ?? this.#origin,
      crossOrigin: twist.crossOrigin ?? false,
    }
    return Buffer.from(JSON.stringify(said)).toString('base64url')
  }

  #data(host: string, more: number, twist: Twist): Buffer {
    const flags = more | ELIGIBLE | SYNCED | (twist.absent ? 0 : PRESENT) | (twist.unverified ? 0 : VERIFIED)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags]), counter])
  }
}

/** CBOR (RFC 8949), as much of it as authenticators write. */
function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256
    ? Buffer.from([(major << 5) | 24, size])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(size)])
}
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const list = (...items: Buffer[]) => Buffer.concat([head(4, items.length), ...items])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

/** A statement of a maker's, which names certificates. */
export const certifiedStatement = (certificate: Buffer) =>
  map(
    [text('alg'), integer(-7)],
    [text('sig'), bytes(Buffer.alloc(8))],
    [text('x5c'), list(bytes(certificate))],
  )

function uint16(value: number): Buffer {
  const two = Buffer.alloc(2)
  two.writeUInt16BE(value)
  return two
}

/** RFC 9052 section 7: key type EC2, ES256, P-256, both coordinates. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  )
}
