import type { RequestInfo } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { badNumber } from './errors.ts'
import { parsePath } from './paths.ts'

/**
 * The headers of tus 1.0 (tus.io/protocols/resumable-upload), core and the extensions creation, expiration and
 * termination. The protocol is these few headers; a server of it would bring its own errors, bodies and streams.
 */
const VERSION = '1.0.0'
export const TUS_HEADERS = { 'tus-resumable': VERSION }

/** 412 for another version, as the protocol has it. */
export function requireTus(headers: Headers): void {
  if (headers.get('tus-resumable') !== VERSION) throw new AppError('version_distinta')
}

const WHOLE = /^[0-9]{1,15}$/

/** A header that is a number of bytes; 422 where it is not. */
export function bytesIn(
  { headers, language }: Pick<RequestInfo, 'headers' | 'language'>,
  name: 'Upload-Length' | 'Upload-Offset',
): number {
  const value = headers.get(name) ?? ''
  if (WHOLE.test(value)) return Number(value)
  throw badNumber(name, language)
}

/** `ruta` and `sustituir` of `Upload-Metadata`: names, each with a value in Base64. */
export function metadataOf(headers: Headers): { path: string; replaces: boolean } {
  const pairs = (headers.get('upload-metadata') ?? '').split(',').map((pair) => pair.trim().split(' '))
  const values = new Map(pairs.map(([name = '', value = '']) => [name, decoded(value)]))
  return { path: parsePath(values.get('ruta') ?? ''), replaces: values.get('sustituir') === 'si' }
}

function decoded(value: string): string {
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AppError('ruta_invalida')
  }
}
