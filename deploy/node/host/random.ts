import { randomBytes } from 'node:crypto'

/** Randomness of the operating system. */
export const random = (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes))
