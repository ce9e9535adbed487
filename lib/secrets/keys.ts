import { hmacSha256 } from './hash.ts'

/** One key of the ring: 32 bytes, known by a short id that is stored beside whatever it protects. */
export type RingKey = { id: string; bytes: Uint8Array }

/** The key ring lacks a key that something was sealed or signed with: the operator has to put it back. */
export class KeyMissing extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`the key ring has no key ${keyId}`)
    this.keyId = keyId
  }
}

/**
 * The key ring lives outside the database and its backups. The first key seals and signs; the older
 * ones only open what they sealed, until a rotation has sealed it anew.
 */
export class KeyRing {
  readonly #keys: () => RingKey[]

  /** Keys, newest first; or a function that reads them at each use, where they may change while the panel runs. */
  constructor(keys: RingKey[] | (() => RingKey[])) {
    this.#keys = typeof keys === 'function' ? keys : () => keys
    if (this.#keys().length === 0) throw new Error('the key ring is empty')
  }

  get currentId(): string {
    return this.#current.id
  }

  get #current(): RingKey {
    const [first] = this.#keys()
    if (!first) throw new Error('the key ring is empty')
    return first
  }

  /** Whether the ring still has the named key. */
  has(keyId: string): boolean {
    return this.#keys().some(({ id }) => id === keyId)
  }

  /** A purpose-bound HMAC-SHA-256 under the named key; throws when the ring no longer has that key. */
  mac(keyId: string, purpose: string, message: string): Uint8Array {
    return hmacSha256(this.#find(keyId).bytes, `${purpose}\0${message}`)
  }

  /** `mac` with every key of the ring, the current key's first. */
  macs(purpose: string, message: string): Uint8Array[] {
    return this.#keys().map(({ id }) => this.mac(id, purpose, message))
  }

  /**
   * Seals a text with AES-256-GCM under the current key and a random nonce. `place` (table, row,
   * column) and the key id are additional data, so that a ciphertext moved elsewhere does not open.
   */
  async seal(place: string, plain: string, random: (bytes: number) => Uint8Array): Promise<string> {
    const { id, bytes } = this.#current
    const nonce = random(12)
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: own(nonce), additionalData: own(utf8.encode(`${place}\0${id}`)) },
      await aesKey(bytes),
      own(utf8.encode(plain)),
    )
    return `v1.${id}.${base64(nonce)}.${base64(new Uint8Array(sealed))}`
  }

  /** Opens what `seal` made for the same place; throws otherwise. */
  async open(place: string, sealed: string): Promise<string> {
    const [version, id = '', nonce = '', text = ''] = sealed.split('.')
    if (version !== 'v1') throw new Error('unknown sealed form')
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: own(unbase64(nonce)), additionalData: own(utf8.encode(`${place}\0${id}`)) },
      await aesKey(this.#find(id).bytes),
      own(unbase64(text)),
    )
    return new TextDecoder().decode(plain)
  }

  #find(id: string): RingKey {
    const key = this.#keys().find((candidate) => candidate.id === id)
    if (!key) throw new KeyMissing(id)
    return key
  }
}

/** The key ring that a text describes; see `parseKeys`. */
export function parseKeyRing(text: string): KeyRing {
  return new KeyRing(parseKeys(text))
}

/**
 * Parses `id:base64` lines (or comma-separated entries), newest first; the error names the bad entry for the
 * operator.
 */
export function parseKeys(text: string): RingKey[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, id, value] = /^([A-Za-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/.exec(line) ?? []
      if (!id || !value) throw new Error('a key ring line must be id:base64 of 32 bytes')
      return { id, bytes: unbase64(value) }
    })
}

/** One new line for a key ring. */
export function newKeyLine(random: (bytes: number) => Uint8Array): string {
  const id = [...random(4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${id}:${base64(random(32))}`
}

const utf8 = new TextEncoder()
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
const aesKey = (bytes: Uint8Array) =>
  crypto.subtle.importKey('raw', own(bytes), 'AES-GCM', false, ['encrypt', 'decrypt'])
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const unbase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
